"""An arena: pairwise duels of bots until it is certain which of two is better.

In a duel two bots share a table, in turn in every seating in which each has half of the seats (one more or less if
their number is odd). Game 17 of every duel has the same seed, so that all pairs get the same deals. The games and the
count depend on seed and bots alone, neither on the number of processes nor on where a run was interrupted.
"""

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
from spieltisch.lab.simulation import MAX_GAMES, MAX_MOVES, MOVE_LIMIT

Z_SCORE: Final = 1.96
"""The number of standard errors by which a share must differ from one half to be decided."""

MIN_GAMES: Final = 20
"""The number of games before a duel can be decided."""


class DuelScore(msgspec.Struct, frozen=True):
    """The score of a duel: the first bot's share of wins, and its 95 % confidence interval.

    `stopped` of the games reached the maximum number of moves; all seats share the win of such a game. The interval is
    that of Wilson, "Probable Inference", 1927.
    """

    bot: str
    opponent: str
    games: int
    share: float
    low: float
    high: float
    stopped: int = 0

    @property
    def is_decided(self) -> bool:
        """True if it is certain which bot is better."""
        return self.games >= MIN_GAMES and not self.low <= 0.5 <= self.high


class RankingRow(msgspec.Struct, frozen=True):
    """A bot's place among all.

    - `share`: its mean share of wins over its duels
    - `low`, `high`: the 95 % confidence interval of the share, from the intervals of the duels (Newcombe, 1998)
    - `rating`: its rating (OpenSkill's Plackett-Luce; all start at 25)
    - `doubt`: half of the 95 % interval of the rating
    """

    bot: str
    share: float
    low: float
    high: float
    rating: float
    doubt: float


