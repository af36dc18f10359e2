"""Check that the analysis of a game uses only knowledge of its seats, is reproducible, and has a margin of error."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, pairwise
from statistics import fmean, variance

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.bots import levels
from spieltisch.bots.analysis import (
    SCHEME,
    Analysis,
    JudgedDecision,
)
from spieltisch.bots.candidate_turns import CANDIDATE_TURNS, search_turns
from spieltisch.bots.judging import (
    FIRST_SAMPLES,
    MAX_SAMPLES,
    REJUDGED,
    AnalysisJob,
    JudgeBudget,
    Question,
    judge,
    loss_of,
    questions,
    questions_of,
    sample_result,
)
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Sample, Searcher, SearchParams
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.games import game
from tests.bots.judged_turns import judged_turn
from tests.bots.played_positions import played
from tests.paths import ROOT
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


def test_an_analysis_judges_only_turns_in_which_the_player_had_a_choice(record: Record) -> None:
    """A turn is the moves of a player up to a draw, a reveal, or another player's decision."""
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
    recorded_views = [(Observation.read(question.observation), question) for question in questions_in(record)]
    assert [(start.number, start.seat, question.moves) for start, question in recorded_views] == expected
    for start, asked_question in recorded_views:
        before = Observation.read(asked_question.before_last)
        assert (before.number, before.seat) == (start.number + len(asked_question.moves) - 1, start.seat)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@examples(8, 20)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), chosen=st.integers(0, 10_000))
def test_the_judgement_of_a_turn_uses_only_what_the_player_knew(seed: int, moves: int, chosen: int) -> None:
    """Compare positions that look the same to the seat but differ in hidden portfolios and in the generator."""
    position = played("paris-connection", 4, seed, moves)
    seen, legal = position.observe(position.seat), position.legal_moves
    move = legal[chosen % len(legal)].text
    truths = [position, *(seen.imagine(other) for other in range(3))]
    answers = set()
    for world in truths:
        observation = world.observe(position.seat).bytes
        answers.add(judge(Question(observation, (move,), observation), EFFORT))
    assert len(answers) == 1


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@examples(8, 20)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), seat=st.integers(0, 3))
def test_a_position_is_evaluated_only_from_what_the_player_knows(seed: int, moves: int, seat: int) -> None:
    """A player whose turn it is not does not know the hand of the deciding player."""
    observation = played("paris-connection", 4, seed, moves).observe(seat)  # fewer moves where they end the game
    truths = [observation, *(observation.imagine(other).observe(seat) for other in range(3))]
    answers = {judge(Question(world.bytes), EFFORT) for world in truths}
    assert len(answers) == 1
    stands = msgspec.json.decode(answers.pop(), type=JudgedDecision)
    assert (stands.number, stands.seat, stands.moves, stands.games) == (
        observation.number,
        seat,
        (),
        EFFORT.simulations // 4,
    )
    assert sum(stands.won) == pytest.approx(1)


def test_an_analysis_for_one_player_also_judges_turns_in_which_that_player_had_no_choice(record: Record) -> None:
    """If such turns were left out, an analysis could reveal what other players hold."""
    end = next(n for n in range(40, 0, -1) if record.moves[n].seat != record.moves[n - 1].seat)
    plays, seat = record.moves[:end], 1
    pairs = [
        (Observation.read(question.observation), question)
        for question in questions_of(seat, next(record.positions()), plays)
    ]
    own_decisions, stands = (
        [pair for pair in pairs if pair[1].moves],
        [recorded_views.number for recorded_views, pair in pairs if not pair.moves],
    )
    assert {recorded_views.seat for recorded_views, _ in pairs} == {seat}
    assert {recorded_views.to_decide for recorded_views, _ in own_decisions} == {seat}
    assert [move for _, question in own_decisions for move in question.moves] == [
        play.move for play in plays if play.seat == seat
    ]
    turn_ends = [n for n, (play, after) in enumerate(pairwise(plays), 1) if play.seat != after.seat] + [len(plays)]
    other_ends = [end for end in turn_ends if plays[end - 1].seat != seat]
    assert stands == [0, *other_ends]


