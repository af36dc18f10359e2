"""A bot that searches searches each of its turns once: within one budget, and alike for equal seeds."""

from __future__ import annotations

from itertools import pairwise

import pytest

import spieltisch
from spieltisch.bots import Turns, levels
from spieltisch.bots.search.searcher import Budget, Searcher
from spieltisch.bots.search.turn_search import search_turn
from spieltisch.bots.turns import digest
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf
from tests.bots.test_search import SMALL, played


def searchers(key: str, library_of: LibraryOf, count: int) -> list[Searcher]:
    setup = spieltisch.game(key).setup(3)
    return [Searcher(setup, 4000, library_of(key)) for _ in range(count)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_turn_is_searched_within_one_budget(
    key: str, threads: int, library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[int] = []
    real = Searcher.simulate

    def counts(searcher: Searcher, simulations: int | None, seconds: float | None) -> None:
        assert simulations is not None
        spent.append(simulations)
        real(searcher, simulations, seconds)

    monkeypatch.setattr(Searcher, "simulate", counts)
    budget = Budget(16, threads=threads)
    made, lengths = searchers(key, library_of, threads), set[int]()
    for seed in range(3):
        position = played(key, 3, seed, 25 * seed)
        seat, seen = position.seat, position.observe(position.seat)
        spent.clear()
        answer = search_turn(made, seen, seed, budget, SMALL)
        assert sum(spent) <= 16
        if len(position.legal_moves) > 1:
            assert sum(spent) >= 6
        assert search_turn(made, seen, seed, budget, SMALL) == answer, "whatever was searched before"
        lengths.add(len(answer))
        for move in answer:
            assert position.seat == seat
            if digest(position.observe(seat)) != move.expected:
                break  # something was revealed
            position.play(move.move)
    assert key != "paris-connection" or max(lengths) > 1


def test_a_bot_is_asked_once_a_turn(library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Paris Connection nothing is drawn or revealed in a turn that builds."""
    library_of("paris-connection")
    position, turns, asked = spieltisch.game("paris-connection").start(3, seed=2), Turns(), list[tuple[int, int]]()
    for _ in range(24):
        seat = position.seat
        assert seat is not None

        def seed(seat: int = seat) -> int:
            asked.append((seat, position.number))
            return position.number

        position.play(turns.decide("engineer", position.observe(seat), seed))
    assert len(asked) < position.number
    assert all(one != other for (one, _), (other, _) in pairwise(asked))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_next_decision_of_a_turn_keeps_its_tree(key: str, library_of: LibraryOf) -> None:
    for seed in range(3):
        position = played(key, 3, seed, 20)
        (searcher,) = searchers(key, library_of, 1)
        assert searcher.begin(position.observe(position.seat), 1, SMALL) == len(position.legal_moves)
        searcher.simulate(64, None)
        tried = searcher.tried()
        move = max(tried, key=lambda move: tried[move])
        after = searcher.visits_after([move])
        result = position.play(move)
        if result.ended_decision or result.drew or not after:
            continue
        searcher.begin(position.observe(position.seat), 2, SMALL, after=move)
        assert {number: visits for number, (visits, _) in searcher.tried().items()} == after
        searcher.simulate(8, None)
        assert sum(visits for visits, _ in searcher.tried().values()) >= sum(after.values()) + 8


def test_a_master_thinks_in_two_threads_for_at_most_a_second_and_a_half() -> None:
    master = levels.LEVELS["master"]
    assert master.threads == 2
    assert master.seconds is not None
    assert master.seconds <= 1.4
