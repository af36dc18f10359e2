"""Provide positions after random moves, and a search small enough for tests."""

from __future__ import annotations

import spieltisch
from spieltisch.bots.search.searcher import SearchParams
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.position import Position

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