def test_the_steps_of_an_analysis_for_one_player_do_not_depend_on_what_others_learnt(toy: str) -> None:
    """In the first deal, the seat that looks at a card learns something that it could not know; in the second not."""
    lanterns = game(toy)
    cards = lanterns.read_components(lanterns.components.text.replace("cards = [4, 4, 4]", "cards = [2, 1, 0]"))
    numbers, views, learnt = [], set(), []
    for deal in (["1", "2", "1"], ["2", "1", "1"]):
        start = Position.start(lanterns.setup(3, cards), drew=deal)
        position, plays = start.copy(), []
        for move in ("look 2", "take 1"):
            result = position.play(move, detect_reveal=True)
            plays.append(RecordedMove(result.seat, move, result.drew))
            learnt.append(result.revealed)
        views.add((start.observe(2).bytes, position.observe(2).bytes))
        numbers.append(
            [Observation.read(question.observation).number for question in questions_of(2, start.copy(), plays)]
        )
    assert len(views) == 1, "the third seat sees the same"
    assert len(set(learnt)) == 2
    assert numbers[0] == numbers[1]


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_partial_analysis_judges_only_decisions_of_the_requesting_player(record: Record) -> None:
    plays = record.moves[:8]
    inquiry = AnalysisJob([*questions_of(2, next(record.positions()), plays)], None, 8)
    own_numbers = [n for n, play in enumerate(plays, 1) if play.seat == 2]
    for part in (inquiry.first_pass, inquiry.second_pass):
        for question in part():
            inquiry.add_answer(judge(*question))
    analysis = inquiry.so_far(2, len(plays))
    judged_decisions = [decision for decision in analysis.decisions if decision.moves]
    assert inquiry.total == len(analysis.decisions) + len(judged_decisions)
    assert [n for judged in judged_decisions for n in range(judged.number, judged.last + 1)] == own_numbers
    assert [decision.last for decision in analysis.decisions] == sorted(
        decision.last for decision in analysis.decisions
    )
    assert {decision.seat for decision in analysis.decisions} == {2}
    assert analysis.accuracy(2).turns == sum(judged.counts for judged in judged_decisions) > 0
    assert all(decision.moves for decision in analysis.turning_points())
    assert analysis.luck(2) is None


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_turn_without_search_time_gets_the_minimum_of_simulated_games(record: Record) -> None:
    few_result, count = (
        [
            msgspec.json.decode(judge(question, JudgeBudget(100, seconds)), type=JudgedDecision).games
            for question in questions_in(record)[:4]
        ]
        for seconds in (0.0, None)
    )
    assert few_result == [FIRST_SAMPLES] * 4
    assert all(FIRST_SAMPLES < games <= 100 * MAX_SAMPLES for games in count)


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
    assert {seat + 1 for seat, has_won in enumerate(first_analysis.won) if has_won} == set(
        (record.result or {})["winners"]
    )
    for decision in first_analysis.decisions:
        assert sum(decision.won) == pytest.approx(1)
        if decision.moves == decision.best_moves:
            assert decision.loss == decision.loss_doubt == decision.cost == 0


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_requested_extra_move_is_always_searched() -> None:
    position = played("paris-connection", 3, 4, 30)
    searcher = Searcher(position.setup, library=native_library.load(native_library.build("paris-connection")))
    observation = position.observe(position.seat)
    for move in position.legal_moves.numbers[:6]:
        search_result = searcher.search(
            observation, 1, Budget(8, report_moves=1, min_visits=20, extra_moves=(move,)), SearchParams()
        )
        visits_by_move = Counter({candidate.move: candidate.visits for candidate in search_result.candidates})
        assert visits_by_move[move] >= 20
        assert visits_by_move[search_result.move] >= 20
        assert sum(visits_by_move.values()) == search_result.simulations


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_paired_simulated_games_vary_less_than_independent_games() -> None:
    """Both games of a pair share hidden information and chance, and the two compared moves hardly differ in value."""
    position = played("paris-connection", 3, 4, 60)
    searcher = Searcher(position.setup, library=native_library.load(native_library.build("paris-connection")))
    observation, style = position.observe(position.seat), levels.search_params_of(position.setup.game)
    seat = position.seat or 0
    moves = position.legal_moves.numbers[:2]
    first, second, unpaired = (
        [sample.points[seat] for sample in islice(searcher.samples(observation, move, seed, style), 200)]
        for move, seed in ((moves[0], 1), (moves[1], 1), (moves[1], 2))
    )
    paired = variance([a - b for a, b in zip(first, second, strict=True)])
    assert paired < variance([a - b for a, b in zip(first, unpaired, strict=True)])


