"""The analysis of a game uses only what its seats knew, is reproducible, and states its margin of error."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from statistics import variance
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.bots import levels
from spieltisch.bots.analysis import (
    SCHEME,
    SIGNIFICANCE,
    TURNING_POINTS,
    Analysis,
    JudgedDecision,
    accuracy_of,
)
from spieltisch.bots.judging import (
    FIRST_SAMPLES,
    MAX_SAMPLES,
    REJUDGED,
    AnalysisJob,
    JudgeBudget,
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
from tests.tiers import examples

GOLDEN = ROOT / "tests" / "golden" / "paris-connection" / "3-tie.txt"
EFFORT = JudgeBudget(simulations=8)


@pytest.fixture(scope="module")
def compiled() -> None:
    native_library.build("paris-connection")


@pytest.fixture(scope="module")
def record() -> Record:
    return Record.read(GOLDEN)


def questions_in(record: Record) -> list[Question]:
    return [*questions(next(record.positions()), record.moves)]


def analysed(record: Record, seed: int) -> Analysis:
    inquiry = AnalysisJob(questions_in(record), None, 8, seed)
    answers = 0
    for part in (inquiry.first_pass, inquiry.second_pass):
        for question in part():
            inquiry.add_answer(judge(*question))
            answers += 1
    assert answers == inquiry.total
    return inquiry.finish(record.replay(), record.moves)


def test_every_turn_with_a_choice_and_no_other_is_asked_about(record: Record) -> None:
    """A turn consists of the moves of a seat up to a draw, a reveal, or another seat's decision."""
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
    seen = [(Observation.read(question.observation), question) for question in questions_in(record)]
    assert [(start.number, start.seat, question.moves) for start, question in seen] == expected
    for start, asked_question in seen:
        before = Observation.read(asked_question.before_last)
        assert (before.number, before.seat) == (start.number + len(asked_question.moves) - 1, start.seat)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@examples(8, 20)
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
@examples(8, 20)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), seat=st.integers(0, 3))
def test_how_it_stands_is_known_from_no_more_than_the_seat_knows(seed: int, moves: int, seat: int) -> None:
    """Likewise for a seat that is not to decide: it does not know the hand of the seat that is."""
    seen = played("paris-connection", 4, seed, moves).observe(seat)  # fewer moves where they end the game
    truths = [seen, *(seen.imagine(other).observe(seat) for other in range(3))]
    answers = {judge(Question(truth.bytes), EFFORT) for truth in truths}
    assert len(answers) == 1
    stands = msgspec.json.decode(answers.pop(), type=JudgedDecision)
    assert (stands.number, stands.seat, stands.moves, stands.games) == (seen.number, seat, (), EFFORT.simulations // 4)
    assert sum(stands.won) == pytest.approx(1)


def test_a_game_so_far_is_asked_about_after_every_turn_from_one_seat(record: Record) -> None:
    """Also after turns without a choice: whether others had one could tell what they hold.

    A turn is asked about when it is complete.
    """
    end = next(n for n in range(40, 0, -1) if record.moves[n].seat != record.moves[n - 1].seat)
    plays, seat = record.moves[:end], 1
    pairs = [
        (Observation.read(question.observation), question)
        for question in questions_of(seat, next(record.positions()), plays)
    ]
    own, stands = [pair for pair in pairs if pair[1].moves], [seen.number for seen, pair in pairs if not pair.moves]
    assert {seen.seat for seen, _ in pairs} == {seat}
    assert {seen.to_decide for seen, _ in own} == {seat}
    assert [move for _, question in own for move in question.moves] == [
        play.move for play in plays if play.seat == seat
    ]
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
    analysis = inquiry.so_far(2, len(plays))
    judged = [decision for decision in analysis.decisions if decision.moves]
    assert inquiry.total == len(analysis.decisions) + len(judged)
    assert [n for judged_turn in judged for n in range(judged_turn.number, judged_turn.last + 1)] == own
    assert [decision.last for decision in analysis.decisions] == sorted(
        decision.last for decision in analysis.decisions
    )
    assert {decision.seat for decision in analysis.decisions} == {2}
    assert analysis.accuracy(2).turns == sum(judged_turn.counts for judged_turn in judged) > 0
    assert all(decision.moves for decision in analysis.turning_points())
    assert analysis.luck(2) is None


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_turn_that_gets_no_time_gets_few_simulated_games(record: Record) -> None:
    few, many = (
        [
            msgspec.json.decode(judge(question, JudgeBudget(100, seconds)), type=JudgedDecision).games
            for question in questions_in(record)[:4]
        ]
        for seconds in (0.0, None)
    )
    assert few == [FIRST_SAMPLES] * 4
    assert all(FIRST_SAMPLES < games <= 100 * MAX_SAMPLES for games in many)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_equal_seeds_give_equal_analyses(record: Record) -> None:
    first_analysis = analysed(record, 5)
    assert first_analysis == analysed(record, 5)
    assert first_analysis != analysed(record, 6)
    assert msgspec.json.decode(msgspec.json.encode(first_analysis), type=Analysis) == first_analysis
    assert first_analysis.moves == len(record.moves)
    assert first_analysis.scheme == SCHEME
    assert sum(first_analysis.won) == pytest.approx(1)
    assert {seat + 1 for seat, won in enumerate(first_analysis.won) if won} == set((record.result or {})["winners"])
    for decision in first_analysis.decisions:
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
        tried = Counter({candidate.move: candidate.visits for candidate in thought.candidates})
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
    first, second, unpaired = (
        [sample.points[seat] for sample in islice(searcher.samples(seen, move, seed, style), 200)]
        for move, seed in ((moves[0], 1), (moves[1], 1), (moves[1], 2))
    )
    paired = variance([a - b for a, b in zip(first, second, strict=True)])
    assert paired < variance([a - b for a, b in zip(first, unpaired, strict=True)])


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
    analysis = Analysis(9, (1.0, 0.0), (*own, decision(8, 1, 0.1)))
    first, other = analysis.accuracy(0), analysis.accuracy(1)
    assert (first.turns, first.without_mistake, other.turns, other.without_mistake) == (3, 2, 1, 0)
    assert first.mean == pytest.approx((-0.08 + 0.3) / 3), "a loss of less than its error is none"
    assert first.doubt == pytest.approx((3 * 0.03**2) ** 0.5 / 3)
    assert 0 < first.share < accuracy_of(0.0) < accuracy_of(-0.02) < 1
    nobody = Analysis(9, (1.0, 0.0), ()).accuracy(0)
    assert (nobody.turns, nobody.mean, nobody.doubt) == (0, 0, 0)


def test_who_loses_more_played_like_a_lower_level() -> None:
    def level(loss: float, turns: int = 9) -> str:
        return Analysis(99, (1.0,), tuple(decision(n, 0, loss, 0.0) for n in range(turns))).accuracy(0).level

    levels_of_losses = [level(loss / 2000) for loss in range(120, -40, -1)]
    ordered = ["random", "beginner", "easy", "medium", "hard", "expert"]
    assert [current for current, following in pairwise([*levels_of_losses, ""]) if current != following] == ordered
    assert level(0.06, turns=3) == "", "too few turns to say"


def test_turning_points_are_the_costliest() -> None:
    analysis = Analysis(9, (1.0, 0.0), tuple(decision(n, n % 2, 0.01 * n) for n in range(1, 30)))
    turning = [decision.number for decision in analysis.turning_points()]
    assert turning == [29, 28, 27, 26, 25]
    assert len(turning) == TURNING_POINTS < REJUDGED
    assert Analysis(9, (1.0, 0.0), (decision(1, 0, 0.01),)).turning_points() == ()


def test_the_costliest_are_judged_anew_and_deeper(record: Record) -> None:
    inquiry = AnalysisJob(questions_in(record), 100.0, 8)
    losses = {}
    for number, (question, _) in reversed([*enumerate(inquiry.first_pass())]):  # answers come in any order
        seen = Observation.read(question.observation)
        judged = decision(seen.number + 1, 0, number / 1000)
        losses[question] = judged.loss
        inquiry.add_answer(msgspec.json.encode(judged))
    again = inquiry.second_pass()
    assert [question for question, _ in again] == sorted(losses, key=lambda key: -losses[key])[:REJUDGED]
    assert {effort.simulations for _, effort in again} == {32}
    numbers = [judged.number for judged in inquiry.so_far(0, 0).decisions]
    assert numbers == sorted(numbers)
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
    analysis = Analysis(7, (1.0, 0.0), decisions, (14, 9), (5,))
    luck = analysis.luck(0)
    assert luck is not None
    assert luck.draws == 1
    assert luck.points == pytest.approx(3.0)
    assert luck.doubt == pytest.approx((0.3**2 / 2) ** 0.5)
    assert Analysis(7, (1.0, 0.0), decisions, (14, 9)).luck(0) is None
    assert Analysis(7, (1.0, 0.0), (decision(1, 0, 0.1),), (14, 9), (1,)).luck(0) is None, "kept by an older version"


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_better_line_can_be_played_in_the_world_that_its_seat_imagines(record: Record) -> None:
    revealed = 0
    for decision in analysed(record, 5).decisions:
        assert bool(decision.line) == bool(decision.cost) or not decision.line
        if decision.line:
            position = next(record.positions())
            for play in record.moves[: decision.number - 1]:
                position.play(play.move, play.drew)
            world = position.observe(decision.seat).imagine(decision.seed)
            assert decision.line[: len(decision.best_moves)] == decision.best_moves
            for move in decision.line:
                world.play(move)
            revealed += 1
    assert revealed
