"""The tally of a simulation. It grows with the number of bots, never with the number of games."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class BotScore:
    """One bot's part: `wins` (a win shared by n counts 1/n for each), and its points in all games together."""

    name: str
    wins: float = 0.0
    points: int = 0
    best: int | None = None
    worst: int | None = None

    def add(self, points: int, won: float) -> None:
        """Count one game."""
        self.wins += won
        self.points += points
        self.best = points if self.best is None else max(self.best, points)
        self.worst = points if self.worst is None else min(self.worst, points)


@dataclass
class Tally:
    """The counts of the games played so far. `ended` counts the games by the rule that ended them.

    >>> tally = Tally.of(["easy", "random", "random"])
    >>> tally.add([30, 20, 30], winners=[0, 2], ended_by="P15", moves=140)
    >>> [score.wins for score in tally.scores], tally.share(0), tally.mean(1), tally.ended
    ([0.5, 0.0, 0.5], 0.5, 20.0, Counter({'P15': 1}))
    """

    scores: list[BotScore]
    games: int = 0
    moves: int = 0
    shortest: int = 0
    longest: int = 0
    ended: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, bots: Iterable[str]) -> "Tally":
        """Return an empty tally for these bots."""
        return cls([BotScore(name) for name in bots])

    def add(self, points: Sequence[int], winners: Sequence[int], ended_by: str, moves: int) -> None:
        """Count one game: the bots' points, the winners (by number), the rule that ended it, the number of moves."""
        for bot, score in enumerate(self.scores):
            score.add(points[bot], 1 / len(winners) if bot in winners else 0.0)
        self.shortest = min(self.shortest, moves) if self.games else moves
        self.longest = max(self.longest, moves)
        self.games += 1
        self.moves += moves
        self.ended[ended_by] += 1

    def share(self, bot: int) -> float:
        """Return the share of the games that a bot has won, from 0 to 1."""
        return self.scores[bot].wins / self.games if self.games else 0.0

    def mean(self, bot: int) -> float:
        """Return a bot's mean points in a game."""
        return self.scores[bot].points / self.games if self.games else 0.0

    @property
    def moves_per_game(self) -> float:
        """The mean number of moves in a game."""
        return self.moves / self.games if self.games else 0.0
