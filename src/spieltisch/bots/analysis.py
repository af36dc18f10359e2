"""Analysis: each decision of a played game, judged by what its seat knew at the time.

A first search finds the best move. A second one, independent of the first, tries that move and the played one equally
often: a move that only looked best by luck is not lucky twice. For the same reason the costliest decisions are judged
again from more simulated games once all are known. All figures are results of these simulated games.
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
"""The number of simulated games of the first search; the second one has half as many for each of its moves."""
SIGNIFICANCE: Final = 2.0
"""The number of standard errors from which a difference counts; luck alone causes it once in forty times."""
TURNING_POINTS: Final = 5
"""The number of turning points that are reported at most."""
REJUDGED: Final = 10
"""The number of decisions that are judged again."""
REJUDGE_FACTOR: Final = 4
"""The factor by which a decision that is judged again gets more simulated games."""
SEED: Final = 1
"""The default seed of an analysis."""
SEED_OFFSET: Final = 1 << 40
"""The distance between the seeds of the two searches."""


class Played(Protocol):
    """A move of a played game, and what it drew."""

    @property
    def move(self) -> str:
        """The text of the move."""

    @property
    def drew(self) -> tuple[str, ...]:
        """The texts of the draws."""


class Question(NamedTuple):
    """A decision to be judged: what the seat saw, and the move that it played.

    Without a move, the question is how the position stands for the observing seat.
    """

    observation: bytes
    move: str = ""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A judged decision.

    - `number`: the number of the move, from 1
    - `seat`, `move`: the seat that decided, and the text of its move
    - `won`, `doubt`: for each seat the share of the simulated games after the move that it won, and its standard error
    - `best`, `best_won`, `best_doubt`: the best move, and the same figures for the seat that decided
    - `games`: the number of simulated games behind each of these figures
    - `before`, `after`: each seat's mean points before the decision and after the move
    - `line`, `seed`: for a move that cost something, how the best one would have continued, in the world that its seat
      imagines with this seed

    Without a move it is no decision, but how the position stands for the seat, from what it knows, after the move with
    this number.
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
        """The advantage of the best move in the simulated games; it can be negative, by luck."""
        return self.best_won - self.won[self.seat]

    @property
    def gap_doubt(self) -> float:
        """The standard error of `gap`; 0 where the best move was played."""
        return 0.0 if self.move == self.best else sqrt(self.best_doubt**2 + self.doubt[self.seat] ** 2)

    @property
    def cost(self) -> float:
        """The cost of the move as a share of all games; 0 if it is not significant (`SIGNIFICANCE`)."""
        return self.gap if self.gap > SIGNIFICANCE * self.gap_doubt else 0.0


class Accuracy(NamedTuple):
    """The accuracy of a seat.

    - `decisions`: their number
    - `mean`, `doubt`: the mean of what they gave up, and its standard error; differences that are not significant count
      too, because they cancel out over many decisions
    - `near_best`: the number of decisions that were the best move or not significantly worse
    """

    decisions: int
    mean: float
    doubt: float
    near_best: int


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

    A game in progress is analysed for one `seat`, from what it knew: its own decisions, and how the position stood for
    it at the beginning and after all other moves; there is no end yet.
    """

    moves: int
    won: tuple[float, ...]
    decisions: tuple[JudgedDecision, ...]
    points: tuple[int, ...] = ()
    drew: tuple[int, ...] = ()
    seat: int | None = None

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
            has_drawn = any(decision.number <= number < end for number in self.drew)
            (drawn if has_drawn else undrawn).append(points_then[seat] - decision.after[seat])
        if not drawn:
            return None
        spread = sqrt(sum(difference**2 for difference in undrawn) / max(1, len(undrawn)))
        return Luck(len(drawn), sum(drawn), spread * sqrt(len(drawn)))

    def turning_points(self) -> tuple[JudgedDecision, ...]:
        """Return the costliest moves, the costliest first."""
        costly = [decision for decision in self.decisions if decision.cost]
        return tuple(sorted(costly, key=lambda decision: (-decision.cost, decision.number))[:TURNING_POINTS])

    def accuracy(self, seat: int) -> Accuracy:
        """Return the accuracy of a seat."""
        own = [decision for decision in self.decisions if decision.seat == seat and decision.move]
        count = max(1, len(own))
        doubt = sqrt(sum(decision.gap_doubt**2 for decision in own)) / count
        return Accuracy(
            len(own), sum(decision.gap for decision in own) / count, doubt, sum(not decision.cost for decision in own)
        )


