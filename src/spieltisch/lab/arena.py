"""An arena: all bots against each other in pairs, until it is certain which of two is better.

In a duel two bots share a table, in every way in which they can have half of the seats each (a seat more or less where
the number is odd), in turn. Game 17 of every duel has the same seed, so that all meet the same deals. What is played,
and what is counted, depends on seed and bots alone: neither on the number of processes nor on where it was broken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import sqrt
from typing import Final, SupportsIndex

import msgspec

from spieltisch.bots import check
from spieltisch.core.arguments import require_int
from spieltisch.core.setup import Setup
from spieltisch.lab.batches import Batch, play_batch
from spieltisch.lab.parallel import IN_PROCESS, Parallel, map_in_order
from spieltisch.lab.result_rows import Row
from spieltisch.lab.simulation import MOST_GAMES

Z_SCORE: Final = 1.96
"""How many standard errors a share must be from one half to be clear."""

FEWEST: Final = 20
"""Games before a duel is called clear."""


class DuelScore(msgspec.Struct, frozen=True):
    """A duel as it stands: the share of wins of the first bot, and the interval it lies in with 95 % (Wilson, "Probable
    Inference", 1927).
    """

    one: str
    other: str
    games: int
    share: float
    low: float
    high: float

    @property
    def is_decided(self) -> bool:
        """Whether it is certain who is better."""
        return self.games >= FEWEST and not self.low <= 0.5 <= self.high


class RankingRow(msgspec.Struct, frozen=True):
    """A bot among all: its mean share of wins over its duels, with 95 % from `low` to `high` (the intervals of the
    duels put together as by Newcombe, 1998), and its rating, with 95 % within `doubt` of the truth (OpenSkill's
    Plackett-Luce; all begin at 25).
    """

    bot: str
    share: float
    low: float
    high: float
    rating: float
    doubt: float


def interval(won: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies with 95 %.

    >>> [round(end, 2) for end in interval(65, 100)]
    [0.55, 0.74]
    """
    if not games:
        return 0.0, 1.0
    share, z = won / games, Z_SCORE
    middle = share + z * z / (2 * games)
    span = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return (middle - span) / whole, (middle + span) / whole


def seatings(seats: int) -> list[tuple[int, ...]]:
    """The ways in which two bots, 0 and 1, share the seats, each followed by its opposite.

    >>> seatings(3)
    [(1, 0, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 1, 0)]
    """
    ones = combinations(range(seats), seats // 2)
    found = [tuple(int(seat in chosen) for seat in range(seats)) for chosen in ones]
    if seats % 2 == 0:
        found = [sitting for sitting in found if not sitting[0]]
    return [way for sitting in found for way in (sitting, tuple(1 - bot for bot in sitting))]


class Arena:
    """Duels of all pairs of these bots with one setup. `rows` holds what was played. Raises UnknownBot, ValueError."""

    def __init__(self, setup: Setup, bots: Sequence[str], seed: SupportsIndex) -> None:
        for name in bots:
            check(name)
        if len(set(bots)) != len(bots) or len(bots) < 2:
            raise ValueError("an arena needs two bots or more, each of them once")
        self.setup, self.bots, self.seed = setup, tuple(bots), require_int("seed", seed)
        self.rows: dict[tuple[str, int], tuple[Row, ...]] = {}
        self._duels = {f"{one} {other}": (one, other) for one, other in combinations(bots, 2)}

    def resume(self, games: Iterable[Sequence[Row]]) -> None:
        """Count games that were played before. Raises ValueError where they are not of this arena."""
        for rows in games:
            one = rows[0]
            wanted = (self.seed * MOST_GAMES + one.number, self.setup.options, self.setup.seats)
            if (one.seed, one.options, len(rows)) != wanted:
                raise ValueError(f"game {one.number} of {one.duel!r} was played with another seed, seats or options")
            self.add(rows)

    def add(self, rows: Sequence[Row]) -> None:
        """Count the rows of one game."""
        self.rows[rows[0].duel, rows[0].number] = tuple(rows)

    def games(self) -> list[tuple[Row, ...]]:
        """All that was played, in the order of duels and numbers."""
        return [rows for _, rows in sorted(self.rows.items())]

    def scores(self) -> list[DuelScore]:
        """All duels, in the order of the bots."""
        return [self._score(one, other) for one, other in self._duels.values()]

    def ranking(self) -> list[RankingRow]:
        """The bots, the best first."""
        ratings = self._ratings()
        found = []
        for name in self.bots:
            duels = [one if one.one == name else _turned(one) for one in self.scores() if name in (one.one, one.other)]
            share = sum(duel.share for duel in duels) / len(duels)
            low = share - sqrt(sum((duel.share - duel.low) ** 2 for duel in duels)) / len(duels)
            high = share + sqrt(sum((duel.high - duel.share) ** 2 for duel in duels)) / len(duels)
            found.append(RankingRow(name, share, low, high, *ratings[name]))
        return sorted(found, key=lambda one: -one.share)

    def play(self, games: SupportsIndex, cores: Parallel = IN_PROCESS) -> Iterator[int]:
        """Play up to so many games of each duel, as long as it is not clear; yields how many were played since the last
        time. Raises as `in_order` does, and BotFailed.
        """
        for piece, done in map_in_order(cores, play_batch, self._waiting(require_int("games", games))):
            if not self._score(
                *self._duels[piece.duel or ""]
            ).is_decided:  # else it was on its way when the duel became so
                self.add(done.rows[0])
                yield 1

    def _waiting(self, games: int) -> Iterator[Batch]:
        """The games that are still to be played, the duels taking turns."""
        ways = seatings(self.setup.seats)
        for number in range(1, games + 1):
            for duel, pair in self._duels.items():
                if (duel, number) not in self.rows and not self._score(*pair).is_decided:
                    sitting = ways[(number - 1) % len(ways)]
                    seed = self.seed * MOST_GAMES + number  # from which a simulation lets its bots move up
                    bots = tuple(pair[sitting[(bot + seed) % len(sitting)]] for bot in range(len(sitting)))
                    yield Batch(self.setup, bots, self.seed, number, duel=duel)

    def _score(self, one: str, other: str) -> DuelScore:
        """Counted up to the first game that is missing, so that what was broken off decides nothing."""
        won, number = 0.0, 0
        while (rows := self.rows.get((f"{one} {other}", number + 1))) is not None:
            number += 1
            won += sum(row.won for row in rows if row.bot == one)
        return DuelScore(one, other, number, won / number if number else 0.0, *interval(won, number))

    def _ratings(self) -> dict[str, tuple[float, float]]:
        """Rating and doubt of each bot: every seat counts as a player of its own, a bot is the mean of its seats."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        found = {name: model.rating() for name in self.bots}
        for _, rows in sorted(self.rows.items(), key=lambda item: item[0][::-1]):
            rated = model.rate([[found[row.bot]] for row in rows], ranks=[float(row.place) for row in rows])
            for name in {row.bot for row in rows}:
                its = [team[0] for team, row in zip(rated, rows, strict=True) if row.bot == name]
                mu, sigma = sum(one.mu for one in its) / len(its), sum(one.sigma for one in its) / len(its)
                found[name] = model.rating(mu=mu, sigma=sigma)
        return {name: (one.mu, Z_SCORE * one.sigma) for name, one in found.items()}


def _turned(score: DuelScore) -> DuelScore:
    return DuelScore(score.other, score.one, score.games, 1 - score.share, 1 - score.high, 1 - score.low)
