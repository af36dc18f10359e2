"""Judging the turns of a game, each by what its seat knew at the time.

A search proposes a few turns. A second step, independent of the first, continues these and the played one in many
simulated games, which take place in the same worlds with the same chance: a turn that only looked best by luck is not
lucky twice. The loss of the played turn is its distance to the best of all, itself included, so it is never negative.
The costliest turns are judged again from more simulated games once all are known.

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

from spieltisch.bots import levels
from spieltisch.bots.analysis import SCHEME, SIGNIFICANCE, Analysis, JudgedDecision
from spieltisch.bots.candidate_turns import CandidateTurn, SearchedTurns, observation_after, search_turns
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Sample, SearchParams
from spieltisch.core.calibration import standard_error
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

SIMULATIONS: Final = 1000
"""The number of simulated games in which the best move of a turn is searched."""
FIRST_SAMPLES: Final = 16
"""The simulated games that continue each turn, before time and error are considered."""
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
DECIDED: Final = 0.005
"""The spread of the results below which a position is decided."""


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
    end = None if budget.seconds is None else thread_time() + budget.seconds
    searched = search_turns(seen, seed, budget.simulations, budget.seconds)
    before_last = Observation.read(question.before_last)
    played_after = observation_after(before_last, question.moves[-1])
    turns, ends = [CandidateTurn(question.moves, before_last, ())], {played_after}
    for turn in searched.turns:
        after = observation_after(turn.before_last, turn.moves[-1])
        if after is None or after not in ends:
            ends.add(after)
            turns.append(turn)
    sampled = _simulate_turns(turns, seen, seed + SEED_OFFSET, max(2, int(MAX_SAMPLES * budget.simulations)), end)
    scale, seats = _scale(seen), range(seen.setup.seats)
    results = [[sample_result(sample, seat, scale) for sample in samples] for _, samples in sampled]
    best, loss, loss_doubt = loss_of(results)
    (best_turn, best_samples), played_samples = sampled[best], sampled[0][1]
    games = len(played_samples)
    won = tuple(_mean([sample.won[p] for sample in played_samples]) for p in seats)
    is_decided = all(_variance(result) < DECIDED**2 for result in results) and loss < DECIDED
    judged = JudgedDecision(
        seen.number + 1,
        seat,
        won,
        tuple(standard_error(min(1.0, share), games) for share in won),
        seen.number + len(question.moves),
        question.moves,
        best_turn.moves,
        _mean([sample.won[seat] for sample in best_samples]),
        _mean([sample.points[seat] for sample in best_samples]),
        loss,
        loss_doubt,
        not is_decided and (best > 0 or not searched.has_one_sensible),
        best == 0 and searched.is_only and not is_decided and _is_first(searched, question.moves, played_after),
        games,
        tuple(_mean([sample.points[p] for sample in best_samples]) for p in seats),
        tuple(_mean([sample.points[p] for sample in played_samples]) for p in seats),
    )
    if judged.cost:
        judged = replace(judged, line=best_turn.line, seed=seed)
    return msgspec.json.encode(judged)


def _simulate_turns(
    turns: Sequence[CandidateTurn], seen: Observation, seed: int, most: int, end: float | None
) -> list[tuple[CandidateTurn, list[Sample]]]:
    """Return the turns with the simulated games after them, which take place in the same worlds.

    They are simulated until the error is small or time is up. A turn that is clearly worse than the best is left out
    early, but for the first.
    """
    setup, seat, scale = seen.setup, seen.seat or 0, _scale(seen)
    style = replace(levels.search_params_of(setup.game), max_playout=SearchParams().max_playout)
    sampled: list[tuple[CandidateTurn, list[Sample]]] = [(turn, []) for turn in turns]
    count = min(FIRST_SAMPLES, most)
    while count:
        began = thread_time()
        for turn, samples in sampled:
            same_world = Observation(setup, turn.before_last.seat, seen.number, turn.before_last.data)
            last_move = setup.move(turn.moves[-1]).number
            samples += islice(levels.searcher(setup).samples(same_world, last_move, seed + len(samples), style), count)
        done, took = len(sampled[0][1]), (thread_time() - began) / count / len(sampled)
        results = [[sample_result(sample, seat, scale) for sample in samples] for _, samples in sampled]
        best = max(range(len(results)), key=lambda number: _mean(results[number]))
        errors = [_error_of_difference(results[best], result) for result in results]
        gaps = [_mean(results[best]) - _mean(result) for result in results]
        kept = [at for at, gap in enumerate(gaps) if at in (0, best) or gap <= SIGNIFICANCE * errors[at]]
        sampled = [sampled[at] for at in kept]
        error = max(errors[at] for at in kept)
        wanted = int(error**2 * done / SMALL_DOUBT**2) + 1 if len(sampled) > 1 else CHANCE_SAMPLES
        affordable = most if end is None else max(0, int((end - thread_time()) / took / len(sampled)))
        count = max(0, min(wanted - done, most - done, affordable))
    return sampled


def loss_of(results: Sequence[Sequence[float]]) -> tuple[int, float, float]:
    """Return the number of the best turn, the loss of the first against it, and the standard error of the loss.

    `results` has those of each turn, in the same worlds. The best of several means is too high by luck. So one half of
    the worlds chooses the best turn and the other half says by how much, and the other way round. A turn can only lose:
    the first is one of those compared, and its loss is 0 or more.

    >>> loss_of([[0.5, 0.5, 0.4, 0.4], [0.75, 0.75, 0.65, 0.65], [0.1, 0.3, 0.1, 0.3]])
    (1, 0.25, 0.0)
    """
    means = [_mean(result) for result in results]
    best = max(range(len(results)), key=lambda number: means[number])
    if best == 0 or means[best] == means[0]:
        return 0, 0.0, 0.0
    halves = [[result[start::2] for result in results] for start in (0, 1)]
    gains = []
    for chosen_by, measured in (halves, halves[::-1]):
        chosen = max(range(len(results)), key=lambda number: _mean(chosen_by[number]))
        gains.append(_mean(measured[chosen]) - _mean(measured[0]))
    return best, round(max(0.0, _mean(gains)), 12), _error_of_difference(results[best], results[0])


def _error_of_difference(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the standard error of the difference of the means of two turns, in the same worlds."""
    return sqrt(_variance([a - b for a, b in zip(one, other, strict=True)]) / len(one))


def _is_first(searched: SearchedTurns, moves: Sequence[str], played_after: bytes | None) -> bool:
    """Return True if the played turn is the one that the search proposes first."""
    first = searched.turns[0]
    return first.moves == moves or (
        played_after is not None and played_after == observation_after(first.before_last, first.moves[-1])
    )


def _scale(seen: Observation) -> float:
    """Return the points by which a game measures a lead: four times as many count like a win (`sample_result`)."""
    return float(seen.setup.game.search_params.get("scale", SearchParams().scale))


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
