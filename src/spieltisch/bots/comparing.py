"""Comparison of advised moves: from which sources a seat gets more points after one than after another.

The games after the moves take place in the same worlds, which the seat can imagine, so that few suffice.
"""

import time
from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

import msgspec

from spieltisch.bots.search import mcts
from spieltisch.bots.search.searcher import Sample, Searcher, SearchParams
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
EQUAL_SHARE: Final = 0.02
"""Two moves are equal if the shares of the games that they win certainly differ by less than this."""
EQUAL_POINTS: Final = 0.5
"""Two moves are equal if the leads in points after them certainly differ by less than this."""
LEAST_ERROR: Final = 0.5
"""The standard error of a share of games is at least this, divided by their number."""
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


class Mean(msgspec.Struct, frozen=True):
    """The mean of what a move brings more than another one, in games in the same worlds, and its standard error."""

    mean: float
    error: float

    @property
    def is_sure(self) -> bool:
        """True if it is certainly not 0."""
        return self.error < abs(self.mean) / SURE_ERRORS

    def is_within(self, bound: float) -> bool:
        """Return True if it is certainly smaller than a bound, in both directions."""
        return abs(self.mean) + SURE_ERRORS * self.error < bound

    def joined(self, other: "Mean") -> "Mean":
        """Return the mean of two independent measurements, each weighted by its certainty.

        >>> Mean(0.1, 0.05).joined(Mean(0.2, 0.05)).is_sure
        True
        """
        weights = self.error**-2, other.error**-2
        mean = (weights[0] * self.mean + weights[1] * other.mean) / sum(weights)
        return Mean(mean, sum(weights) ** -0.5)


class Comparison(msgspec.Struct, frozen=True):
    """A move compared with another one.

    - `differences`: the certain differences by source of points, the largest first
    - `won`: the share of the games that the seat wins more often; None if only the differences are known
    - `lead`: the points by which it is further ahead of the mean of the others; None like `won`
    """

    differences: tuple[Difference, ...]
    won: Mean | None = None
    lead: Mean | None = None

    @property
    def is_equal(self) -> bool:
        """True if the two are certainly worth the same."""
        if self.won is None or self.lead is None:
            return False
        return self.won.is_within(EQUAL_SHARE) and self.lead.is_within(EQUAL_POINTS)


def compare(
    searcher: Searcher,
    seen: Observation,
    moves: Sequence[int],
    seed: int,
    style: SearchParams,
    seconds: float = SECONDS,
    max_games: int = MAX_GAMES,
) -> list[Comparison]:
    """Return for each move how it compares: the first one with the second, others with the first.

    There are no differences in a game that does not distinguish its points. This uses the searcher's memory,
    and simulates games for at most this many seconds.
    """
    end = time.monotonic() + seconds
    results: list[list[_Result]] = [[] for _ in moves]
    while len(moves) > 1 and len(results[0]) < max_games and time.monotonic() < end:
        world = seed + len(results[0])
        for move, games in zip(moves, results, strict=True):
            samples = searcher.samples(seen, move, world, style)
            games += [_result(searcher, seen, next(samples)) for _ in range(CHUNK)]
    return [_compare(games, results[1 if at == 0 else 0]) for at, games in enumerate(results)] if results[0] else []


class _Result(NamedTuple):
    """The result of a game for a seat: its share of the win, its lead, and the points by source."""

    won: float
    lead: float
    by_source: list[float]


def _result(searcher: Searcher, seen: Observation, sample: Sample) -> _Result:
    """Return the result of the game just simulated."""
    seat, points = seen.seat or 0, sample.points
    lead = points[seat] - (sum(points) - points[seat]) / (len(points) - 1)
    return _Result(sample.won[seat], lead, _points_by_source(searcher, seen, points))


def _compare(games: Sequence[_Result], others: Sequence[_Result]) -> Comparison:
    """Compare the games after a move with those after another one."""
    pairs = list(zip(games, others, strict=True))
    won = _mean([game.won - other.won for game, other in pairs])
    return Comparison(
        _differences([game.by_source for game in games], [other.by_source for other in others]),
        # A few games that all ended alike are not certain.
        msgspec.structs.replace(won, error=max(won.error, LEAST_ERROR / len(pairs))),
        _mean([game.lead - other.lead for game, other in pairs]),
    )


def _mean(gaps: Sequence[float]) -> Mean:
    mean = sum(gaps) / len(gaps)
    return Mean(mean, sqrt(sum((gap - mean) ** 2 for gap in gaps)) / len(gaps))


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
        gap = _mean([game[source] - other[source] for game, other in zip(games, others, strict=False)])
        if abs(gap.mean) >= max(MIN_POINTS, SURE_ERRORS * gap.error):
            found.append(Difference(OTHERS if source == len(games[0]) - 1 else source, round(gap.mean, 3)))
    return tuple(sorted(found, key=lambda difference: -abs(difference.points)))
