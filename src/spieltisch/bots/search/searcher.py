"""Thinking: from the bytes of an observation to moves with their worth, by the search of `tree.py`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import cycle
from math import ceil, log, log2
from typing import Final, TypeAlias

import msgspec

from spieltisch.bots.search import mcts
from spieltisch.bots.search.native_library import Library
from spieltisch.bots.search.search_buffers import SearchBuffers
from spieltisch.core.calibration import standard_error
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup

NODES: Final = 50_000
"""Sequences of moves that a tree may hold: 8 MB."""
CLOCK_INTERVAL: Final = 4
"""Simulations between two looks at the clock."""
RESHUFFLE_STEPS: Final = 20
"""Steps of reshuffling before each simulation."""

MovePredicate: TypeAlias = Callable[[Move], bool]
"""Whether somebody has a taste for a move."""

PRIOR: Final = 0.05
"""How much a prior e times as large is worth beside the mean result, where moves of a decision are halved."""

STYLE_PRIOR_FACTOR: Final = 4.0
"""How many times its prior a move has that is to somebody's taste: it is tried before and more often than others."""


class SearchParams(msgspec.Struct, frozen=True):
    """How a search is led, apart from its budget: the fields of `mcts.Settings`, in points and shares, and between
    how many moves the decision itself halves its trial games (`halving_moves`; 0: as in the tree).
    """

    exploration: float = 1.0
    temperature: float = 0.7
    scale: float = 8.0
    margin: float = 0.3
    random_share: float = 0.05
    sampled_share: float = 0.1
    sample_size: int = 3
    max_playout: int = 1000
    max_depth: int = 60
    halving_moves: int = 0


class Budget(msgspec.Struct, frozen=True):
    """How long a search may take: so many simulations, and as a cap so many seconds of the thread's processor. Equal
    seeds give equal moves as long as the cap is not reached; without a number of simulations the time alone decides.
    """

    simulations: int | None = None
    seconds: float | None = None
    report_moves: int = 0
    """To how many of the best moves a result is given that can be shown: each is tried `least` times."""
    min_visits: int = 0
    extra_moves: tuple[int, ...] = ()
    """Moves, by their numbers, that are tried as often as those, whatever the search thinks of them."""
    evaluate_only: bool = False
    """Whether it is asked how the game stands, not for a move: another seat may decide, and a single move is tried."""


class Candidate(msgspec.Struct, frozen=True):
    """A move that was looked at: its number, how often it was tried, the mean result of each seat (from 0 to 1: mostly
    who won, and a little by how much), the part of the trial games it won, the mean points, and the share of the prior.
    """

    move: int
    visits: int
    results: tuple[float, ...]
    wins: tuple[float, ...]
    points: tuple[float, ...]
    prior: float

    def won(self, seat: int) -> float:
        """The part of the trial games that a seat won."""
        return min(1.0, max(0.0, self.wins[seat]))

    def doubt(self, seat: int) -> float:
        """The standard error of `won`."""
        return standard_error(self.won(seat), self.visits)


class SearchResult(msgspec.Struct, frozen=True):
    """What came of a search: the moves, best first, how many simulations were made, and what came of all together,
    whatever was played.
    """

    candidates: tuple[Candidate, ...]
    simulations: int
    total: Candidate

    @property
    def move(self) -> int:
        """The number of the move that is best."""
        return self.candidates[0].move

    def of(self, move: int) -> Candidate:
        """What was found of a legal move."""
        return next(one for one in self.candidates if one.move == move)


