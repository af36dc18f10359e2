"""Check that a searching bot searches each turn once within one budget, with equal results for equal seeds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

import spieltisch
from spieltisch.bots import Turns, levels
from spieltisch.bots.search.searcher import Budget, Searcher
from spieltisch.bots.search.turn_search import TurnSearch, search_turn
from spieltisch.bots.turns import digest
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import SMALL, played
from tests.tiers import first_alone


def searcher_of(key: str, library_of: LibraryOf, threads: int = 1) -> Searcher:
    return Searcher(spieltisch.game(key).setup(3), 4000, library_of(key), threads)


@pytest.mark.parametrize("threads", first_alone(2, [1, 2], "build"))
@pytest.mark.parametrize("key", sorted(GAMES))
def test_all_searches_of_one_turn_share_one_budget(
    key: str, threads: int, library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent_budgets: list[int] = []
    simulate_before = Searcher.simulate

    def counts(searcher: Searcher, budget: Budget) -> None:
        assert budget.simulations is not None
        spent_budgets.append(budget.simulations)
        simulate_before(searcher, budget)

    monkeypatch.setattr(Searcher, "simulate", counts)
    budget = Budget(16, threads=threads)
    thinker, lengths = searcher_of(key, library_of, threads), set[int]()
    for seed in range(3):
        position = played(key, 3, seed, 25 * seed)
        seat, observation = position.seat, position.observe(position.seat)
        spent_budgets.clear()
        answer = search_turn(thinker, observation, seed, budget, SMALL)
        assert sum(spent_budgets) <= 16
        if len(position.legal_moves) > 1:
            assert sum(spent_budgets) >= 6
        assert search_turn(thinker, observation, seed, budget, SMALL) == answer, "whatever was searched before"
        lengths.add(len(answer))
        for move in answer:
            assert position.seat == seat
            if digest(position.observe(seat)) != move.expected:
                break  # something was revealed
            position.play(move.move)
    assert key != "paris-connection" or max(lengths) > 1


def test_a_bot_is_asked_only_once_in_a_turn_without_draws(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    library_of("paris-connection")
    position, turns, calls = spieltisch.game("paris-connection").start(3, seed=2), Turns(), list[tuple[int, int]]()
    for _ in range(24):
        seat = position.seat
        assert seat is not None

        def seed(seat: int = seat) -> int:
            calls.append((seat, position.number))
            return position.number

        position.play(turns.decide("medium", position.observe(seat), seed))
    assert len(calls) < position.number
    assert all(first != second for (first, _), (second, _) in pairwise(calls))


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_the_next_decision_of_a_turn_continues_the_search_tree(key: str, library_of: LibraryOf) -> None:
    for seed in range(2):
        position = played(key, 3, seed, 20)
        searcher = searcher_of(key, library_of)
        assert searcher.begin(position.observe(position.seat), 1, SMALL) == len(position.legal_moves)
        searcher.simulate(Budget(64))
        tried_moves = searcher.tried()
        move = max(tried_moves, key=lambda move: tried_moves[move])
        after = searcher.visits_after([move])
        result = position.play(move)
        if result.ended_decision or result.drew or not after:
            continue
        searcher.begin(position.observe(position.seat), 2, SMALL, after=move)
        assert {number: visits for number, (visits, _) in searcher.tried().items()} == after
        searcher.simulate(Budget(8))
        assert sum(visits for visits, _ in searcher.tried().values()) >= sum(after.values()) + 8


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_two_threads_share_one_search_tree(key: str, library_of: LibraryOf) -> None:
    """The threads run in a fixed order, so the tree is the same each time."""
    position, searcher = played(key, 3, 5, 20), searcher_of(key, library_of, 2)
    observation = position.observe(position.seat)

    def tree() -> list[tuple[int, ...]]:
        searcher.begin(observation, 1, SMALL)
        searcher.simulate(Budget(40, threads=2))
        nodes = searcher.memory.tree[: int(searcher.memory.settings.used)]
        for node in nodes:  # each result is backed up: the shares of the win add up to the visits
            assert sum(float(node.won[seat]) for seat in range(3)) == pytest.approx(int(node.visits))
        return [(int(node.move), int(node.visits), int(node.first), int(node.next)) for node in nodes]

    tree_once = tree()
    assert sum(visits for visits, _ in searcher.tried().values()) == tree_once[0][1] == 40
    assert tree() == tree_once


def test_a_thread_that_fails_ends_the_search(library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    position, searcher = played("paris-connection", 3, 5, 20), searcher_of("paris-connection", library_of, 2)
    searcher.begin(position.observe(position.seat), 1, SMALL)

    def fails(command: int, first_child: int, count: int) -> int:
        raise RuntimeError("it failed")

    monkeypatch.setattr(searcher, "_runs", [searcher._runs[0], fails])
    with pytest.raises(RuntimeError, match="it failed"):
        searcher.simulate(Budget(40, threads=2))


def test_the_expert_bot_searches_in_two_threads_for_at_most_a_second_and_a_half() -> None:
    expert = levels.LEVELS["expert"]
    assert expert.threads == 2
    assert expert.seconds is not None
    assert expert.seconds <= 1.4


def test_a_clear_decision_leaves_search_time_for_the_next_decisions(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One move has the whole prior probability, so that no other move can catch up."""
    position, spent_budgets = played("paris-connection", 3, 5, 20), list[int]()
    searcher, simulate_before = searcher_of("paris-connection", library_of), Searcher.simulate

    def counts(searcher: Searcher, budget: Budget) -> None:
        spent_budgets.append(budget.simulations or 0)
        simulate_before(searcher, budget)

    monkeypatch.setattr(Searcher, "simulate", counts)
    observation, sums = position.observe(position.seat), list[int]()
    for style in (SMALL, replace(SMALL, exploration=50.0, temperature=0.01)):
        spent_budgets.clear()
        TurnSearch(searcher, 1, Budget(200), style).next_move(observation.imagine(1), ())
        sums.append(sum(spent_budgets))
    assert sums[1] < 0.8 * sums[0]
