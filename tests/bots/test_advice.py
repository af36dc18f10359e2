"""Advice: every move shown was searched enough, its line uses only what the seat knows and stops at the first draw, and
win chances are shrunk towards even by the calibration.
"""

from __future__ import annotations

import random
from itertools import chain, repeat
from types import SimpleNamespace

import msgspec
import pytest
from bench.calibration import Said, brier, fitted
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.bots import advice, best_line
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.calibration import calibrated, shrinkage
from spieltisch.core.position import Position
from spieltisch.games import GAMES, game
from tests.bots.conftest import LibraryOf
from tests.bots.test_search import played
from tests.tiers import examples, first_alone


def advised(position: Position) -> advice.Advice:
    advice_given = advice.advise("expert", position.observe(position.seat).bytes, 1)
    return msgspec.json.decode(advice_given, type=advice.Advice)


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_what_is_shown_was_tried_enough_and_leads_on(key: str, library_of: LibraryOf) -> None:
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


def test_the_first_search_of_a_process_is_the_shortest(library_of: LibraryOf) -> None:
    library_of("paris-connection")
    position = played("paris-connection", 3, 2, 60)
    encoded = advice.advise("expert", position.observe(position.seat).bytes, 1, 0, advice.PREPARING)
    (tried,) = msgspec.json.decode(encoded, type=advice.Advice).moves
    assert tried.games == 1


def test_a_search_that_gets_no_time_ends_and_still_tries_three_moves_enough(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the processor's time passes more slowly than that of the person who waits."""
    library_of("paris-connection")
    clock = chain([0.0, 0.0], repeat(advice.WALL_SECONDS + 1))
    monkeypatch.setattr(advice, "time", SimpleNamespace(monotonic=clock.__next__))
    advice_given = advised(played("paris-connection", 3, 2, 60))
    assert [move.games >= advice.BUDGET.min_visits for move in advice_given.moves] == [True] * advice.MAX_MOVES
    assert sum(move.games for move in advice_given.moves) < (advice.MAX_MOVES + 1) * advice.BUDGET.min_visits


def test_chances_are_drawn_towards_even_as_the_game_says(
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
def test_the_reasons_are_what_the_rules_say_the_line_does(key: str, library_of: LibraryOf) -> None:
    """In each game most moves of a line change something that can be said, and it is said in the words of events."""
    silent = total = 0
    library = library_of(key)
    budget, style = (Budget(60), SearchParams()) if library else (Budget(16), SearchParams(max_playout=6))
    for seed in range(4 if library else 2):
        position = played(key, 3, seed, 45)
        searcher = Searcher(position.setup, library=library)
        seen = position.observe(position.seat)
        thought = searcher.search(seen, seed, budget, style)
        line = best_line.read_line(searcher, seen, thought.move, seed)
        assert line == best_line.read_line(searcher, seen, thought.move, seed)
        silent += not (position.setup.game.advice_reasons(seen, line.own_events) or position.hint(thought.move))
        total += 1
    assert silent <= total // 2


@examples(2, 10)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120))
def test_a_line_knows_no_more_than_the_seat_knew(library_of: LibraryOf, seed: int, moves: int) -> None:
    """Truths that look the same to the seat, with other portfolios and another generator: one line."""
    position = played("paris-connection", 4, seed, moves)
    library = library_of("paris-connection")
    budget, style = (Budget(40), SearchParams()) if library else (Budget(8), SearchParams(max_playout=6))
    seen, lines = position.observe(position.seat), set()
    searcher = Searcher(position.setup, library=library)
    for truth in (position, *(seen.imagine(other) for other in range(3))):
        looked = truth.observe(position.seat)
        lines.add(best_line.read_line(searcher, looked, searcher.search(looked, 1, budget, style).move, 1))
    assert len(lines) == 1


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_table_of_trust_begins_at_the_start_and_never_falls(key: str) -> None:
    starts = [start for start, _ in game(key).calibration]
    parts = [shrinkage(game(key).calibration, start) for start in range(60)]
    assert starts == sorted(set(starts))
    assert starts[:1] in ([], [0])
    assert parts == sorted(parts)
    assert 0 < parts[0] <= parts[-1] <= 1


def test_the_fit_finds_how_far_chances_hold() -> None:
    """Players of whom trial games say too much at first, and the truth later."""
    chance, rows = random.Random(1), []
    for number in range(20_000):
        moves, estimate = chance.randrange(20), chance.random()
        truth = calibrated(((0, 0.3), (10, 0.9)), moves, 0.25, estimate)
        rows.append(Said(number, moves, 0.25, estimate, float(chance.random() < truth)))
    fit = fitted(rows)
    assert shrinkage(fit, 3) == pytest.approx(0.3, abs=0.05)
    assert shrinkage(fit, 19) == pytest.approx(0.9, abs=0.05)
    assert brier(rows, fit) < min(brier(rows, ()), brier(rows, ((0, 0.0),)))
