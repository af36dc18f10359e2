"""The tally of a simulation. It grows with the number of bots, never with the number of games."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class Score:
    """The part of one bot, or of one place in turn order: its wins and its points in `games` games together.

    A win shared by n counts 1/n for each.
    """

    name: str
    games: int = 0
    wins: float = 0.0
    points: int = 0
    best: int | None = None
    worst: int | None = None

    def add(self, points: int, won: float) -> None:
        """Count one game."""
        self.games += 1
        self.wins += won
        self.points += points
        self.best = points if self.best is None else max(self.best, points)
        self.worst = points if self.worst is None else min(self.worst, points)

    @property
    def share(self) -> float:
        """The share of its games that it has won, from 0 to 1."""
        return self.wins / self.games if self.games else 0.0

    @property
    def mean(self) -> float:
        """Its mean points in a game."""
        return self.points / self.games if self.games else 0.0


@dataclass
class Tally:
    """The counts of the games played so far. `ended` counts the games by the rule that ended them.

    `turns` are the scores by place in turn order, without those who never moved.

    >>> tally = Tally.of(["easy", "random", "random"])
    >>> tally.add([30, 20, 30], winners=[0, 2], turns=[2, 3, 1], ended_by="P15", moves=140)
    >>> [score.wins for score in tally.scores], tally.share(0), tally.mean(1), tally.ended
    ([0.5, 0.0, 0.5], 0.5, 20.0, Counter({'P15': 1}))
    """

    scores: list[Score]
    turns: list[Score]
    games: int = 0
    moves: int = 0
    shortest: int = 0
    longest: int = 0
    ended: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, bots: Iterable[str]) -> "Tally":
        """Return an empty tally for these bots."""
        scores = [Score(name) for name in bots]
        return cls(scores, [Score(str(turn + 1)) for turn in range(len(scores))])

    def add(
        self, points: Sequence[int], winners: Sequence[int], turns: Sequence[int], ended_by: str, moves: int
    ) -> None:
        """Count one game: the fields of its `GameOutcome`."""
        for bot, score in enumerate(self.scores):
            won = 1 / len(winners) if bot in winners else 0.0
            score.add(points[bot], won)
            if turns[bot]:
                self.turns[turns[bot] - 1].add(points[bot], won)
        self.shortest = min(self.shortest, moves) if self.games else moves
        self.longest = max(self.longest, moves)
        self.games += 1
        self.moves += moves
        self.ended[ended_by] += 1

    def share(self, bot: int) -> float:
        """Return the share of the games that a bot has won, from 0 to 1."""
        return self.scores[bot].share

    def mean(self, bot: int) -> float:
        """Return a bot's mean points in a game."""
        return self.scores[bot].mean

    @property
    def moves_per_game(self) -> float:
        """The mean number of moves in a game."""
        return self.moves / self.games if self.games else 0.0
