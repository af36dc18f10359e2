"""Analysis: a game that was played, looked at decision by decision, each from what its seat knew then.

A first search finds the move that is best. A second one, which knows nothing of the first, tries that move and the one
that was played equally often: a move that looked best by luck alone has no luck a second time. For the same reason the
costliest decisions are judged anew, from more trial games, once all are known. What is said is what happened in those
trial games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple, Protocol

import msgspec

from spieltisch.bots import best_line, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

SIMULATIONS: Final = 240
"""Trial games of the first search; the second has half as many for each of its moves."""
SIGNIFICANCE: Final = 2.0
"""How many standard errors a difference must have to be one: by luck alone one in forty does."""
TURNING_POINTS: Final = 5
REJUDGED: Final = 10
"""How many decisions are judged anew, from `DEEPER` times as many trial games."""
REJUDGE_FACTOR: Final = 4
SEED: Final = 1
SEED_OFFSET: Final = 1 << 40
"""Between the seeds of the two searches."""


class Played(Protocol):
    """A move of a game that was played, and what it drew."""

    @property
    def move(self) -> str: ...
    @property
    def drew(self) -> tuple[str, ...]: ...


class Question(NamedTuple):
    """A decision to be judged: what the seat saw, and the move that it played; without a move, how it stands for who
    sees this.
    """

    observation: bytes
    move: str = ""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision: the number of the move from 1, its seat, its text; which part of the trial games after it each seat
    won, and the standard error of that; and for the move that is best the text, and the same for the seat that decides.
    From how many trial games each is known; the points of each seat on average before the decision and after the move.
    For a move that cost something, how the best would have gone on, in the world that its seat imagines by the seed.

    Without a move it is no decision: how it stands for the seat, from what it knows, after the move with this number.
    """

    number: int
    seat: int
    move: str
    won: tuple[float, ...]
    doubt: tuple[float, ...]
    best: str
    best_won: float
    best_doubt: float
    games: int = 0
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    line: tuple[str, ...] = ()
    seed: int = 0

    @property
    def gap(self) -> float:
        """How much better the best move did in the trial games: also less than 0, by luck."""
        return self.best_won - self.won[self.seat]

    @property
    def gap_doubt(self) -> float:
        """The standard error of `gap`; 0 where the best move was played."""
        return 0.0 if self.move == self.best else sqrt(self.best_doubt**2 + self.doubt[self.seat] ** 2)

    @property
    def cost(self) -> float:
        """What the move cost, as a part of all games; 0 where that is within doubt."""
        return self.gap if self.gap > SIGNIFICANCE * self.gap_doubt else 0.0


class Accuracy(NamedTuple):
    """How well a seat played: its decisions, the mean of what they gave up with its standard error (differences within
    doubt count in it, too: among many they cancel out), and how many were the best move or within doubt of it.
    """

    decisions: int
    mean: float
    doubt: float
    near_best: int


class Luck(NamedTuple):
    """What came by chance: in how many stretches between two decisions something was drawn, how many points that was
    worth to a seat against the mean of what could have been drawn, and the standard error of that.
    """

    draws: int
    points: float
    doubt: float


class Analysis(msgspec.Struct, frozen=True):
    """A game: how many moves it had, which part of it each seat won, its decisions, the points in the end, and the
    numbers of the moves that drew something.

    A game that goes on is looked at by one `seat`, from what it knew: its own decisions, and how it stood for it after
    all other moves and at the beginning; there is no end yet.
    """

    moves: int
    won: tuple[float, ...]
    decisions: tuple[JudgedDecision, ...]
    points: tuple[int, ...] = ()
    drew: tuple[int, ...] = ()
    seat: int | None = None

    def luck(self, seat: int) -> Luck | None:
        """What draws were worth to a seat; None where nothing was drawn. After a move trial games draw anew, so their
        points are the mean of all that may come; at the next decision they start from what came. Between decisions
        without a draw nothing but the doubt of the trial games differs, and so it shows how large that is.
        """
        drawn: list[float] = []
        still: list[float] = []
        for one, other in pairwise((*self.decisions, None)):
            if one is None or not one.after or not self.points:
                return None
            then = other.before if other is not None else self.points
            until = other.number if other is not None else self.moves + 1
            came = any(one.number <= number < until for number in self.drew)
            (drawn if came else still).append(then[seat] - one.after[seat])
        if not drawn:
            return None
        spread = sqrt(sum(one**2 for one in still) / max(1, len(still)))
        return Luck(len(drawn), sum(drawn), spread * sqrt(len(drawn)))

    def turning_points(self) -> tuple[JudgedDecision, ...]:
        """The costliest moves, the costliest first."""
        costly = [one for one in self.decisions if one.cost]
        return tuple(sorted(costly, key=lambda one: (-one.cost, one.number))[:TURNING_POINTS])

    def accuracy(self, seat: int) -> Accuracy:
        """How well a seat played."""
        own = [one for one in self.decisions if one.seat == seat and one.move]
        many = max(1, len(own))
        doubt = sqrt(sum(one.gap_doubt**2 for one in own)) / many
        return Accuracy(len(own), sum(one.gap for one in own) / many, doubt, sum(not one.cost for one in own))


