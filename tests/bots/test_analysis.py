"""The analysis of a game: from what its seats knew, the same again, and honest about doubt."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.bots.analysis import (
    REJUDGED,
    SIGNIFICANCE,
    TURNING_POINTS,
    Analysis,
    AnalysisJob,
    JudgeBudget,
    JudgedDecision,
    Question,
    judge,
    questions,
    questions_of,
)
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.observation import Observation
from spieltisch.core.record import Record
from spieltisch.games import game
from tests.bots.test_search import played
from tests.test_docs import ROOT

GOLDEN = ROOT / "tests" / "golden" / "paris-connection" / "3-tie.txt"
EFFORT = JudgeBudget(simulations=8)


@pytest.fixture(scope="module")
def compiled() -> None:
    native_library.build("paris-connection")


@pytest.fixture(scope="module")
def record() -> Record:
    return Record.read(GOLDEN)


def asked(record: Record) -> list[Question]:
    return [*questions(next(record.positions()), record.moves)]


def analysed(record: Record, seed: int) -> Analysis:
    inquiry = AnalysisJob(asked(record), None, 8, seed)
    answers = 0
    for part in (inquiry.first_pass, inquiry.second_pass):
        for question in part():
            inquiry.add_answer(judge(*question))
            answers += 1
    assert answers == inquiry.total
    return inquiry.finish(record.replay(), record.moves)


def test_every_decision_and_no_other_is_asked_about(record: Record) -> None:
    expected = []
    positions = record.positions()
    for position, play in zip(positions, record.moves, strict=False):
        if len(position.legal_moves) > 1:
            expected.append((position.number, position.seat, play.move))
    seen = [(Observation.read(one.observation), one.move) for one in asked(record)]
    assert [(one.number, one.seat, move) for one, move in seen] == expected


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), chosen=st.integers(0, 10_000))
def test_a_judgement_knows_no_more_than_the_seat_knew(seed: int, moves: int, chosen: int) -> None:
    """Truths that look the same to the seat, with other portfolios and another generator: one judgement."""
    position = played("paris-connection", 4, seed, moves)
    seen, legal = position.observe(position.seat), position.legal_moves
    move = legal[chosen % len(legal)].text
    truths = [position, *(seen.imagine(other) for other in range(3))]
    answers = set()
    for truth in truths:
        answers.add(judge(Question(truth.observe(position.seat).bytes, move), EFFORT))
    assert len(answers) == 1


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), seat=st.integers(0, 3))
def test_how_it_stands_is_known_from_no_more_than_the_seat_knows(seed: int, moves: int, seat: int) -> None:
    """The same for a seat that need not decide: what the one who decides holds is not known either."""
    seen = played("paris-connection", 4, seed, moves).observe(seat)  # fewer moves where they end the game
    truths = [seen, *(seen.imagine(other).observe(seat) for other in range(3))]
    answers = {judge(Question(truth.bytes), EFFORT) for truth in truths}
    assert len(answers) == 1
    stands = msgspec.json.decode(answers.pop(), type=JudgedDecision)
    assert (stands.number, stands.seat, stands.move, stands.games) == (seen.number, seat, "", 4)
    assert sum(stands.won) == pytest.approx(1)


def test_a_game_so_far_is_asked_about_after_every_move_from_one_seat(record: Record) -> None:
    """Also after moves that were the only ones: whether others had a choice could tell what they hold."""
    plays, seat = record.moves[:40], 1
    asked = [
        (Observation.read(one.observation), one.move) for one in questions_of(seat, next(record.positions()), plays)
    ]
    own, stands = [one for one in asked if one[1]], [one for one in asked if not one[1]]
    assert {seen.seat for seen, _ in asked} == {seat}
    assert {seen.to_decide for seen, _ in own} == {seat}
    assert [seen.number for seen, _ in stands] == sorted(seen.number for seen, _ in stands)
    told = [*(seen.number + 1 for seen, _ in own), *(seen.number for seen, _ in stands)]
    assert sorted(told) == list(range(len(plays) + 1))
    assert [move for _, move in own] == [plays[seen.number].move for seen, _ in own]


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_of_a_game_so_far_only_the_own_decisions_are_judged(record: Record) -> None:
    plays = record.moves[:8]
    inquiry = AnalysisJob([*questions_of(2, next(record.positions()), plays)], None, 8)
    own = sum(play.seat == 2 for play in plays)
    for part in (inquiry.first_pass, inquiry.second_pass):
        for question in part():
            inquiry.add_answer(judge(*question))
    assert inquiry.total == len(plays) + 1 + own
    found = inquiry.so_far(2, len(plays))
    assert [one.number for one in found.decisions] == list(range(len(plays) + 1))
    assert {one.seat for one in found.decisions} == {2}
    assert found.accuracy(2).decisions == own
    assert all(one.move for one in found.turning_points())
    assert found.luck(2) is None


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_equal_seeds_give_equal_analyses(record: Record) -> None:
    one = analysed(record, 5)
    assert one == analysed(record, 5)
    assert one != analysed(record, 6)
    assert msgspec.json.decode(msgspec.json.encode(one), type=Analysis) == one
    assert one.moves == len(record.moves)
    assert sum(one.won) == pytest.approx(1)
    assert {seat + 1 for seat, won in enumerate(one.won) if won} == set((record.result or {})["winners"])
    for decision in one.decisions:
        assert sum(decision.won) == pytest.approx(1)
        assert decision.move != decision.best or decision.gap == decision.gap_doubt == decision.cost == 0


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_named_move_is_tried_whatever_the_search_thinks_of_it() -> None:
    position = played("paris-connection", 3, 4, 30)
    searcher = Searcher(position.setup, library=native_library.load(native_library.build("paris-connection")))
    seen = position.observe(position.seat)
    for move in position.legal_moves.numbers[:6]:
        thought = searcher.search(
            seen, 1, Budget(8, report_moves=1, min_visits=20, extra_moves=(move,)), SearchParams()
        )
        tried = Counter({one.move: one.visits for one in thought.candidates})
        assert tried[move] >= 20
        assert tried[thought.move] >= 20
        assert sum(tried.values()) == thought.simulations


def decision(number: int, seat: int, gap: float, doubt: float = 0.03) -> JudgedDecision:
    won = [0.5, 0.5]
    return JudgedDecision(number, seat, "a", tuple(won), (doubt, doubt), "b" if gap else "a", won[seat] + gap, doubt)


def test_a_cost_is_more_than_doubt() -> None:
    within, beyond = decision(1, 0, 0.08), decision(2, 0, 0.12)
    assert within.gap_doubt == pytest.approx(0.03 * 2**0.5)
    assert within.gap < SIGNIFICANCE * within.gap_doubt
    assert within.cost == 0
    assert beyond.cost == pytest.approx(0.12)
    assert decision(3, 0, 0).gap_doubt == 0


def test_accuracy_counts_what_is_within_doubt_too() -> None:
    found = Analysis(
        9, (1.0, 0.0), (decision(1, 0, 0.08), decision(3, 0, -0.08), decision(5, 0, 0.3), decision(6, 1, 0.1))
    )
    first, other = found.accuracy(0), found.accuracy(1)
    assert (first.decisions, first.near_best, other.decisions, other.near_best) == (3, 2, 1, 0)
    assert first.mean == pytest.approx(0.1)
    assert other.mean == pytest.approx(0.1)
    assert found.accuracy(0).doubt == pytest.approx((3 * 2 * 0.03**2) ** 0.5 / 3)
    nobody = Analysis(9, (1.0, 0.0), ()).accuracy(0)
    assert (nobody.decisions, nobody.mean, nobody.doubt) == (0, 0, 0)


def test_turning_points_are_the_costliest() -> None:
    found = Analysis(9, (1.0, 0.0), tuple(decision(n, n % 2, 0.01 * n) for n in range(1, 30)))
    turning = [one.number for one in found.turning_points()]
    assert turning == [29, 28, 27, 26, 25]
    assert len(turning) == TURNING_POINTS < REJUDGED
    assert Analysis(9, (1.0, 0.0), (decision(1, 0, 0.01),)).turning_points() == ()


def test_the_costliest_are_judged_anew_and_deeper(record: Record) -> None:
    inquiry = AnalysisJob(asked(record), 100.0, 8)
    gaps = {}
    for number, (question, _) in enumerate(inquiry.first_pass()):
        seen = Observation.read(question.observation)
        judged = decision(seen.number + 1, 0, number / 1000)
        gaps[question] = judged.gap
        inquiry.add_answer(msgspec.json.encode(judged))
    again = inquiry.second_pass()
    assert [question for question, _ in again] == sorted(gaps, key=lambda one: -gaps[one])[:REJUDGED]
    assert {effort.simulations for _, effort in again} == {32}
    efforts = [effort.seconds or 0.0 for _, effort in (*inquiry.first_pass(), *again)]
    assert sum(efforts) == pytest.approx(100.0)


def test_a_game_that_goes_on_has_no_analysis() -> None:
    with pytest.raises(ValueError, match="not over"):
        AnalysisJob([], None).finish(game("paris-connection").start(seats=3, seed=1), [])


def test_luck_is_what_differs_where_something_was_drawn() -> None:
    """Points expected after a move, and those at the next decision: three stretches, chance came in the middle one."""

    def expecting(number: int, before: float, after: float) -> JudgedDecision:
        return JudgedDecision(number, 0, "a", (0.5, 0.5), (0.1, 0.1), "a", 0.5, 0.1, 9, (before, 9.0), (after, 9.0))

    decisions = (expecting(1, 10.0, 11.0), expecting(3, 11.3, 11.0), expecting(6, 14.0, 14.0))
    found = Analysis(7, (1.0, 0.0), decisions, (14, 9), (5,))
    luck = found.luck(0)
    assert luck is not None
    assert luck.draws == 1
    assert luck.points == pytest.approx(3.0)
    assert luck.doubt == pytest.approx((0.3**2 / 2) ** 0.5)
    assert Analysis(7, (1.0, 0.0), decisions, (14, 9)).luck(0) is None
    assert Analysis(7, (1.0, 0.0), (decision(1, 0, 0.1),), (14, 9), (1,)).luck(0) is None, "kept by an older version"


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_better_line_can_be_played_in_the_world_that_its_seat_imagines(record: Record) -> None:
    told = 0
    for one in analysed(record, 5).decisions:
        assert bool(one.line) == bool(one.cost) or not one.line
        if one.line:
            position = next(record.positions())
            for play in record.moves[: one.number - 1]:
                position.play(play.move, play.drew)
            world = position.observe(one.seat).imagine(one.seed)
            assert one.line[0] == one.best
            for move in one.line:
                world.play(move)
            told += 1
    assert told
