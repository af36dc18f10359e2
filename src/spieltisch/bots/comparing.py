"""Comparison of advised moves: from which sources a seat gets more points after one than after another.

The games after the moves take place in the same worlds, which the seat can imagine, so that few suffice.
"""

import time
from collections.abc import Sequence
from math import sqrt
from typing import Final

import msgspec

from spieltisch.bots.search import mcts
from spieltisch.bots.search.searcher import Searcher, SearchParams
from spieltisch.core.observation import Observation

CHUNK: Final = 20
"""The number of games after each move between two looks at the time."""
MAX_GAMES: Final = 160
"""The maximum number of games after each move."""
SECONDS: Final = 0.2
"""The time after which no more games are simulated."""
MIN_POINTS: Final = 0.75
"""The smallest difference that is shown, in points."""
SURE_ERRORS: Final = 2.5
"""The number of standard errors by which a difference must exceed 0: it is the largest of several."""
OTHERS: Final = -1
"""In place of a source: the points of the other seats, in the mean."""


class Difference(msgspec.Struct, frozen=True):
    """The points from a source, more or less than after another move."""

    source: int
    points: float

    @property
    def is_good(self) -> bool:
        """True if it is in the seat's favour: more points of its own, or fewer of the others."""
        return (self.points > 0) == (self.source != OTHERS)


def compare(
    searcher: Searcher,
    seen: Observation,
    moves: Sequence[int],
    seed: int,
    style: SearchParams,
    seconds: float = SECONDS,
) -> list[tuple[Difference, ...]]:
    """Return for each move the certain differences, the largest first: of the first one to the second, of others to it.

    There are none in a game that does not distinguish its points. This uses the searcher's memory,
    and simulates games for at most this many seconds.
    """
    end = time.monotonic() + seconds
    results: list[list[list[float]]] = [[] for _ in moves]
    while len(moves) > 1 and len(results[0]) < MAX_GAMES and time.monotonic() < end:
        world = seed + len(results[0])
        for move, games in zip(moves, results, strict=True):
            samples = searcher.samples(seen, move, world, style)
            games += [_points_by_source(searcher, seen, next(samples).points) for _ in range(CHUNK)]
    return [_differences(games, results[1 if at == 0 else 0]) for at, games in enumerate(results)] if results[0] else []


def _points_by_source(searcher: Searcher, seen: Observation, points: Sequence[float]) -> list[float]:
    """Return the seat's points by source, and those of the others, at the end of the game just simulated.

    Empty in a game that does not distinguish its points: those of the others alone would not say why a move is better.
    """
    setup, seat = seen.setup, seen.seat or 0
    by_source = setup.game.seat_sources(setup, searcher.memory.pool[mcts.PLAYOUT], seat)
    return [*map(float, by_source), (sum(points) - points[seat]) / (len(points) - 1)] if by_source else []


def _differences(games: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> tuple[Difference, ...]:
    """Return the certain differences of the first games to the others, the largest first.

    >>> _differences([[5.0, 1.0]] * 30, [[2.0, 1.0]] * 30)
    (Difference(source=0, points=3.0),)
    """
    found = []
    for source in range(len(games[0])):
        gaps = [game[source] - other[source] for game, other in zip(games, others, strict=False)]
        mean = sum(gaps) / len(gaps)
        error = sqrt(sum((gap - mean) ** 2 for gap in gaps)) / len(gaps)
        if abs(mean) >= max(MIN_POINTS, SURE_ERRORS * error):
            found.append(Difference(OTHERS if source == len(games[0]) - 1 else source, round(mean, 3)))
    return tuple(sorted(found, key=lambda difference: -abs(difference.points)))
