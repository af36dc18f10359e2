"""The speed of single calls, plain and compiled: a game played through `Position`, move by move.

    python -m bench.call_times era-of-inventions

Random moves are chosen from the list of legal ones and played; processor time of one thread counts, compiling does not.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import thread_time

import spieltisch

ROUNDS, GAMES = 5, 8
"""The number of rounds, and of games in each."""


def moves_a_second(key: str, *, compiled: bool) -> float:
    """Return the moves a second, as the median of some rounds of a few games each."""
    game = spieltisch.game(key, compiled=compiled)
    seats = min(game.seats[-1], 4)
    _play(game, seats, 0)
    rates = []
    for n in range(ROUNDS):
        start = thread_time()
        moves = sum(_play(game, seats, 1 + GAMES * n + g) for g in range(GAMES))
        rates.append(moves / (thread_time() - start))
    return median(rates)


def _play(game: spieltisch.Game, seats: int, seed: int) -> int:
    rng = random.Random(seed)
    position = game.start(seats, seed=seed)
    while not position.is_over:
        position.play(rng.choice(position.legal_moves))
    return position.number


if __name__ == "__main__":
    for key in sys.argv[1:]:
        plain, compiled = (moves_a_second(key, compiled=compiled) for compiled in (False, True))
        print(f"{key}: {plain:,.0f} moves a second plain, {compiled:,.0f} compiled")