def questions(position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """Yield every decision of a game that had more than one legal move.

    `position` is the start of the game; it is played to the end.
    """
    for play in plays:
        assert position.seat is not None  # noqa: S101  # a move was played
        if len(position.legal_moves) > 1:
            yield Question(position.observe(position.seat).bytes, play.move)
        position.play(play.move, play.drew)


def questions_of(seat: int, position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """Yield the questions of a game in progress from what one seat knew.

    They are its own decisions, and how the position stood for it before the first and after every other move. It makes
    no difference whether another seat had a choice: that could reveal what it holds.
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
    """The effort for one decision.

    `seconds` of processor time are a cap: equal seeds give equal judgements as long as it is not reached.
    """

    simulations: int = SIMULATIONS
    seconds: float | None = None
    seed: int = SEED

    def deeper(self) -> JudgeBudget:
        """Return the budget of a decision that is judged again."""
        seconds = None if self.seconds is None else REJUDGE_FACTOR * self.seconds
        return JudgeBudget(REJUDGE_FACTOR * self.simulations, seconds, self.seed + 2 * SEED_OFFSET)


def judge(question: Question, budget: JudgeBudget) -> bytes:
    """Judge a decision, as JSON of a `JudgedDecision`. Raise NotBuilt if the search is not compiled."""
    seen = Observation.read(question.observation)
    if native_library.find(seen.setup.game) is None:
        raise native_library.NotBuilt(f"the search of {seen.setup.game.key} is not compiled")
    seat, seed = seen.seat or 0, budget.seed + seen.number
    seconds = None if budget.seconds is None else budget.seconds / 2
    if not question.move:
        return msgspec.json.encode(
            _stand(seen, seat, seed, Budget(max(1, budget.simulations // 2), seconds, evaluate_only=True))
        )
    first = levels.search(seen, seed, Budget(budget.simulations, seconds))
    moves = first.move, seen.setup.move(question.move).number
    min_visits = max(1, first.simulations // 2)
    second = levels.search(seen, seed + SEED_OFFSET, Budget(0, extra_moves=moves, min_visits=min_visits))
    best, played = (second.of(move) for move in moves)
    judged = JudgedDecision(
        seen.number + 1,
        seat,
        question.move,
        tuple(played.won(p) for p in range(seen.setup.seats)),
        tuple(played.doubt(p) for p in range(seen.setup.seats)),
        seen.setup.move(best.move).text,
        best.won(seat),
        best.doubt(seat),
        min_visits,
        first.total.points,
        played.points,
    )
    if judged.cost:
        line = best_line.read_line(levels.searcher(seen.setup), seen, best.move, seed).moves
        judged = msgspec.structs.replace(judged, line=line, seed=seed)
    return msgspec.json.encode(judged)


def _stand(seen: Observation, seat: int, seed: int, budget: Budget) -> JudgedDecision:
    """Evaluate the position for the observing seat."""
    result = levels.search(seen, seed, budget)
    seats, total = range(seen.setup.seats), result.total
    won, doubt = tuple(map(total.won, seats)), tuple(map(total.doubt, seats))
    return JudgedDecision(seen.number, seat, "", won, doubt, "", won[seat], doubt[seat], result.simulations)


class AnalysisJob:
    """The questions of a game and the judgements so far.

    `seconds` is a cap on the processor time for the whole game.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> AnalysisJob([*questions(position, [])], 60.0).total
    0
    """

    _answers = msgspec.json.Decoder(JudgedDecision)

    def __init__(
        self, questions: Sequence[Question], seconds: float | None, simulations: int = SIMULATIONS, seed: int = SEED
    ) -> None:
        self._questions = questions
        self._judged: dict[int, JudgedDecision] = {}
        self.total = len(questions) + min(REJUDGED, sum(bool(question.move) for question in questions))
        self._budget = JudgeBudget(simulations, None if seconds is None else seconds / max(1, self._work), seed)

    @property
    def _work(self) -> int:
        return len(self._questions) + REJUDGE_FACTOR * (self.total - len(self._questions))

    def first_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """Return the calls of `judge` for all questions; each answer goes to `add_answer`, in this order."""
        return [(question, self._budget) for question in self._questions]

    def second_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """Return the calls of `judge` for the decisions that are judged again after the first pass."""
        pairs = [pair for pair in zip(self._judged.values(), self._questions, strict=True) if pair[0].move]
        by_gap = sorted(pairs, key=lambda pair: -pair[0].gap)
        return [(question, self._budget.deeper()) for _, question in by_gap[:REJUDGED]]

    def add_answer(self, answer: bytes) -> None:
        """Add a result of `judge`; a later judgement of a decision replaces an earlier one."""
        judged = self._answers.decode(answer)
        self._judged[judged.number] = judged

    def so_far(self, seat: int, moves: int) -> Analysis:
        """Return the analysis of a game in progress, after `moves` moves, from the `questions_of` a seat."""
        return Analysis(moves, (), tuple(self._judged.values()), seat=seat)

    def finish(self, position: Position, plays: Iterable[Played]) -> Analysis:
        """Return the analysis of the game that ended in `position`. Raise ValueError if it is not over."""
        outcome = position.outcome
        if outcome is None:
            raise ValueError("the game is not over")
        won = tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(position.seats))
        drew = tuple(number for number, play in enumerate(plays, 1) if play.drew)
        return Analysis(position.number, won, tuple(self._judged.values()), tuple(position.scores), drew)