def test_moves_in_a_lost_position_are_compared_by_points() -> None:
    far_sample, near_sample = Sample((10.0, 50.0, 60.0), (0.0, 0.0, 1.0)), Sample((55.0, 50.0, 60.0), (0.0, 0.0, 1.0))
    assert sample_result(far_sample, 0, 10.0) < sample_result(near_sample, 0, 10.0) < 0.5
    assert sample_result(near_sample, 2, 10.0) > 0.75


@given(
    st.lists(st.lists(st.floats(-1, 2), min_size=16, max_size=16), min_size=1, max_size=4),
)
def test_a_turn_can_only_lose(results: list[list[float]]) -> None:
    best, loss, doubt = loss_of(results)
    means = [fmean(result) for result in results]
    assert loss >= 0
    assert doubt >= 0
    assert means[best] == pytest.approx(max(means))
    if best == 0:
        assert loss == doubt == 0


def test_the_best_of_equal_turns_is_hardly_better_by_luck() -> None:
    rng = random.Random(7)
    found, naive = [], []
    for _ in range(400):
        results = [[rng.gauss(0.5, 0.3) for _ in range(64)] for _ in range(4)]
        found.append(loss_of(results)[1])
        naive.append(max(map(fmean, results)) - fmean(results[0]))
    assert fmean(found) < 0.6 * fmean(naive)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@examples(5, 20)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120))
def test_a_search_proposes_several_turns_that_can_be_played(seed: int, moves: int) -> None:
    position = played("paris-connection", 4, seed, moves)
    seen = position.observe(position.seat)
    searched = search_turns(seen, 3, 60, None)
    assert 1 <= len(searched.turns) <= CANDIDATE_TURNS
    assert len({turn.moves[0] for turn in searched.turns}) == len(searched.turns)
    for turn in searched.turns:
        world = seen.imagine(3)
        results = [world.play(move, detect_reveal=True) for move in turn.moves]
        assert not any(result.final for result in results[:-1])
        assert turn.line[: len(turn.moves)] == turn.moves
    assert searched.turns[0].moves
    assert results[-1].seat == position.seat


def test_the_costliest_turns_are_judged_again_with_more_simulations(record: Record) -> None:
    inquiry = AnalysisJob(questions_in(record), 100.0, 8)
    losses = {}
    for number, (question, _) in reversed([*enumerate(inquiry.first_pass())]):  # answers come in any order
        observation = Observation.read(question.observation)
        judged_decision = judged_turn(observation.number + 1, 0, number / 1000)
        losses[question] = judged_decision.loss
        inquiry.add_answer(msgspec.json.encode(judged_decision))
    second_pass = inquiry.second_pass()
    assert [question for question, _ in second_pass] == sorted(losses, key=lambda key: -losses[key])[:REJUDGED]
    assert {effort.simulations for _, effort in second_pass} == {32}
    numbers = [judged_decision.number for judged_decision in inquiry.so_far(0, 0).decisions]
    assert numbers == sorted(numbers)
    efforts = [effort.seconds or 0.0 for _, effort in (*inquiry.first_pass(), *second_pass)]
    assert sum(efforts) == pytest.approx(100.0)


def test_a_full_analysis_of_a_running_game_is_refused() -> None:
    with pytest.raises(ValueError, match="not over"):
        AnalysisJob([], None).finish(game("paris-connection").start(seats=3, seed=1), [])


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_the_better_line_of_an_analysis_is_legal_in_the_position_that_the_player_imagines(record: Record) -> None:
    revealed_count = 0
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
            revealed_count += 1
    assert revealed_count
