"""Check that a search plays legal moves from the seat's knowledge alone, and equally plain and compiled."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.bots import BOTS, choose, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import CLOCK_INTERVAL, PRIOR, Budget, Searcher, SearchParams, SearchResult
from spieltisch.core.chance import Rng
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import SMALL, played
from tests.tiers import examples, first_alone


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_plain_and_compiled_searches_give_the_same_result(key: str) -> None:
    built_library = native_library.load(native_library.build(key))
    for seed in range(4):
        position = played(key, 3, seed, 30 * seed)
        observation = position.observe(position.seat)
        plain_searcher, compiled = Searcher(position.setup, 4000), Searcher(position.setup, 4000, built_library)
        halved = SearchParams(max_playout=30, halving_moves=5)
        for number, style in enumerate(
            (
                SMALL,
                SearchParams(max_playout=30, sampled_share=0.2),
                SearchParams(max_playout=0, exploration=2.0),
                halved,
            )
        ):
            first, second = (
                searcher.search(observation, number, Budget(12), style) for searcher in (plain_searcher, compiled)
            )
            assert [(c.move, c.visits) for c in first.candidates] == [(c.move, c.visits) for c in second.candidates]
            for candidate, other_candidate in zip(first.candidates, second.candidates, strict=True):
                assert candidate.results == pytest.approx(other_candidate.results)
                assert candidate.points == pytest.approx(other_candidate.points)
            assert plain_searcher.glance(observation, number, 30) == compiled.glance(observation, number, 30)


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_a_search_reports_every_legal_move_with_its_visits(key: str, library_of: LibraryOf) -> None:
    position = played(key, 4, 7, 40)
    library = library_of(key)
    search_result = Searcher(position.setup, library=library).search(
        position.observe(position.seat), 1, Budget(64), SearchParams() if library else SMALL
    )
    assert sorted(candidate.move for candidate in search_result.candidates) == list(position.legal_moves.numbers)
    assert sum(candidate.visits for candidate in search_result.candidates) == search_result.simulations >= 64
    assert sum(candidate.prior for candidate in search_result.candidates) == pytest.approx(1)
    for candidate in search_result.candidates:
        assert candidate.visits == 0 or sum(candidate.results) == pytest.approx(1)
        assert len(candidate.points) == (4 if candidate.visits else 0)


@examples(10, 25)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), level=st.sampled_from(sorted(BOTS)))
def test_hidden_information_does_not_change_a_search(library_of: LibraryOf, seed: int, moves: int, level: str) -> None:
    """Compare positions that look the same to the seat but differ in hidden portfolios and in the generator."""
    library_of("paris-connection")
    position = played("paris-connection", 4, seed, moves)
    observation = position.observe(position.seat)
    truths = [observation.imagine(other) for other in range(3)]
    answers = set()
    for world in truths:
        assert world.observe(position.seat).bytes == observation.bytes
        answers.add(think(level, world, seed))
    assert len(answers) == 1


def think(level: str, position: Position, seed: int) -> str:
    if level in levels.LEVELS:
        return str(levels.answer_as_level(level, position.observe(position.seat), seed, Budget(24)))
    return choose(level, position.observe(position.seat).bytes, seed)


def test_imagined_positions_look_the_same_to_the_player_and_keep_all_pieces() -> None:
    for seed in range(30):
        position = played("paris-connection", 5, seed, 12 * seed % 140)
        observation = position.observe(position.seat)
        before = observation.imagine(seed)
        state, chance, params = before.state, Rng(seed), position.setup.plain_params
        reshuffle = position.setup.game.engine.reshuffle
        reshuffle(state, params, chance, position.seat, 400)
        after = Position.of_twin(position.setup, state, position.number)
        assert after.observe(position.seat).bytes == observation.bytes
        assert after.setup.game.totals(after) == before.setup.game.totals(before)
        for player in state.players[:5]:
            for k in range(6):
                assert player.shares[k] - player.taken[k] + player.given[k] >= player.owed[k]


def test_equal_seeds_give_equal_moves(library_of: LibraryOf) -> None:
    library = library_of("era-of-inventions")
    position = played("era-of-inventions", 3, 5, 33)
    observation = position.observe(position.seat)

    def search_position(seed: int) -> SearchResult:
        return Searcher(position.setup, library=library).search(observation, seed, Budget(40), SMALL)

    assert search_position(3) == search_position(3) != search_position(4)


def test_every_reported_move_has_the_minimum_of_visits(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 4, 5, 33)
    budget = Budget(16, report_moves=3, min_visits=20)
    search_result = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, budget, SMALL
    )
    assert all(candidate.visits >= 20 for candidate in search_result.candidates[:3])
    assert sum(candidate.visits for candidate in search_result.candidates) == search_result.simulations


def test_a_search_ends_when_a_stop_is_requested(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 3, 5, 33)
    answers = iter([False] * 3 + [True] * 100)
    search_result = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, Budget(10**9), SMALL, lambda: next(answers)
    )
    assert search_result.simulations == 3 * CLOCK_INTERVAL


@pytest.mark.parametrize("key", first_alone("era-of-inventions", sorted(GAMES), "build"))
def test_trial_games_are_divided_by_successive_halving(key: str, library_of: LibraryOf) -> None:
    """Eight likely moves share a third of the trial games, the best four the second third, the best two the last."""
    positions = (played(key, 4, seed, 50) for seed in range(40))
    position = next(position for position in positions if len(position.legal_moves) > 8)
    searcher, observation = Searcher(position.setup, library=library_of(key)), position.observe(position.seat)
    search_result = searcher.search(observation, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    assert [candidate.visits for candidate in search_result.candidates] == [21, 21, 9, 9, 3, 3, 3, 3] + [0] * (
        len(search_result.candidates) - 8
    )
    assert search_result.simulations == 72
    tried_candidates = search_result.candidates[:8]
    assert min(candidate.prior for candidate in tried_candidates) >= max(
        candidate.prior for candidate in search_result.candidates[8:]
    )
    own_results = [candidate.results[position.seat or 0] for candidate in tried_candidates]
    assert own_results[0] >= own_results[1] - 1e-9 - PRIOR * log(tried_candidates[0].prior / tried_candidates[1].prior)
    assert search_result == searcher.search(observation, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    few_visits = searcher.search(observation, 1, Budget(5), SearchParams(max_playout=12, halving_moves=8))
    assert few_visits.simulations == sum(candidate.visits for candidate in few_visits.candidates) == 5
    assert few_visits.candidates[0].visits


def test_only_the_seat_to_move_can_search() -> None:
    position = played("paris-connection", 3, 1, 0)
    assert position.seat is not None
    other_seat = (position.seat + 1) % 3
    with pytest.raises(ValueError, match="whose turn"):
        Searcher(position.setup, 100).search(position.observe(other_seat), 1, Budget(4), SMALL)
