"""The search plays only legal moves, uses only what its seat knows, and does the same plain and compiled."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.bots import BOTS, choose, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import CLOCK_INTERVAL, PRIOR, Budget, Searcher, SearchParams, SearchResult
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf
from tests.tiers import examples, first_alone

SMALL = SearchParams(sampled_share=0.5, max_playout=6)


def played(key: str, seats: int, seed: int, moves: int) -> Position:
    """Return a position after this number of random moves, or fewer if the game would be over."""
    position, chance = spieltisch.game(key).start(seats, seed=seed), Rng(seed)
    for _ in range(moves):
        before = position.copy()
        numbers = position.legal_moves.numbers
        position.play(numbers[randbelow(chance, len(numbers))])
        if position.is_over:
            return before
    return position


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_plain_and_library_think_the_same(key: str) -> None:
    built = native_library.load(native_library.build(key))
    for seed in range(4):
        position = played(key, 3, seed, 30 * seed)
        seen = position.observe(position.seat)
        plain, compiled = Searcher(position.setup, 4000), Searcher(position.setup, 4000, built)
        halved = SearchParams(max_playout=30, halving_moves=5)
        for number, style in enumerate(
            (
                SMALL,
                SearchParams(max_playout=30, sampled_share=0.2),
                SearchParams(max_playout=0, exploration=2.0),
                halved,
            )
        ):
            first, second = (searcher.search(seen, number, Budget(12), style) for searcher in (plain, compiled))
            assert [(c.move, c.visits) for c in first.candidates] == [(c.move, c.visits) for c in second.candidates]
            for candidate, other in zip(first.candidates, second.candidates, strict=True):
                assert candidate.results == pytest.approx(other.results)
                assert candidate.points == pytest.approx(other.points)
            assert plain.glance(seen, number, 30) == compiled.glance(seen, number, 30)


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_a_thought_is_whole(key: str, library_of: LibraryOf) -> None:
    position = played(key, 4, 7, 40)
    library = library_of(key)
    thought = Searcher(position.setup, library=library).search(
        position.observe(position.seat), 1, Budget(64), SearchParams() if library else SMALL
    )
    assert sorted(candidate.move for candidate in thought.candidates) == list(position.legal_moves.numbers)
    assert sum(candidate.visits for candidate in thought.candidates) == thought.simulations >= 64
    assert sum(candidate.prior for candidate in thought.candidates) == pytest.approx(1)
    for candidate in thought.candidates:
        assert candidate.visits == 0 or sum(candidate.results) == pytest.approx(1)
        assert len(candidate.points) == (4 if candidate.visits else 0)


@examples(10, 25)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), level=st.sampled_from(sorted(BOTS)))
def test_what_a_seat_cannot_know_changes_nothing(library_of: LibraryOf, seed: int, moves: int, level: str) -> None:
    """Truths that look the same to the seat: portfolios dealt otherwise, and another generator."""
    library_of("paris-connection")
    position = played("paris-connection", 4, seed, moves)
    seen = position.observe(position.seat)
    truths = [seen.imagine(other) for other in range(3)]
    answers = set()
    for truth in truths:
        assert truth.observe(position.seat).bytes == seen.bytes
        answers.add(think(level, truth, seed))
    assert len(answers) == 1


def think(level: str, position: Position, seed: int) -> str:
    if level in levels.LEVELS:
        return str(levels.answer_as_level(level, position.observe(position.seat), seed, Budget(24)))
    return choose(level, position.observe(position.seat).bytes, seed)


def test_worlds_that_are_imagined_fit() -> None:
    """Reshuffling keeps what the viewer sees, whatever was traded, and the number of locomotives of all."""
    for seed in range(30):
        position = played("paris-connection", 5, seed, 12 * seed % 140)
        seen = position.observe(position.seat)
        before = seen.imagine(seed)
        state, chance, params = before.state, Rng(seed), position.setup.plain_params
        reshuffle = position.setup.game.engine.reshuffle
        reshuffle(state, params, chance, position.seat, 400)
        after = Position.of_twin(position.setup, state, position.number)
        assert after.observe(position.seat).bytes == seen.bytes
        assert after.setup.game.totals(after) == before.setup.game.totals(before)
        for player in state.players[:5]:
            for k in range(6):
                assert player.shares[k] - player.taken[k] + player.given[k] >= player.owed[k]


def test_equal_seeds_give_equal_moves(library_of: LibraryOf) -> None:
    library = library_of("era-of-inventions")
    position = played("era-of-inventions", 3, 5, 33)
    seen = position.observe(position.seat)

    def thought(seed: int) -> SearchResult:
        return Searcher(position.setup, library=library).search(seen, seed, Budget(40), SMALL)

    assert thought(3) == thought(3) != thought(4)


def test_what_is_shown_was_tried_enough(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 4, 5, 33)
    budget = Budget(16, report_moves=3, min_visits=20)
    thought = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, budget, SMALL
    )
    assert all(candidate.visits >= 20 for candidate in thought.candidates[:3])
    assert sum(candidate.visits for candidate in thought.candidates) == thought.simulations


def test_who_asks_to_stop_is_heard(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 3, 5, 33)
    answers = iter([False] * 3 + [True] * 100)
    thought = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, Budget(10**9), SMALL, lambda: next(answers)
    )
    assert thought.simulations == 3 * CLOCK_INTERVAL


@pytest.mark.parametrize("key", first_alone("era-of-inventions", sorted(GAMES), "build"))
def test_moves_share_trial_games_by_halves(key: str, library_of: LibraryOf) -> None:
    """Eight likely moves at first, then four, then two: no other is tried, and each round has a third of all."""
    positions = (played(key, 4, seed, 50) for seed in range(40))
    position = next(position for position in positions if len(position.legal_moves) > 8)
    searcher, seen = Searcher(position.setup, library=library_of(key)), position.observe(position.seat)
    thought = searcher.search(seen, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    assert [candidate.visits for candidate in thought.candidates] == [21, 21, 9, 9, 3, 3, 3, 3] + [0] * (
        len(thought.candidates) - 8
    )
    assert thought.simulations == 72
    tried = thought.candidates[:8]
    assert min(candidate.prior for candidate in tried) >= max(candidate.prior for candidate in thought.candidates[8:])
    own = [candidate.results[position.seat or 0] for candidate in tried]
    assert own[0] >= own[1] - 1e-9 - PRIOR * log(tried[0].prior / tried[1].prior)
    assert thought == searcher.search(seen, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    few = searcher.search(seen, 1, Budget(5), SearchParams(max_playout=12, halving_moves=8))
    assert few.simulations == sum(candidate.visits for candidate in few.candidates) == 5
    assert few.candidates[0].visits


def test_only_the_seat_that_decides_thinks() -> None:
    position = played("paris-connection", 3, 1, 0)
    assert position.seat is not None
    other = (position.seat + 1) % 3
    with pytest.raises(ValueError, match="whose turn"):
        Searcher(position.setup, 100).search(position.observe(other), 1, Budget(4), SMALL)
