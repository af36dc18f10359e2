"""The searcher: from the bytes of an observation to rated moves, by the search of `mcts.py`."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from math import ceil, exp, log, log2
from threading import Semaphore
from typing import Final, NamedTuple, TypeAlias

import msgspec

from spieltisch.bots.search import mcts
from spieltisch.bots.search.native_library import Library
from spieltisch.bots.search.search_buffers import SearchBuffers
from spieltisch.core.calibration import standard_error
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup

NODES: Final = 120_000
"""The number of move sequences that a tree can hold: 27 MB, of which only what is used takes up memory."""
CLOCK_INTERVAL: Final = 4
"""The largest number of simulations between two checks of the clock."""
RESHUFFLE_STEPS: Final = 20
"""The steps of reshuffling before each simulation."""

MoveBonus: TypeAlias = Callable[[Observation, Move], float]
"""A function that returns the points by which a seat prefers a move beyond what it is worth (`bots.styles`)."""

PRIOR: Final = 0.05
"""The weight of a prior e times as large, relative to the mean result, in sequential halving."""


class SearchParams(msgspec.Struct, frozen=True):
    """The parameters of a search apart from its budget: the fields of `mcts.Settings`, in points and shares.

    `halving_moves` is the number of moves among which sequential halving distributes the simulations of the decision
    itself (0: as in the rest of the tree).
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
    """The budget of a search: a number of simulations, and as a cap the seconds of processor time of the thread.

    Equal seeds give equal moves as long as the cap is not reached; without a number of simulations only the time
    decides.
    """

    simulations: int | None = None
    seconds: float | None = None
    report_moves: int = 0
    """The number of best moves that get a result worth showing: each is tried `min_visits` times."""
    min_visits: int = 0
    extra_moves: tuple[int, ...] = ()
    """Further moves, by their numbers, that are tried as often, regardless of how the search rates them."""
    threads: int = 1
    """The number of threads that share the simulations and the tree; each has `seconds`."""
    evaluate_only: bool = False
    """Estimate the position instead of choosing a move.

    Allowed when another seat is to decide, or only one move is legal.
    """


class Candidate(msgspec.Struct, frozen=True):
    """A move that was considered.

    - `move`: its number
    - `visits`: the number of trials
    - `results`: each seat's mean result, from 0 to 1: mostly who won, and a little by how much
    - `wins`: each seat's share of the simulated games that it won
    - `points`: each seat's mean points
    - `prior`: its share of all priors
    """

    move: int
    visits: int
    results: tuple[float, ...]
    wins: tuple[float, ...]
    points: tuple[float, ...]
    prior: float

    def won(self, seat: int) -> float:
        """Return the share of the simulated games that a seat won."""
        return min(1.0, max(0.0, self.wins[seat]))

    def doubt(self, seat: int) -> float:
        """Return the standard error of `won`."""
        return standard_error(self.won(seat), self.visits)


class SearchResult(msgspec.Struct, frozen=True):
    """The result of a search.

    It has the moves, best first, the number of simulations, and the total over all of them, regardless of the move.
    """

    candidates: tuple[Candidate, ...]
    simulations: int
    total: Candidate

    @property
    def move(self) -> int:
        """The number of the best move."""
        return self.candidates[0].move

    def of(self, move: int) -> Candidate:
        """Return the result for a legal move."""
        return next(candidate for candidate in self.candidates if candidate.move == move)


class Sample(NamedTuple):
    """The end of one simulated game: each seat's points and share of the win."""

    points: tuple[float, ...]
    won: tuple[float, ...]


