"""The analysis of a game: its judged turns, what they cost, and what they say about the players.

`spieltisch.bots.judging` judges the turns.
"""

from itertools import pairwise
from math import exp, inf, sqrt
from operator import mul
from statistics import fmean, harmonic_mean, pstdev
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
SCHEME: Final = 3
"""The kind of these analyses; stored ones of an earlier kind are computed again."""

TURN_LOSS: Final = 0.05
"""The loss of a turn whose accuracy is 1/e."""
LEAST_ACCURACY: Final = 0.2
"""The accuracy of the worst turn: with less, one blunder would weigh more in a harmonic mean than all good turns."""
NOISE: Final = 1.0
"""The number of standard errors up to which a loss is taken for none in the accuracy."""
STAKE_WINDOW: Final = 4
"""The number of decisions before a turn, and after it, whose chances say how much was at stake."""
STAKES: Final = (0.01, 0.12)
"""The least and the greatest weight of a turn: the spread of the chances around it."""
MIN_TURNS: Final = 6
"""The number of turns that count from which a player is compared with the levels."""
PLAYED_LIKE: Final = (
    (0.0, "random"),
    (0.56, "beginner"),
    (0.65, "easy"),
    (0.7, "medium"),
    (0.77, "hard"),
    (0.86, "expert"),
)
"""The accuracy from which a player played like a level.

These are the means over the three games of the best thresholds between neighbours (bench/NOTES.md).
"""
LEVELS_NAMED: Final = 2
"""The number of levels that the interval of an accuracy covers at most where they are named."""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A judged turn.

    - `number`, `last`: the numbers of its first and last move, from 1
    - `seat`, `moves`: the seat that decided, and the texts of its moves
    - `won`, `doubt`: for each seat the share of the simulated games after the turn that it won, and its standard error
    - `best_moves`: the moves of the best turn; `best_won`, `best_points`: the share and the points of the seat after it
    - `loss`, `loss_doubt`: how much better the result of the best turn is, from 0, and its standard error
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
    - `share`, `doubt`: its accuracy, from 0 to 1, and the standard error
    - `mean_loss`: the mean of the losses of these turns
    - `without_mistake`: the number of turns that cost nothing significant
    - `levels`: the one or two levels of bots that play as accurately, the weaker first; empty if that is not certain
      enough, or after too few turns
    """

    turns: int
    share: float
    doubt: float
    mean_loss: float
    without_mistake: int
    levels: tuple[str, ...]


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
        """Return how accurately a seat played the turns that count.

        As on lichess, it is the mean of two means of the accuracies of its turns: the harmonic one, and one weighted by
        how much the seat's chances changed around the turn.
        """
        own = [
            (number, decision)
            for number, decision in enumerate(self.decisions)
            if decision.seat == seat and decision.moves and decision.counts
        ]
        turns = [turn_accuracy(decision.loss, decision.loss_doubt) for _, decision in own]
        if not turns:
            return Accuracy(0, 1.0, 0.0, 0.0, 0, ())
        weights = [self._stake(seat, number) for number, _ in own]
        weighted = sum(map(mul, turns, weights)) / sum(weights)
        share, doubt = (harmonic_mean(turns) + weighted) / 2, pstdev(turns) / sqrt(len(turns))
        return Accuracy(
            len(turns),
            share,
            doubt,
            fmean(decision.loss for _, decision in own),
            sum(not decision.cost for _, decision in own),
            levels_of(share - doubt, share + doubt) if len(turns) >= MIN_TURNS else (),
        )

    def _stake(self, seat: int, number: int) -> float:
        """Return how much the chances of a seat changed around a decision."""
        around = self.decisions[max(0, number - STAKE_WINDOW) : number + STAKE_WINDOW + 1]
        least, greatest = STAKES
        return min(greatest, max(least, pstdev(decision.won[seat] for decision in around)))


def turn_accuracy(loss: float, doubt: float = 0.0) -> float:
    """Return the accuracy of a turn that costs `loss`, from `LEAST_ACCURACY` to 1.

    >>> [round(turn_accuracy(loss), 2) for loss in (0.0, 0.01, 0.05, 0.5)]
    [1.0, 0.82, 0.37, 0.2]
    """
    return max(LEAST_ACCURACY, exp(-loss / TURN_LOSS)) if loss > NOISE * doubt else 1.0


def levels_of(low: float, high: float) -> tuple[str, ...]:
    """Return the levels of bots whose accuracy is between these; none if there are more than `LEVELS_NAMED`.

    >>> levels_of(0.72, 0.82), levels_of(0.1, 0.9)
    (('medium', 'hard'), ())
    """
    ends = (*(least for least, _ in PLAYED_LIKE[1:]), inf)
    found = tuple(level for (least, level), end in zip(PLAYED_LIKE, ends, strict=True) if low < end and high >= least)
    return found if len(found) <= LEVELS_NAMED else ()