def interval(won: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the true share of wins, within [0, 1] (Wilson).

    >>> [round(end, 2) for end in interval(65, 100)]
    [0.55, 0.74]
    >>> min(interval(0, games)[0] for games in range(1, 60)), max(interval(games, games)[1] for games in range(1, 60))
    (0.0, 1.0)
    """
    if not games:
        return 0.0, 1.0
    share, z = won / games, Z_SCORE
    middle = share + z * z / (2 * games)
    span = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - span) / scale), min(1.0, (middle + span) / scale)  # rounding leaves [0, 1] otherwise


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Return the seatings in which two bots, 0 and 1, share the seats, each followed by its opposite.

    >>> seatings(3)
    [(1, 0, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 1, 0)]
    """
    chosen_seats = combinations(range(seats), seats // 2)
    sittings = [tuple(int(seat in seats_of_one) for seat in range(seats)) for seats_of_one in chosen_seats]
    if seats % 2 == 0:
        sittings = [sitting for sitting in sittings if not sitting[0]]
    return [seating for sitting in sittings for seating in (sitting, tuple(1 - bot for bot in sitting))]


class Arena:
    """The duels of all pairs of these bots with one setup. Raise UnknownBot, ValueError.

    With `pairs` there are only these duels, and none ends early: ratings must not depend on where a duel stopped. A
    game is stopped after `max_moves` moves. `rows` holds the games that were played.
    """

    def __init__(
        self,
        setup: Setup,
        bots: Sequence[str],
        seed: SupportsIndex,
        *,
        pairs: Sequence[tuple[str, str]] = (),
        max_moves: SupportsIndex = MAX_MOVES,
    ) -> None:
        for name in bots:
            check(name)
        if len(set(bots)) != len(bots) or len(bots) < 2:
            raise ValueError("an arena needs two bots or more, each of them once")
        self.setup, self.bots, self.seed = setup, tuple(bots), require_int("seed", seed)
        self.max_moves = require_int("max_moves", max_moves)
        self.rows: dict[tuple[str, int], tuple[Row, ...]] = {}
        self._duels = {f"{first} {second}": (first, second) for first, second in pairs or combinations(bots, 2)}
        self._may_end_early = not pairs

    def resume(self, games: Iterable[Sequence[Row]]) -> None:
        """Count games that were played before. Raise ValueError if they are not from this arena."""
        for rows in games:
            row = rows[0]
            setup = self.setup
            rules = (setup.game.key, setup.components.digest, setup.options, setup.seats)
            if (row.game, row.components, row.options, len(rows)) != rules or (
                row.seed != self.seed * MAX_GAMES + row.number
            ):
                raise ValueError(
                    f"game {row.number} of {row.duel!r} was played with another seed, setup or number of seats"
                )
            if row.moves > self.max_moves or (row.ended_by == MOVE_LIMIT and row.moves < self.max_moves):
                raise ValueError(f"game {row.number} of {row.duel!r} was played with another maximum number of moves")
            self.add(rows)

    def add(self, rows: Sequence[Row]) -> None:
        """Count the rows of one game."""
        self.rows[rows[0].duel, rows[0].number] = tuple(rows)

    def games(self) -> list[tuple[Row, ...]]:
        """Return all games that were played, in the order of duels and numbers."""
        return [rows for _, rows in sorted(self.rows.items())]

    def scores(self) -> list[DuelScore]:
        """Return the scores of all duels, in the order of the bots."""
        return [self._score(bot, opponent) for bot, opponent in self._duels.values()]

    def ranking(self) -> list[RankingRow]:
        """Return the ranking of the bots, best first."""
        ratings = self._ratings()
        ranking = []
        for name in self.bots:
            scores = [score for score in self.scores() if name in (score.bot, score.opponent)]
            duels = [score if score.bot == name else _swap_sides(score) for score in scores]
            share = sum(duel.share for duel in duels) / len(duels)
            low = share - sqrt(sum((duel.share - duel.low) ** 2 for duel in duels)) / len(duels)
            high = share + sqrt(sum((duel.high - duel.share) ** 2 for duel in duels)) / len(duels)
            ranking.append(RankingRow(name, share, low, high, *ratings[name]))
        return sorted(ranking, key=lambda row: -row.share)

    def play(self, games: SupportsIndex, cores: Parallel = IN_PROCESS) -> Iterator[int]:
        """Play up to `games` games of each duel until it is decided; yield the number played since the last time.

        Raise whatever `map_in_order` raises, and BotFailed.
        """
        for piece, done in map_in_order(cores, play_batch, self._missing_games(require_int("games", games))):
            # The game may still have been in progress when its duel was decided: then it does not count.
            if not self._has_ended(self._duels[piece.duel or ""]):
                self.add(done.rows[0])
                yield 1

    def _missing_games(self, games: int) -> Iterator[Batch]:
        """Yield the games that have not been played yet, alternating between the duels."""
        sittings = seatings(self.setup.seats)
        for number in range(1, games + 1):
            for duel, pair in self._duels.items():
                if (duel, number) not in self.rows and not self._has_ended(pair):
                    sitting = sittings[(number - 1) % len(sittings)]
                    seed = self.seed * MAX_GAMES + number  # a simulation rotates its bots by the seed
                    bots = tuple(pair[sitting[(bot + seed) % len(sitting)]] for bot in range(len(sitting)))
                    yield Batch(self.setup, bots, self.seed, number, duel=duel, max_moves=self.max_moves)

    def _has_ended(self, pair: tuple[str, str]) -> bool:
        return self._may_end_early and self._score(*pair).is_decided

    def _score(self, bot: str, opponent: str) -> DuelScore:
        """Count a duel up to the first missing game, so that an interrupted run decides nothing."""
        won, number, stopped = 0.0, 0, 0
        while (rows := self.rows.get((f"{bot} {opponent}", number + 1))) is not None:
            number += 1
            won += sum(row.won for row in rows if row.bot == bot)
            stopped += rows[0].ended_by == MOVE_LIMIT
        return DuelScore(bot, opponent, number, won / number if number else 0.0, *interval(won, number), stopped)

    def _ratings(self) -> dict[str, tuple[float, float]]:
        """Return each bot's rating and its margin; every seat is a player, and a bot is the mean of its seats."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        ratings = {name: model.rating() for name in self.bots}
        for _, rows in sorted(self.rows.items(), key=lambda item: item[0][::-1]):
            rated = model.rate([[ratings[row.bot]] for row in rows], ranks=[float(row.place) for row in rows])
            for name in {row.bot for row in rows}:
                own = [team[0] for team, row in zip(rated, rows, strict=True) if row.bot == name]
                mu, sigma = sum(r.mu for r in own) / len(own), sum(r.sigma for r in own) / len(own)
                ratings[name] = model.rating(mu=mu, sigma=sigma)
        return {name: (rating.mu, Z_SCORE * rating.sigma) for name, rating in ratings.items()}


def _swap_sides(score: DuelScore) -> DuelScore:
    return DuelScore(score.opponent, score.bot, score.games, 1 - score.share, 1 - score.high, 1 - score.low)
