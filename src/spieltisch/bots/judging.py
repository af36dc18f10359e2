"""Judging the turns of a game, each by what its seat knew at the time.

A search finds the best turn. A second step, independent of the first, continues the played and the best turn in many
simulated games, which take place in the same worlds with the same chance: a turn that only looked best by luck is not
lucky twice. For the same reason the costliest turns are judged again from more simulated games once all are known.

The result of a simulated game is to one half the share of the win, to the other half the lead in points
(`sample_result`): there are better and worse turns when a game is as good as lost or won, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import sqrt
from time import thread_time
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from spieltisch.bots import best_line, levels
from spieltisch.bots.analysis import SCHEME, SIGNIFICANCE, Analysis, JudgedDecision
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Candidate, Sample, SearchParams
from spieltisch.core.calibration import standard_error
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

SIMULATIONS: Final = 1000
"""The number of simulated games in which the best move of a turn is searched."""
FIRST_SAMPLES: Final = 16
"""The simulated games that continue the played turn, and as many the best one, before time and error are considered."""
CHANCE_SAMPLES: Final = 96
"""The simulated games that continue a turn if it is the best one: for the chances."""
MAX_SAMPLES: Final = 0.3
"""The maximum number of these games, as a share of those of the search."""
SMALL_DOUBT: Final = 0.01
"""The standard error of a loss that needs no further simulated games."""
REJUDGED: Final = 10
"""The number of turns that are judged again."""
REJUDGE_FACTOR: Final = 4
"""The factor by which a turn that is judged again gets more simulated games."""
SEED: Final = 1
"""The default seed of an analysis."""
SEED_OFFSET: Final = 1 << 40
"""The distance between the seeds of the search and of the simulated games that continue a turn."""
MAX_TURN: Final = 12
"""The number of moves after which the search for the best turn ends."""
SENSIBLE: Final = 20
"""A turn has one sensible move if the search tried it this many times as often as all others together."""
DECIDED: Final = 0.005
"""The spread of the results below which a position is decided."""
HOLDS: Final = 0.08
"""The loss of the second best move from which the best is the only one that holds."""
HOLDS_VISITS: Final = 60
"""The number of simulated games from which that is concluded."""
SHORT_SECONDS: Final = 0.2
"""A turn with less time than this gets no further simulated games for such a conclusion."""


class Played(Protocol):
    """A move of a played game, and what it drew."""

    @property
    def move(self) -> str:
        """The text of the move."""

    @property
    def drew(self) -> tuple[str, ...]:
        """The texts of the draws."""


class Question(NamedTuple):
    """A turn to be judged: what the seat saw before it, the moves that it played, and what it saw before the last one.

    A turn ends here with a draw or a reveal, because what follows is another decision. Without moves, the question is
    how the position stands for the observing seat.
    """

    observation: bytes
    moves: tuple[str, ...] = ()
    before_last: bytes = b""


def sample_result(sample: Sample, seat: int, scale: float) -> float:
    """Return the result of a simulated game for a seat: about 0 to 1, less or more for a game lost or won by far.

    One half is its share of the win. The other is its lead over the mean of the other seats: 1/2 for none, and 1 more
    for `4 * scale` points.

    >>> sample_result(Sample((3.0, 3.0), (0.5, 0.5)), 0, 4.0)
    0.5
    """
    points = sample.points
    others = (sum(points) - points[seat]) / (len(points) - 1)
    return (sample.won[seat] + 0.5 + (points[seat] - others) / (4 * scale)) / 2


def questions(position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """Yield every turn of a game in which there was a choice.

    `position` is the start of the game; it is played to the end.
    """
    for question, _ in _turns(position, plays):
        if question is not None:
            yield question


def questions_of(seat: int, position: Position, plays: Iterable[Played]) -> Iterator[Question]:
    """Yield the questions of a game in progress from what one seat knew.

    They are its own turns, and how the position stood for it before the first and after every turn of the others. It
    makes no difference whether another seat had a choice, or learnt something: that could reveal what it holds.
    """
    yield Question(position.observe(seat).bytes)
    for question, acted in _turns(position, plays, seat):
        if acted != seat or question is None:
            yield Question(position.observe(seat).bytes)
        else:
            yield question


def _turns(
    position: Position, plays: Iterable[Played], viewer: int | None = None
) -> Iterator[tuple[Question | None, int]]:
    """Yield each complete turn of a game with its seat, after it was played; None for a turn without a choice.

    For a `viewer`, turns of others last until the decision passes.
    """
    start, moves, has_choice = b"", list[str](), False
    for play in plays:
        assert position.seat is not None  # noqa: S101  # a move was played
        seat, before = position.seat, position.observe(position.seat).bytes
        start = start or before
        has_choice = has_choice or len(position.legal_moves) > 1
        moves.append(play.move)
        played = position.play(play.move, play.drew, detect_reveal=True)
        if played.final if viewer in (None, seat) else played.ended_decision:
            yield Question(start, tuple(moves), before) if has_choice else None, seat
            start, moves, has_choice = b"", [], False


class JudgeBudget(NamedTuple):
    """The effort for one decision.

    `seconds` of processor time are a cap: equal seeds give equal judgements as long as it is not reached.
    """

    simulations: int = SIMULATIONS
    seconds: float | None = None
    seed: int = SEED

    def deeper(self) -> "JudgeBudget":
        """Return the budget of a turn that is judged again."""
        seconds = None if self.seconds is None else REJUDGE_FACTOR * self.seconds
        return JudgeBudget(REJUDGE_FACTOR * self.simulations, seconds, self.seed + 2 * SEED_OFFSET)


class BestTurn(NamedTuple):
    """The best turn: its moves and the observation before the last one, how it may continue, and the first search.

    `first` and `second` have the results of its first move and of the best other one.
    """

    moves: tuple[str, ...]
    before_last: Observation
    line: tuple[str, ...]
    first: Candidate
    second: Candidate | None
    has_one_sensible: bool


def judge(question: Question, budget: JudgeBudget) -> bytes:
    """Judge a turn, as JSON of a `JudgedDecision`. Raise NotBuilt if the search is not compiled."""
    seen = Observation.read(question.observation)
    if native_library.find(seen.setup.game) is None:
        raise native_library.NotBuilt(f"the search of {seen.setup.game.key} is not compiled")
    seat, seed = seen.seat or 0, budget.seed + seen.number
    if not question.moves:
        seconds = None if budget.seconds is None else budget.seconds / 2
        return msgspec.json.encode(
            _judge_position(seen, seat, seed, Budget(max(1, budget.simulations // 4), seconds, evaluate_only=True))
        )
    began = thread_time()
    best = _best_turn(seen, seed, budget)
    end = None if budget.seconds is None else began + budget.seconds
    before_last = Observation.read(question.before_last)
    played_after = _observation_after(before_last, question.moves[-1])
    is_best = played_after is not None and played_after == _observation_after(best.before_last, best.moves[-1])
    pair = [(before_last, question.moves[-1])]
    if not is_best:
        pair.append((best.before_last, best.moves[-1]))
    ends = _simulate_moves(pair, seen.number, seed + SEED_OFFSET, max(2, int(MAX_SAMPLES * budget.simulations)), end)
    scale = float(seen.setup.game.search_params.get("scale", SearchParams().scale))
    results = [[sample_result(sample, seat, scale) for sample in samples] for samples in ends]
    games, seats = len(ends[0]), range(seen.setup.seats)
    differences = [best_one - result for best_one, result in zip(results[-1], results[0], strict=True)]
    loss = _mean(differences)
    loss_doubt = 0.0 if is_best else sqrt(_variance(differences) / games)
    won = tuple(_mean([sample.won[p] for sample in ends[0]]) for p in seats)
    is_decided = all(_variance(result) < DECIDED**2 for result in results) and abs(loss) < DECIDED
    judged = JudgedDecision(
        seen.number + 1,
        seat,
        won,
        tuple(standard_error(min(1.0, share), games) for share in won),
        seen.number + len(question.moves),
        question.moves,
        best.moves,
        _mean([sample.won[seat] for sample in ends[-1]]),
        _mean([sample.points[seat] for sample in ends[-1]]),
        loss,
        loss_doubt,
        not is_decided and not (best.has_one_sensible and is_best),
        is_best and not is_decided and _is_only(best, seat),
        games,
        tuple(_mean([sample.points[p] for sample in ends[-1]]) for p in seats),
        tuple(_mean([sample.points[p] for sample in ends[0]]) for p in seats),
    )
    if judged.cost:
        judged = replace(judged, line=best.line, seed=seed)
    return msgspec.json.encode(judged)


def _best_turn(seen: Observation, seed: int, budget: JudgeBudget) -> BestTurn:
    """Search the best turn: as far as the line of the first search reaches, then on with half of its budget."""
    setup, seconds = seen.setup, None if budget.seconds is None else budget.seconds / 2
    style = levels.search_params_of(setup.game)
    is_short = budget.seconds is not None and budget.seconds < SHORT_SECONDS
    second_moves, min_visits = (0, 0) if is_short else (2, min(HOLDS_VISITS, budget.simulations // 4))
    effort = Budget(budget.simulations, seconds, second_moves, min_visits)
    world, moves, before_last, first = seen.imagine(seed), list[str](), seen, None
    at, line = seen, tuple[str, ...]()
    while True:
        thought = levels.search(at, seed + len(moves), effort, style)
        follows = best_line.read_line(levels.searcher(setup), at, thought.move, seed)
        if first is None:
            first, line = thought, follows.moves
        for move in (follows.moves[0], *follows.same_turn):
            if world.why_not(move) is not None:
                break
            before_last = world.observe(seen.seat)
            moves.append(move)
            played = world.play(move, detect_reveal=True)
            if played.final:
                break
        if played.final or world.is_over or len(moves) >= MAX_TURN:
            break
        at = world.observe(seen.seat)
        effort = Budget(max(1, budget.simulations // 2), None if seconds is None else seconds / 4)
    others = [candidate for candidate in first.candidates[1:] if candidate.visits]
    visits = first.candidates[0].visits
    return BestTurn(
        tuple(moves),
        before_last,
        line if len(line) >= len(moves) else tuple(moves),
        first.candidates[0],
        max(others, key=lambda candidate: candidate.results[seen.seat or 0], default=None),
        visits > SENSIBLE * sum(candidate.visits for candidate in others),
    )


def _is_only(best: BestTurn, seat: int) -> bool:
    """Return True if every other first move of the turn is clearly worse, with enough simulated games to say so."""
    second = best.second
    if second is None or min(second.visits, best.first.visits) < HOLDS_VISITS:
        return False
    gap = best.first.won(seat) - second.won(seat)
    return gap > HOLDS and gap > SIGNIFICANCE * sqrt(best.first.doubt(seat) ** 2 + second.doubt(seat) ** 2)


def _observation_after(seen: Observation, move: str) -> bytes | None:
    """Return what the seat sees after a move, as far as it is foreseen; None if it draws."""
    world = seen.imagine(0)
    return None if world.play(move).drew else world.observe(seen.seat).data


def _simulate_moves(
    pair: Sequence[tuple[Observation, str]], number: int, seed: int, most: int, end: float | None
) -> list[list[Sample]]:
    """Return the simulated games after each of two moves, or of one: pairs, until the error is small or time is up."""
    simulated: list[list[Sample]] = [[] for _ in pair]
    count = min(FIRST_SAMPLES, most)
    while count:
        began = thread_time()
        for samples, (seen, move) in zip(simulated, pair, strict=True):
            setup = seen.setup
            same_world = Observation(setup, seen.seat, number, seen.data)  # the number seeds what is imagined
            style = replace(levels.search_params_of(setup.game), max_playout=SearchParams().max_playout)
            games = levels.searcher(setup).samples(same_world, setup.move(move).number, seed + len(samples), style)
            samples += islice(games, count)
        done, took = len(simulated[0]), (thread_time() - began) / count
        seat = pair[0][0].seat or 0
        differences = [
            last.won[seat] - first.won[seat] for first, last in zip(simulated[0], simulated[-1], strict=True)
        ]
        wanted = int(_variance(differences) / SMALL_DOUBT**2 / 4) + 1 if len(pair) > 1 else CHANCE_SAMPLES
        affordable = most if end is None else max(0, int((end - thread_time()) / took))
        count = max(0, min(wanted - done, most - done, affordable))
    return simulated


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


def _judge_position(seen: Observation, seat: int, seed: int, budget: Budget) -> JudgedDecision:
    """Evaluate the position for the observing seat."""
    result = levels.search(seen, seed, budget)
    seats, total = range(seen.setup.seats), result.total
    won, doubt = tuple(map(total.won, seats)), tuple(map(total.doubt, seats))
    return JudgedDecision(seen.number, seat, won, doubt, seen.number, games=result.simulations)


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
        self.total = len(questions) + min(REJUDGED, sum(bool(question.moves) for question in questions))
        self._budget = JudgeBudget(simulations, None if seconds is None else seconds / max(1, self._work_units), seed)

    @property
    def _work_units(self) -> int:
        return len(self._questions) + REJUDGE_FACTOR * (self.total - len(self._questions))

    def first_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """Return the calls of `judge` for all questions; each answer goes to `add_answer`."""
        return [(question, self._budget) for question in self._questions]

    def second_pass(self) -> list[tuple[Question, JudgeBudget]]:
        """Return the calls of `judge` for the decisions that are judged again after the first pass."""
        pairs = [pair for pair in zip(self._sorted_decisions(), self._questions, strict=True) if pair[0].moves]
        by_loss = sorted(pairs, key=lambda pair: -pair[0].loss)
        return [(question, self._budget.deeper()) for _, question in by_loss[:REJUDGED]]

    def add_answer(self, answer: bytes) -> None:
        """Add a result of `judge`; a later judgement of a decision replaces an earlier one."""
        judged = self._answers.decode(answer)
        self._judged[judged.number] = judged

    def _sorted_decisions(self) -> list[JudgedDecision]:
        return sorted(self._judged.values(), key=lambda judged: judged.number)

    def so_far(self, seat: int, moves: int) -> Analysis:
        """Return the analysis of a game in progress, after `moves` moves, from the `questions_of` a seat."""
        return Analysis(moves, (), tuple(self._sorted_decisions()), seat=seat, scheme=SCHEME)

    def finish(self, position: Position, plays: Iterable[Played]) -> Analysis:
        """Return the analysis of the game that ended in `position`. Raise ValueError if it is not over."""
        outcome = position.outcome
        if outcome is None:
            raise ValueError("the game is not over")
        won = tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(position.seats))
        drew = tuple(number for number, play in enumerate(plays, 1) if play.drew)
        return Analysis(
            position.number, won, tuple(self._sorted_decisions()), tuple(position.scores), drew, scheme=SCHEME
        )