class Searcher:
    """Searches for one setup; its memory is kept from one search to the next, what it found is not. With a `library` it
    runs compiled, and else as the setup's game does.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> searcher = Searcher(position.setup, nodes=500)
    >>> thought = searcher.search(position.observe(position.seat), 1, Budget(8), SearchParams(max_playout=2))
    >>> thought.move in position.legal_moves.numbers, thought.simulations
    (True, 8)
    """

    def __init__(self, setup: Setup, nodes: int = NODES, library: Library | None = None) -> None:
        self.setup = setup
        self.memory = memory = SearchBuffers(setup, nodes, native=library is not None or setup.game.compiled)
        if library is not None:
            self._run = library.bind(memory)
        else:
            search = setup.game.engine.bind_module(mcts.search).bind(mcts.search)
            self._run = lambda what, forced, many: int(search(*memory.arguments(what, forced, many)))

    def search(
        self,
        seen: Observation,
        seed: int,
        budget: Budget,
        style: SearchParams,
        stopped: Callable[[], bool] = lambda: False,
        likes: MovePredicate | None = None,
    ) -> SearchResult:
        """Search for the seat whose observation this is; the move that was tried most is best. The first few and those
        that are named are tried until each has its share of `budget.least`; the searcher's taste is for what it
        `likes`. Raises ValueError when it is not that seat's decision, unless it is asked how the game stands.
        """
        self._look_at(seen, seed, style, stand=budget.evaluate_only)
        known = self._run(mcts.EXPAND_ROOT, -1, 0)
        if likes is not None:
            for node in (self.memory.tree[at] for at in self._children()):
                if likes(self.setup.move(int(node.move))):
                    node.prior *= STYLE_PRIOR_FACTOR
        clock = _Clock(budget, stopped)
        best = (
            self._sequential_halving(style.halving_moves, clock)
            if style.halving_moves and known > 1 and not budget.evaluate_only
            else []
        )
        while (known > 1 or budget.evaluate_only) and clock.goes_on():
            self._run(mcts.SIMULATE, -1, CLOCK_INTERVAL)
            clock.done += CLOCK_INTERVAL
        found = best + sorted((at for at in self._children() if at not in best), key=self._rank, reverse=True)
        shown = found[: budget.report_moves] if clock.done else []
        for at in (*shown, *(at for at in found if int(self.memory.tree[at].move) in budget.extra_moves)):
            missing = budget.min_visits - self._visits(at)
            if missing > 0:
                self._run(mcts.SIMULATE, at, missing)
                clock.done += missing
        weight = sum(float(self.memory.tree[at].prior) for at in found) or 1.0
        return SearchResult(tuple(self._candidate(at, weight) for at in found), clock.done, self._candidate(0, 1.0))

    def _sequential_halving(self, among: int, clock: _Clock) -> list[int]:
        """The likeliest moves, the best first, by sequential halving (Karnin, Koren, Somekh, "Almost Optimal
        Exploration in Multi-Armed Bandits", 2013): all share a part of the budget, the better half the next, and so on.
        What is better is said by the mean result and, a little, by the prior.
        """
        node, seat, behind = self.memory.tree, int(self.memory.settings.viewer), list[int]()
        likely = [at for at in self._children() if node[at].prior > 0.0] or self._children()
        left = sorted(likely, key=lambda at: -float(node[at].prior))[:among]

        def worth(at: int) -> float:
            prior = PRIOR * log(float(node[at].prior) + 1e-6)
            return prior + float(node[at].value[seat]) / self._visits(at) if self._visits(at) else prior - 1.0

        rounds = ceil(log2(len(left)))
        for number in range(1, rounds + 1):
            for at in cycle(left):
                if not clock.goes_on(number / rounds):
                    break
                self._run(mcts.SIMULATE, at, 1)
                clock.done += 1
            left.sort(key=worth, reverse=True)
            half = (len(left) + 1) // 2
            left, behind = left[:half], left[half:] + behind
        return left + behind

    def visits_after(self, moves: Sequence[int]) -> dict[int, int]:
        """How often each move was tried in the last search after these, which came one after the other."""
        at = 0
        for move in moves:
            at = next((child for child in self._children(at) if int(self.memory.tree[child].move) == move), -1)
            if at < 0:
                return {}
        return {int(self.memory.tree[child].move): self._visits(child) for child in self._children(at)}

    def glance(self, seen: Observation, seed: int, many: int) -> int:
        """The best of so many moves in a hundred, drawn by chance, by one ply of the evaluation; raises as `think`."""
        self._look_at(seen, seed, SearchParams())
        return self._run(mcts.SAMPLE_MOVE, -1, many)

    def _look_at(self, seen: Observation, seed: int, style: SearchParams, *, stand: bool = False) -> None:
        if seen.seat is None or seen.over or (seen.to_decide != seen.seat and not stand):
            raise ValueError("a bot decides only for the seat whose turn it is")
        game, luck = self.setup.game, Rng(seed)
        self.memory.load_state(seen.imagine(next_u64(luck) >> 1).state)
        self.memory.seed(next_u64(luck))
        settings = self.memory.settings
        settings.unit = float(game.evaluation_per_point)
        for field in set(style.__struct_fields__) - {"halving_moves"}:
            setattr(settings, field, getattr(style, field))
        settings.viewer, settings.steps = seen.seat, RESHUFFLE_STEPS

    def _children(self, of: int = 0) -> list[int]:
        found, at = [], int(self.memory.tree[of].first)
        while at >= 0:
            found.append(at)
            at = int(self.memory.tree[at].next)
        return found

    def _visits(self, at: int) -> int:
        return int(self.memory.tree[at].visits)

    def _rank(self, at: int) -> tuple[int, float]:
        return self._visits(at), float(self.memory.tree[at].prior)

    def _candidate(self, at: int, weight: float) -> Candidate:
        node, seats = self.memory.tree[at], self.setup.seats
        visits = int(node.visits)
        results, wins, points = (
            tuple(float(total) / visits for total in sums[:seats]) if visits else ()
            for sums in (node.value, node.won, node.points)
        )
        return Candidate(int(node.move), visits, results, wins, points, float(node.prior) / weight)


class _Clock:
    """Counts simulations and time."""

    def __init__(self, budget: Budget, stopped: Callable[[], bool]) -> None:
        self._budget = budget
        self._stopped = stopped
        self._began = time.thread_time()
        self.done = 0

    def goes_on(self, part: float = 1.0) -> bool:
        """Whether something is left of this part of the budget."""
        most, seconds = self._budget.simulations, self._budget.seconds
        return not (
            self._stopped()
            or (most is not None and self.done >= part * most)
            or (seconds is not None and time.thread_time() - self._began >= part * seconds)
        )
