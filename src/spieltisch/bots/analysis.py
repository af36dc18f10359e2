"""The analysis of a game: its judged turns, what they cost, and what they say about the players.

`spieltisch.bots.judging` judges the turns.
"""

from itertools import pairwise
from math import exp, sqrt
from typing import Final, NamedTuple

import msgspec

SIGNIFICANCE: Final = 2.0
"""The number of standard errors from which a difference counts; luck alone causes it once in forty times."""
TURNING_POINTS: Final = 5
"""The number of turning points that are reported at most."""
MISTAKES: Final = ((0.12, "??"), (0.06, "?"), (0.03, "?!"))
"""The marks of turns by what they cost."""
ONLY_MOVE: Final = "!"
"""The mark of the only turn that holds."""
SCHEME: Final = 2
"""The kind of these analyses; stored ones of an earlier kind are computed again."""

ACCURACY_MIDDLE: Final = 0.018
"""The mean loss of an accuracy of one half."""
ACCURACY_SPREAD: Final = 0.011
"""The change of the mean loss that changes the odds of the accuracy by the factor e.

Both fit games of known levels: from the weakest level to the strongest the accuracy grows in steps (bench/NOTES.md).
"""
NOISE: Final = 1.2
"""The number of standard errors up to which a loss or gain is taken for none in the mean of a player's losses."""
MIN_TURNS: Final = 6
"""The number of turns that count from which a player is compared with the levels."""
PLAYED_LIKE: Final = (
    (0.0284, "random"),
    (0.0162, "beginner"),
    (0.0114, "easy"),
    (0.0051, "medium"),
    (-0.0066, "hard"),
)
"""The mean loss from which a player played like a level; with less, like an expert, who may see more than the search.

These are the means over the three games of the best thresholds between neighbours (bench/NOTES.md).
"""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A judged turn.

    - `number`, `last`: the numbers of its first and last move, from 1
    - `seat`, `moves`: the seat that decided, and the texts of its moves
    - `won`, `doubt`: for each seat the share of the simulated games after the turn that it won, and its standard error
    - `best_moves`: the moves of the best turn; `best_won`, `best_points`: the share and the points of the seat after it
    - `loss`, `loss_doubt`: how much better the result of the best turn is, and its standard error; by luck it can be
      negative
    - `counts`: False if there was one sensible move or the game was decided
    - `is_only`: True if the turn was the only one that holds
    - `games`: the number of simulated games behind each of these figures
    - `before`, `after`: each seat's mean points after the best turn and after the one that was played
    - `line`, `seed`: for a turn that cost something, how the best one would have continued, in the world that its seat
      imagines with this seed

    Without a move it is no decision, but how the position stands for the seat, from what it knows, after the move with
    this number.
    """

    number: int
    seat: int
    won: tuple[float, ...]
    doubt: tuple[float, ...]
    last: int = 0
    moves: tuple[str, ...] = ()
    best_moves: tuple[str, ...] = ()
    best_won: float = 0.0
    best_points: float = 0.0
    loss: float = 0.0
    loss_doubt: float = 0.0
    counts: bool = True
    is_only: bool = False
    games: int = 0
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    line: tuple[str, ...] = ()
    seed: int = 0

    @property
    def cost(self) -> float:
        """The loss; 0 if it is not significant (`SIGNIFICANCE`)."""
        return self.loss if self.counts and self.loss > SIGNIFICANCE * self.loss_doubt else 0.0

    @property
    def mark(self) -> str:
        """The mark of the turn, as in a game of chess: ?!, ?, ?? or !; "" without one."""
        if self.is_only:
            return ONLY_MOVE
        return next((mark for least, mark in MISTAKES if self.cost >= least), "")

    @property
    def marked(self) -> int:
        """The number of the move that is marked: the first that is not one of the best turn, else the first."""
        spare = [*self.best_moves]
        for number, move in enumerate(self.moves, self.number):
            if move not in spare:
                return number
            spare.remove(move)
        return self.number


class Accuracy(NamedTuple):
    """The accuracy of a seat.

    - `turns`: the number of its turns that count
    - `mean`, `doubt`: the mean of their losses, where one of little more than its error is none (`NOISE`), and its
      standard error
    - `without_mistake`: the number of turns that cost nothing significant
    - `level`: the level of the bots that lose as much; "" after too few turns
    """

    turns: int
    mean: float
    doubt: float
    without_mistake: int
    level: str

    @property
    def share(self) -> float:
        """The accuracy from 0 to 1."""
        return accuracy_of(self.mean)


class Luck(NamedTuple):
    """The luck of a seat.

    - `draws`: the number of stretches between two decisions in which something was drawn
    - `points`: what the draws were worth to the seat, in points, compared with the mean of all possible draws
    - `doubt`: the standard error of `points`
    """

    draws: int
    points: float
    doubt: float


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a game.

    - `moves`: the number of moves
    - `won`: each seat's share of the win
    - `decisions`: the judged decisions
    - `points`: the final points
    - `drew`: the numbers of the moves that drew something
    - `scheme`: the kind of analysis (`SCHEME`)

    A game in progress is analysed for one `seat`, from what it knew: its own decisions, and how the position stood for
    it at the beginning and after all other moves; there is no end yet.
    """

    moves: int
    won: tuple[float, ...]
    decisions: tuple[JudgedDecision, ...]
    points: tuple[int, ...] = ()
    drew: tuple[int, ...] = ()
    seat: int | None = None
    scheme: int = 0

    def luck(self, seat: int) -> Luck | None:
        """Return what draws were worth to a seat, or None if nothing was drawn.

        Simulated games after a move draw again, so their points are the mean of everything possible; at the next
        decision they start from the actual draws. Between decisions without a draw only the error of the simulated
        games differs, which shows the size of that error.
        """
        drawn: list[float] = []
        undrawn: list[float] = []
        for decision, following in pairwise((*self.decisions, None)):
            if decision is None or not decision.after or not self.points:
                return None
            points_then = following.before if following is not None else self.points
            end = following.number if following is not None else self.moves + 1
            has_drawn = any(decision.last <= number < end for number in self.drew)
            (drawn if has_drawn else undrawn).append(points_then[seat] - decision.after[seat])
        if not drawn:
            return None
        spread = sqrt(sum(difference**2 for difference in undrawn) / max(1, len(undrawn)))
        return Luck(len(drawn), sum(drawn), spread * sqrt(len(drawn)))

    def turning_points(self) -> tuple[JudgedDecision, ...]:
        """Return the costliest moves, the costliest first."""
        costly = [decision for decision in self.decisions if decision.cost]
        return tuple(sorted(costly, key=lambda decision: (-decision.cost, decision.number))[:TURNING_POINTS])

    def costliest(self, seat: int) -> JudgedDecision | None:
        """Return the costliest turn of a seat; None if none of its turns cost anything."""
        costly = (decision for decision in self.decisions if decision.seat == seat and decision.cost)
        return max(costly, key=lambda decision: decision.cost, default=None)

    def accuracy(self, seat: int) -> Accuracy:
        """Return how much a seat lost per turn by its choices, over the turns that count."""
        own = [decision for decision in self.decisions if decision.seat == seat and decision.moves and decision.counts]
        count = max(1, len(own))
        doubt = sqrt(sum(decision.loss_doubt**2 for decision in own)) / count
        mean = sum(decision.loss for decision in own if abs(decision.loss) > NOISE * decision.loss_doubt) / count
        level = level_of(mean) if len(own) >= MIN_TURNS else ""
        return Accuracy(len(own), mean, doubt, sum(not decision.cost for decision in own), level)


def accuracy_of(loss: float) -> float:
    """Return the accuracy of a mean loss, from 0 to 1.

    >>> [round(accuracy_of(loss), 2) for loss in (0.1, 0.03, 0.01, 0.0, -0.02)]
    [0.0, 0.25, 0.67, 0.84, 0.97]
    """
    return 1 / (1 + exp((loss - ACCURACY_MIDDLE) / ACCURACY_SPREAD))


def level_of(loss: float) -> str:
    """Return the level of the bots that lose as much in a turn.

    >>> level_of(0.1), level_of(0.0)
    ('random', 'hard')
    """
    return next((level for least, level in PLAYED_LIKE if loss >= least), "expert")
