"""Check advice: enough visits for every move shown, lines from the seat's knowledge alone, and calibrated chances."""

from __future__ import annotations

import random
from itertools import chain, repeat
from types import SimpleNamespace

import msgspec
import pytest
from bench.calibration import Prediction, brier_score, fit_shrinkage
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.bots import advice, best_line
from spieltisch.bots.comparing import Comparison, Difference, Mean
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.calibration import calibrated, shrinkage
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.games import GAMES, game
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import played
from tests.tiers import examples, first_alone


def advised(position: Position) -> advice.Advice:
    advice_given = advice.advise("expert", position.observe(position.seat).bytes, 1)
    return msgspec.json.decode(advice_given, type=advice.Advice)


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_every_advised_move_has_enough_visits_and_a_line_of_legal_moves(key: str, library_of: LibraryOf) -> None:
    library_of(key)
    position = played(key, 3, 2, 60)
    advice_given = advised(position)
    assert len(advice_given.moves) == min(advice.MAX_MOVES, len(position.legal_moves))
    assert advice_given.even_chance == pytest.approx(1 / 3)
    assert advice_given.trust == shrinkage(position.setup.game.calibration, position.number // 3)
    sure = [move.won - move.doubt for move in advice_given.moves]
    assert sure == sorted(sure, reverse=True), "the best is first, also by what is shown"
    for advised_move in advice_given.moves:
        assert advised_move.games >= advice.BUDGET.min_visits
        assert advice_given.chance(advised_move) == pytest.approx(
            advice_given.even_chance + advice_given.trust * (advised_move.won - advice_given.even_chance)
        )
        assert advice_given.doubt(advised_move) == pytest.approx(advice_given.trust * advised_move.doubt)
        world = position.copy()
        for move in (advised_move.move, *advised_move.line.same_turn):
            assert world.seat == position.seat
            world.play(move)
        assert not any(event.drawn for event in (*advised_move.line.own_events, *advised_move.line.reply_events))


def test_each_advised_move_is_compared(library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    library_of("paris-connection")
    position = played("paris-connection", 3, 2, 60)
    monkeypatch.setattr(advice, "BUDGET", Budget(seconds=0.0, report_moves=advice.MAX_MOVES, min_visits=4))
    unknown = Mean(0.0, 1.0)

    def compared(_: Searcher, __: Observation, moves: list[int], *___: object) -> list[Comparison]:
        return [Comparison((Difference(move, 1.0),), unknown, unknown) for move in moves]

    monkeypatch.setattr(advice, "compare", compared)
    for advised_move in advised(position).moves:
        number = position.setup.move(advised_move.move).number
        assert advised_move.comparison == Comparison((Difference(number, 1.0),), unknown, unknown)


def test_preparing_the_advice_process_runs_a_single_trial_game(library_of: LibraryOf) -> None:
    library_of("paris-connection")
    position = played("paris-connection", 3, 2, 60)
    encoded = advice.advise("expert", position.observe(position.seat).bytes, 1, 0, advice.PREPARING)
    (tried_move,) = msgspec.json.decode(encoded, type=advice.Advice).moves
    assert tried_move.games == 1


def test_a_search_without_processor_time_gives_three_moves_their_minimum_of_visits(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a search gets less processor time than the clock shows."""
    library_of("paris-connection")
    clock = chain([0.0, 0.0], repeat(advice.WALL_SECONDS + 1))
    monkeypatch.setattr(advice, "time", SimpleNamespace(monotonic=clock.__next__))
    advice_given = advised(played("paris-connection", 3, 2, 60))
    assert [move.games >= advice.BUDGET.min_visits for move in advice_given.moves] == [True] * advice.MAX_MOVES
    assert sum(move.games for move in advice_given.moves) < (advice.MAX_MOVES + 1) * advice.BUDGET.min_visits


def test_chances_and_margins_shrink_by_the_calibration_of_the_game(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    library_of("paris-connection")
    position = played("paris-connection", 3, 2, 60)
    monkeypatch.setattr(position.setup.game, "calibration", ((0, 0.2), (15, 0.5), (40, 1.0)))
    advice_given = advised(position)
    assert advice_given.trust == 0.5
    for move in advice_given.moves:
        assert advice_given.chance(move) - advice_given.even_chance == pytest.approx(
            (move.won - advice_given.even_chance) / 2
        )
        assert advice_given.doubt(move) == pytest.approx(move.doubt / 2)


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_reasons_for_a_move_come_from_the_events_of_its_line(key: str, library_of: LibraryOf) -> None:
    """In each game, most moves of a line have a reason."""
    silent = total = 0
    library = library_of(key)
    budget, style = (Budget(60), SearchParams()) if library else (Budget(16), SearchParams(max_playout=6))
    for seed in range(12 if library else 2):
        position = played(key, 3, seed, 45)
        searcher = Searcher(position.setup, library=library)
        observation = position.observe(position.seat)
        search_result = searcher.search(observation, seed, budget, style)
        line = best_line.read_line(searcher, observation, search_result.move, seed)
        assert line == best_line.read_line(searcher, observation, search_result.move, seed)
        silent += not (
            position.setup.game.advice_reasons(observation, line.own_events) or position.hint(search_result.move)
        )
        total += 1
    assert silent <= total // 2


@examples(2, 10)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120))
def test_advice_uses_only_what_the_advised_player_knows(library_of: LibraryOf, seed: int, moves: int) -> None:
    """Compare positions that look the same to the seat but differ in hidden portfolios and in the generator."""
    position = played("paris-connection", 4, seed, moves)
    library = library_of("paris-connection")
    budget, style = (Budget(40), SearchParams()) if library else (Budget(8), SearchParams(max_playout=6))
    observation, lines = position.observe(position.seat), set()
    searcher = Searcher(position.setup, library=library)
    for world in (position, *(observation.imagine(other) for other in range(3))):
        seen_before = world.observe(position.seat)
        lines.add(best_line.read_line(searcher, seen_before, searcher.search(seen_before, 1, budget, style).move, 1))
    assert len(lines) == 1


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_calibration_of_chances_starts_at_the_first_move_and_never_decreases(key: str) -> None:
    starts = [start for start, _ in game(key).calibration]
    parts = [shrinkage(game(key).calibration, start) for start in range(60)]
    assert starts == sorted(set(starts))
    assert starts[:1] in ([], [0])
    assert parts == sorted(parts)
    assert 0 < parts[0] <= parts[-1] <= 1


def test_fitting_the_calibration_recovers_the_shrinkage_of_made_up_chances() -> None:
    """The made-up trial games overestimate chances early in a game and estimate them correctly late in a game."""
    chance, rows = random.Random(1), []
    for number in range(20_000):
        moves, estimate = chance.randrange(20), chance.random()
        calibrated_chances = calibrated(((0, 0.3), (10, 0.9)), moves, 0.25, estimate)
        rows.append(Prediction(number, moves, 0.25, estimate, float(chance.random() < calibrated_chances)))
    fit = fit_shrinkage(rows)
    assert shrinkage(fit, 3) == pytest.approx(0.3, abs=0.05)
    assert shrinkage(fit, 19) == pytest.approx(0.9, abs=0.05)
    assert brier_score(rows, fit) < min(brier_score(rows, ()), brier_score(rows, ((0, 0.0),)))