def questions(position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """Every decision of a game that had more than one legal move; `position` plays it, from its start to its end."""
    for play in plays:
        assert position.seat is not None  # noqa: S101  # a move was played
        if len(position.legal_moves) > 1:
            yield Question(position.observe(position.seat).bytes, play.move)
        position.play(play.move, play.drew)


def questions_of(seat: int, position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """The same of a game so far, from what one seat knew: its own decisions, and how it stood for it before the first
    and after every other move. Whether another seat had a choice is not asked: that could tell what it holds.
    """
    yield Question(position.observe(seat).bytes)
    for play in plays:
        decides = position.seat == seat and len(position.legal_moves) > 1
        if decides:
            yield Question(position.observe(seat).bytes, play.move)
        position.play(play.move, play.drew)
        if not decides:
            yield Question(position.observe(seat).bytes)


class JudgeBudget(NamedTuple):
    """How much is done for a decision. `seconds` of processor are a cap: equal seeds give equal judgements as long as
    it is not reached.
    """

    simulations: int = SIMULATIONS
    seconds: float | None = None
    seed: int = SEED

    def deeper(self) -> JudgeBudget:
        """For a decision that is judged anew."""
        seconds = None if self.seconds is None else REJUDGE_FACTOR * self.seconds
        return JudgeBudget(REJUDGE_FACTOR * self.simulations, seconds, self.seed + 2 * SEED_OFFSET)


def judge(question: Question, effort: JudgeBudget) -> bytes:
    """What a decision was worth, as JSON of a `Judged`. Raises NotBuilt where the search is not compiled."""
    seen = Observation.read(question.observation)
    if native_library.find(seen.setup.game) is None:
        raise native_library.NotBuilt(f"the search of {seen.setup.game.key} is not compiled")
    seat, seed = seen.seat or 0, effort.seed + seen.number
    seconds = None if effort.seconds is None else effort.seconds / 2
    if not question.move:
        return msgspec.json.encode(
            _stand(seen, seat, seed, Budget(max(1, effort.simulations // 2), seconds, evaluate_only=True))
        )
    first = levels.search(seen, seed, Budget(effort.simulations, seconds))
    moves = first.move, seen.setup.move(question.move).number
    least = max(1, first.simulations // 2)
    second = levels.search(seen, seed + SEED_OFFSET, Budget(0, extra_moves=moves, min_visits=least))
    best, played = (second.of(move) for move in moves)
    judged = JudgedDecision(
        seen.number + 1,
        seat,
        question.move,
        tuple(played.won(one) for one in range(seen.setup.seats)),
        tuple(played.doubt(one) for one in range(seen.setup.seats)),
        seen.setup.move(best.move).text,
        best.won(seat),
        best.doubt(seat),
        least,
        first.total.points,
        played.points,
    )
    if judged.cost:
        goes_on = best_line.read_line(levels.searcher(seen.setup), seen, best.move, seed).moves
        judged = msgspec.structs.replace(judged, line=goes_on, seed=seed)
    return msgspec.json.encode(judged)


def _stand(seen: Observation, seat: int, seed: int, budget: Budget) -> JudgedDecision:
    thought = levels.search(seen, seed, budget)
    seats, whole = range(seen.setup.seats), thought.total
    won, doubt = tuple(map(whole.won, seats)), tuple(map(whole.doubt, seats))
    return JudgedDecision(seen.number, seat, "", won, doubt, "", won[seat], doubt[seat], thought.simulations)


class AnalysisJob:
    """The questions of a game that are still to be asked, and the judgements so far. `seconds` of processor for the
    whole game are a cap.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> AnalysisJob([*questions(position, [])], 60.0).total
    0
    """

    _answers = msgspec.json.Decoder(JudgedDecision)

    def __init__(
        self, asked: Sequence[Question], seconds: float | None, simulations: int = SIMULATIONS, seed: int = SEED
    ) -> None:
        self._asked = asked
        self._judged: dict[int, JudgedDecision] = {}
        self.total = len(asked) + min(REJUDGED, sum(bool(question.move) for question in asked))
        self._effort = JudgeBudget(simulations, None if seconds is None else seconds / max(1, self._work), seed)

    @property
    def _work(self) -> int:
        return len(self._asked) + REJUDGE_FACTOR * (self.total - len(self._asked))

    def first_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """What `judge` is asked of every decision; each answer goes to `take`, in this order."""
        return [(question, self._effort) for question in self._asked]

    def second_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """What it is asked after that."""
        pairs = [pair for pair in zip(self._judged.values(), self._asked, strict=True) if pair[0].move]
        by_gap = sorted(pairs, key=lambda pair: -pair[0].gap)
        return [(question, self._effort.deeper()) for _, question in by_gap[:REJUDGED]]

    def add_answer(self, answer: bytes) -> None:
        """What `judge` returned; a later judgement of a decision replaces an earlier one."""
        judged = self._answers.decode(answer)
        self._judged[judged.number] = judged

    def so_far(self, seat: int, moves: int) -> Analysis:
        """The analysis of a game that goes on, after so many moves, of `questions_of` a seat."""
        return Analysis(moves, (), tuple(self._judged.values()), seat=seat)

    def finish(self, position: Position, plays: Iterable[Played]) -> Analysis:
        """The analysis of the game that came to its end in `position`. Raises ValueError where it is not over."""
        outcome = position.outcome
        if outcome is None:
            raise ValueError("the game is not over")
        won = tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(position.seats))
        drew = tuple(number for number, play in enumerate(plays, 1) if play.drew)
        return Analysis(position.number, won, tuple(self._judged.values()), tuple(position.scores), drew)
