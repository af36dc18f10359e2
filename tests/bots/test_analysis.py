"""The analysis of a game: from what its seats knew, the same again, and honest about doubt."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from statistics import variance
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.bots import levels
from spieltisch.bots.analysis import (
    FIRST_SAMPLES,
    MAX_SAMPLES,
    REJUDGED,
    SCHEME,
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
    sample_result,
)
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Sample, Searcher, SearchParams
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


def test_every_turn_with_a_choice_and_no_other_is_asked_about(record: Record) -> None:
    """A turn is what a seat plays up to a draw, a reveal, or the decision of another seat."""
    expected, moves, has_choice, first = [], list[str](), False, (0, 0)
    positions = record.positions()
    for position, play in zip(positions, record.moves, strict=False):
        if not moves:
            first = position.number, play.seat
        has_choice = has_choice or len(position.legal_moves) > 1
        moves.append(play.move)
        if position.copy().play(play.move, play.drew, detect_reveal=True).final:
            if has_choice:
                expected.append((*first, tuple(moves)))
            moves, has_choice = [], False
    seen = [(Observation.read(one.observation), one) for one in asked(record)]
    assert [(start.number, start.seat, one.moves) for start, one in seen] == expected
    for start, one in seen:
        before = Observation.read(one.before_last)
        assert (before.number, before.seat) == (start.number + len(one.moves) - 1, start.seat)


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
        observation = truth.observe(position.seat).bytes
        answers.add(judge(Question(observation, (move,), observation), EFFORT))
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
    assert (stands.number, stands.seat, stands.moves, stands.games) == (seen.number, seat, (), 4)
    assert sum(stands.won) == pytest.approx(1)


def test_a_game_so_far_is_asked_about_after_every_turn_from_one_seat(record: Record) -> None:
    """Also after turns without a choice: whether others had one could tell what they hold.

    A turn is asked about when it is complete.
    """
    end = next(n for n in range(40, 0, -1) if record.moves[n].seat != record.moves[n - 1].seat)
    plays, seat = record.moves[:end], 1
    asked = [(Observation.read(one.observation), one) for one in questions_of(seat, next(record.positions()), plays)]
    own, stands = [one for one in asked if one[1].moves], [seen.number for seen, one in asked if not one.moves]
    assert {seen.seat for seen, _ in asked} == {seat}
    assert {seen.to_decide for seen, _ in own} == {seat}
    assert [move for _, one in own for move in one.moves] == [play.move for play in plays if play.seat == seat]
    ends = [n for n, (play, after) in enumerate(pairwise(plays), 1) if play.seat != after.seat] + [len(plays)]
    others = [end for end in ends if plays[end - 1].seat != seat]
    assert stands == [0, *others]


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_of_a_game_so_far_only_the_own_decisions_are_judged(record: Record) -> None:
    plays = record.moves[:8]
    inquiry = AnalysisJob([*questions_of(2, next(record.positions()), plays)], None, 8)
    own = [n for n, play in enumerate(plays, 1) if play.seat == 2]
    for part in (inquiry.first_pass, inquiry.second_pass):
        for question in part():
            inquiry.add_answer(judge(*question))
    found = inquiry.so_far(2, len(plays))
    judged = [one for one in found.decisions if one.moves]
    assert inquiry.total == len(found.decisions) + len(judged)
    assert [n for one in judged for n in range(one.number, one.last + 1)] == own
    assert [one.last for one in found.decisions] == sorted(one.last for one in found.decisions)
    assert {one.seat for one in found.decisions} == {2}
    assert found.accuracy(2).turns == sum(one.counts for one in judged) > 0
    assert all(one.moves for one in found.turning_points())
    assert found.luck(2) is None


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_turn_that_gets_no_time_gets_few_simulated_games(record: Record) -> None:
    few, many = (
        [
            msgspec.json.decode(judge(question, JudgeBudget(100, seconds)), type=JudgedDecision).games
            for question in asked(record)[:4]
        ]
        for seconds in (0.0, None)
    )
    assert few == [FIRST_SAMPLES] * 4
    assert all(FIRST_SAMPLES < games <= 100 * MAX_SAMPLES for games in many)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_equal_seeds_give_equal_analyses(record: Record) -> None:
    one = analysed(record, 5)
    assert one == analysed(record, 5)
    assert one != analysed(record, 6)
    assert msgspec.json.decode(msgspec.json.encode(one), type=Analysis) == one
    assert one.moves == len(record.moves)
    assert one.scheme == SCHEME
    assert sum(one.won) == pytest.approx(1)
    assert {seat + 1 for seat, won in enumerate(one.won) if won} == set((record.result or {})["winners"])
    for decision in one.decisions:
        assert sum(decision.won) == pytest.approx(1)
        if decision.moves == decision.best_moves:
            assert decision.loss == decision.loss_doubt == decision.cost == 0


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


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_pairs_of_simulated_games_differ_less_than_two_games() -> None:
    """They take place in the same world with the same chance: here after two moves that matter little."""
    position = played("paris-connection", 3, 4, 60)
    searcher = Searcher(position.setup, library=native_library.load(native_library.build("paris-connection")))
    seen, style = position.observe(position.seat), levels.search_params_of(position.setup.game)
    seat = position.seat or 0
    moves = position.legal_moves.numbers[:2]
    one, other, unpaired = (
        [sample.points[seat] for sample in islice(searcher.samples(seen, move, seed, style), 200)]
        for move, seed in ((moves[0], 1), (moves[1], 1), (moves[1], 2))
    )
    paired = variance([a - b for a, b in zip(one, other, strict=True)])
    assert paired < variance([a - b for a, b in zip(one, unpaired, strict=True)])


def decision(number: int, seat: int, loss: float, doubt: float = 0.03, **more: Any) -> JudgedDecision:
    judged = JudgedDecision(number, seat, (0.5, 0.5), (doubt, doubt), number, ("a",), ("b",) if loss else ("a",))
    return msgspec.structs.replace(judged, **{"loss": loss, "loss_doubt": doubt} | more)


def test_a_cost_is_more_than_doubt() -> None:
    within, beyond = decision(1, 0, 0.05), decision(2, 0, 0.12)
    assert within.loss < SIGNIFICANCE * within.loss_doubt
    assert within.cost == 0
    assert beyond.cost == pytest.approx(0.12)
    assert decision(3, 0, 0.12, counts=False).cost == 0


def test_a_turn_is_marked_by_what_it_cost_where_it_left_the_best_one() -> None:
    assert [decision(1, 0, loss, 0.01).mark for loss in (0.0, 0.02, 0.04, 0.07, 0.2)] == ["", "", "?!", "?", "??"]
    assert decision(1, 0, 0.2, 0.15).mark == "", "within the margin"
    assert decision(1, 0, 0.0, 0.0, is_only=True).mark == "!"
    other_order = decision(7, 0, 0.2, 0.01, moves=("b", "a", "x", "c"), best_moves=("a", "b", "c"))
    assert other_order.marked == 9


def test_a_lost_position_has_better_and_worse_ends() -> None:
    far, near = Sample((10.0, 50.0, 60.0), (0.0, 0.0, 1.0)), Sample((55.0, 50.0, 60.0), (0.0, 0.0, 1.0))
    assert sample_result(far, 0, 10.0) < sample_result(near, 0, 10.0) < 0.5
    assert sample_result(near, 2, 10.0) > 0.75


def test_accuracy_counts_the_turns_that_count() -> None:
    own = [decision(1, 0, 0.01), decision(3, 0, -0.08), decision(5, 0, 0.3), decision(7, 0, 0.5, counts=False)]
    found = Analysis(9, (1.0, 0.0), (*own, decision(8, 1, 0.1)))
    first, other = found.accuracy(0), found.accuracy(1)
    assert (first.turns, first.without_mistake, other.turns, other.without_mistake) == (3, 2, 1, 0)
    assert first.mean == pytest.approx((0.01 - 0.08 + 0.3) / 3), "what is within the margin cancels out"
    assert first.doubt == pytest.approx((3 * 0.03**2) ** 0.5 / 3)
    assert 0 < first.share < 1
    nobody = Analysis(9, (1.0, 0.0), ()).accuracy(0)
    assert (nobody.turns, nobody.mean, nobody.doubt, nobody.share) == (0, 0, 0, 1)


def test_who_loses_more_played_like_a_lower_level() -> None:
    def level(loss: float, turns: int = 9) -> str:
        return Analysis(99, (1.0,), tuple(decision(n, 0, loss, 0.0) for n in range(turns))).accuracy(0).level

    found = [level(loss / 2000) for loss in range(120, -40, -1)]
    ordered = ["random", "apprentice", "greedy", "engineer", "inventor", "master"]
    assert [one for one, following in pairwise([*found, ""]) if one != following] == ordered
    assert level(0.06, turns=3) == "", "too few turns to say"


def test_turning_points_are_the_costliest() -> None:
    found = Analysis(9, (1.0, 0.0), tuple(decision(n, n % 2, 0.01 * n) for n in range(1, 30)))
    turning = [one.number for one in found.turning_points()]
    assert turning == [29, 28, 27, 26, 25]
    assert len(turning) == TURNING_POINTS < REJUDGED
    assert Analysis(9, (1.0, 0.0), (decision(1, 0, 0.01),)).turning_points() == ()


def test_the_costliest_are_judged_anew_and_deeper(record: Record) -> None:
    inquiry = AnalysisJob(asked(record), 100.0, 8)
    losses = {}
    for number, (question, _) in enumerate(inquiry.first_pass()):
        seen = Observation.read(question.observation)
        judged = decision(seen.number + 1, 0, number / 1000)
        losses[question] = judged.loss
        inquiry.add_answer(msgspec.json.encode(judged))
    again = inquiry.second_pass()
    assert [question for question, _ in again] == sorted(losses, key=lambda one: -losses[one])[:REJUDGED]
    assert {effort.simulations for _, effort in again} == {32}
    efforts = [effort.seconds or 0.0 for _, effort in (*inquiry.first_pass(), *again)]
    assert sum(efforts) == pytest.approx(100.0)


def test_a_game_that_goes_on_has_no_analysis() -> None:
    with pytest.raises(ValueError, match="not over"):
        AnalysisJob([], None).finish(game("paris-connection").start(seats=3, seed=1), [])


def test_luck_is_what_differs_where_something_was_drawn() -> None:
    """Points expected after a move, and those at the next decision: three stretches, chance came in the middle one."""

    def expecting(number: int, before: float, after: float) -> JudgedDecision:
        return decision(number, 0, 0.0, before=(before, 9.0), after=(after, 9.0))

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
            assert one.line[: len(one.best_moves)] == one.best_moves
            for move in one.line:
                world.play(move)
            told += 1
    assert told