class Searcher:
    """A searcher for one setup. It reuses its memory from one search to the next, but no results.

    With a `library` it runs compiled, otherwise as the setup's game does. Up to `threads` threads may share its tree.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> searcher = Searcher(position.setup, nodes=500)
    >>> result = searcher.search(position.observe(position.seat), 1, Budget(8), SearchParams(max_playout=2))
    >>> result.move in position.legal_moves.numbers, result.simulations
    (True, 8)
    """

    def __init__(self, setup: Setup, nodes: int = NODES, library: Library | None = None, threads: int = 1) -> None:
        self.setup = setup
        native = library is not None or setup.game.compiled
        self.memory = memory = SearchBuffers(setup, nodes, native=native)
        self._memories = [memory, *(SearchBuffers(setup, 0, native=native, host=memory) for _ in range(1, threads))]
        self._runs = [self._bind_search(memory, library) for memory in self._memories]
        self._run = self._runs[0]

    def _bind_search(self, memory: SearchBuffers, library: Library | None) -> Callable[[int, int, int], int]:
        """Return `mcts.search` for one thread's memory; its arguments are the command, the child and the count."""
        if library is not None:
            return library.bind(memory)
        search = self.setup.game.engine.bind_module(mcts.search).bind(mcts.search)
        return lambda command, first_child, count: int(search(*memory.arguments(command, first_child, count)))

    def search(
        self,
        seen: Observation,
        seed: int,
        budget: Budget,
        style: SearchParams,
        stopped: Callable[[], bool] = lambda: False,
        bonus: MoveBonus | None = None,
    ) -> SearchResult:
        """Search for the observing seat; the move that was tried most is best.

        The first `budget.report_moves` and the `extra_moves` are tried until each has `budget.min_visits`. The moves
        that `likes` accepts get a higher prior. The search ends early when `stopped` returns True. Raise ValueError if
        it is not the seat's decision, unless the budget is `evaluate_only`.
        """
        legal_count = self.begin(seen, seed, style, bonus, evaluate_only=budget.evaluate_only)
        clock = _Clock(budget, stopped)
        best = (
            self._sequential_halving(style.halving_moves, clock)
            if style.halving_moves and legal_count > 1 and not budget.evaluate_only
            else []
        )
        if legal_count > 1 or budget.evaluate_only:
            self._simulate(clock)
        nodes = best + sorted((at for at in self._children() if at not in best), key=self._rank, reverse=True)
        reported = nodes[: budget.report_moves] if clock.done else []
        for at in (*reported, *(at for at in nodes if int(self.memory.tree[at].move) in budget.extra_moves)):
            missing = budget.min_visits - self._visits(at)
            if missing > 0:
                self._run(mcts.SIMULATE, at, missing)
                clock.done += missing
        weight = sum(float(self.memory.tree[at].prior) for at in nodes) or 1.0
        return SearchResult(tuple(self._candidate(at, weight) for at in nodes), clock.done, self._candidate(0, 1.0))

    def begin(
        self,
        seen: Observation,
        seed: int,
        style: SearchParams,
        bonus: MoveBonus | None = None,
        after: int | None = None,
        *,
        evaluate_only: bool = False,
    ) -> int:
        """Begin to search a decision; return the number of its moves. Raise as `search` does.

        With `after`, the move that led here from the decision before, what the tree knows of this decision is kept.
        """
        children = [] if after is None else self._children()
        kept = next((at for at in children if int(self.memory.tree[at].move) == after), -1)
        self._load(seen, seed, style, evaluate_only=evaluate_only)
        if kept >= 0 and int(self.memory.tree[kept].first) >= 0:
            self.memory.move_root(kept)
            count = len(self._children())
        else:
            count = self._run(mcts.EXPAND_ROOT, -1, 0)
        if bonus is not None:
            for node in (self.memory.tree[at] for at in self._children()):
                node.prior *= exp(bonus(seen, self.setup.move(int(node.move))) / style.temperature)
        return count

    def simulate(self, budget: Budget) -> None:
        """Continue the search that has begun, in as many threads as the budget has.

        Threads take turns at the tree, and one of them plays a simulation to its end while another begins one. Which
        simulations begin before which end is therefore always the same, and with it the tree.
        """
        if budget.threads == 1:
            self._simulate(_Clock(budget, lambda: False))
            return
        may_go, started, stopped = [Semaphore(0) for _ in range(budget.threads)], 0, False

        def work(number: int) -> None:
            nonlocal started, stopped
            run, begun = self._runs[number], False
            clock = _Clock(Budget(seconds=budget.seconds), lambda: stopped)
            try:
                while True:
                    may_go[number].acquire()
                    if begun:
                        run(mcts.BACK_UP, -1, 1)
                    begun = clock.has_time() and (budget.simulations is None or started < budget.simulations)
                    if not begun:
                        break
                    started += 1
                    run(mcts.SELECT, -1, 1)
                    may_go[(number + 1) % budget.threads].release()
                    run(mcts.PLAY_OUT, -1, 1)
            finally:
                stopped = True
                may_go[(number + 1) % budget.threads].release()

        may_go[0].release()
        with ThreadPoolExecutor(budget.threads) as threads:
            for done in [threads.submit(work, number) for number in range(budget.threads)]:
                done.result()

    def _simulate(self, clock: "_Clock") -> None:
        while clock.has_time():
            count = clock.next_count()
            self._run(mcts.SIMULATE, -1, count)
            clock.done += count

    def _sequential_halving(self, count: int, clock: "_Clock") -> list[int]:
        """Return the most promising moves, best first, by sequential halving.

        Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013: all moves share a part of the
        budget, the better half the next part, and so on. Moves are compared by the mean result and, a little, by the
        prior.
        """
        node, seat, eliminated = self.memory.tree, int(self.memory.settings.viewer), list[int]()
        candidates = [at for at in self._children() if node[at].prior > 0.0] or self._children()
        left = sorted(candidates, key=lambda at: -float(node[at].prior))[:count]

        def visit_value(at: int) -> float:
            prior = PRIOR * log(float(node[at].prior) + 1e-6)
            return prior + float(node[at].value[seat]) / self._visits(at) if self._visits(at) else prior - 1.0

        rounds = ceil(log2(len(left)))
        for number in range(1, rounds + 1):
            for at in cycle(left):
                if not clock.has_time(number / rounds):
                    break
                self._run(mcts.SIMULATE, at, 1)
                clock.done += 1
            left.sort(key=visit_value, reverse=True)
            half = (len(left) + 1) // 2
            left, eliminated = left[:half], left[half:] + eliminated
        return left + eliminated

    def gains(self, seen: Observation, seed: int) -> dict[int, float]:
        """Return the evaluation one ply ahead of each legal move, in points, by its number. Raise as `search` does."""
        self.begin(seen, seed, SearchParams())
        nodes, unit = self.memory.tree, float(self.setup.game.evaluation_per_point)
        return {int(nodes[at].move): float(nodes[at].gain) / unit for at in self._children()}

    def tried(self) -> dict[int, tuple[int, float]]:
        """Return the visits and the prior of each move of the decision, by its number."""
        nodes = (self.memory.tree[at] for at in self._children())
        return {int(node.move): (int(node.visits), float(node.prior)) for node in nodes}

    def win_shares(self) -> dict[int, float]:
        """Return the viewer's share of the win after each move of the decision, with one more playout that is lost."""
        seat, tree = int(self.memory.settings.viewer), self.memory.tree
        return {int(tree[at].move): float(tree[at].won[seat]) / (self._visits(at) + 1) for at in self._children()}

    def visits_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Return the visits of each move after this sequence of moves in the last search."""
        at = 0
        for move in moves:
            at = next((child for child in self._children(at) if int(self.memory.tree[child].move) == move), -1)
            if at < 0:
                return {}
        return {int(self.memory.tree[child].move): self._visits(child) for child in self._children(at)}

    def samples(self, seen: Observation, move: int, seed: int, style: SearchParams) -> Iterator[Sample]:
        """Yield simulated games after a legal move, endlessly; this uses the searcher's memory.

        The n-th games of two moves, with the same seed, take place in the same world, and chance is the same in each of
        their turns: their difference varies less than either. Raise as `search` does.
        """
        self._load(seen, seed, style)
        self.memory.settings.paired = 1
        self._run(mcts.EXPAND_ROOT, -1, 0)
        child = next(at for at in self._children() if int(self.memory.tree[at].move) == move)
        rng, seats = Rng(seed), self.setup.seats
        while True:
            self.memory.seed(next_u64(rng))
            self._run(mcts.SIMULATE, child, 1)
            points, won = self.memory.look[:seats], self.memory.out[mcts.MAX_SEATS : mcts.MAX_SEATS + seats]
            yield Sample(tuple(map(float, points)), tuple(map(float, won)))

    def glance(self, seen: Observation, seed: int, count: int) -> int:
        """Return the best of a random `count` percent of the moves, one ply ahead. Raise as `search` does."""
        self._load(seen, seed, SearchParams())
        return self._run(mcts.SAMPLE_MOVE, -1, count)

    def _load(self, seen: Observation, seed: int, style: SearchParams, *, evaluate_only: bool = False) -> None:
        if seen.seat is None or seen.is_over or (seen.to_decide != seen.seat and not evaluate_only):
            raise ValueError("a bot decides only for the seat whose turn it is")
        game, rng = self.setup.game, Rng(seed)
        state = seen.imagine(next_u64(rng) >> 1).state
        for memory in self._memories:
            memory.load_state(state)
            memory.seed(next_u64(rng))
        settings = self.memory.settings
        settings.unit = float(game.evaluation_per_point)
        for field in set(style.__struct_fields__) - {"halving_moves"}:
            setattr(settings, field, getattr(style, field))
        settings.viewer, settings.steps, settings.paired = seen.seat, RESHUFFLE_STEPS, 0

    def _children(self, parent: int = 0) -> list[int]:
        nodes, at = [], int(self.memory.tree[parent].first)
        while at >= 0:
            nodes.append(at)
            at = int(self.memory.tree[at].next)
        return nodes

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
    """A counter of simulations and time."""

    def __init__(self, budget: Budget, stopped: Callable[[], bool]) -> None:
        self._budget = budget
        self._stopped = stopped
        self._began = time.thread_time()
        self.done = 0

    def next_count(self) -> int:
        """Return the number of simulations before the clock is checked again."""
        simulations = self._budget.simulations
        return CLOCK_INTERVAL if simulations is None else min(CLOCK_INTERVAL, simulations - self.done)

    def has_time(self, share: float = 1.0) -> bool:
        """Return True if something is left of this share of the budget."""
        simulations, seconds = self._budget.simulations, self._budget.seconds
        return not (
            self._stopped()
            or (simulations is not None and self.done >= share * simulations)
            or (seconds is not None and time.thread_time() - self._began >= share * seconds)
        )
