"""Many games at once, compiled, over NumPy arrays: `VectorEnv`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

from spieltisch.bots.search import native_library
from spieltisch.bots.search.vector_buffers import VectorBuffers
from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.game import Game
from spieltisch.core.game_loops import GREEDY, RANDOM
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.vector_loops import LEARNER, OVER, RESET, STEP, STOPPED, TIED
from spieltisch.games import game as find_game
from spieltisch.lab.envs import MAX_MOVES, shares_of_win

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

StepResult: TypeAlias = "tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]"
"""Observations, rewards, terminated, truncated."""

BOTS = {None: LEARNER, "random": RANDOM, "easy": GREEDY}
"""The players of seats: a learner, whose moves are the actions, or a compiled bot."""


def prepare(key: str) -> Future[Path]:
    """Compile what the environments of a game need in a process of its own, if it is not there; return its future.

    A wheel for this kind of machine contains it. Otherwise it takes half a minute, once per machine and version, which
    the first `VectorEnv` would wait for.
    """
    executor = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    future = executor.submit(_built, key)
    executor.shutdown(wait=False)
    return future


def _built(key: str) -> Path:
    return native_library.build(key, what=native_library.VECTOR)


@cache
def _threads(count: int) -> ThreadPoolExecutor:
    """Return threads that all environments of this process share."""
    return ThreadPoolExecutor(count)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a child has none of them, and would wait for ever


class VectorEnv:
    """`games` games with one setup, each played on by a step, with a new game wherever one has ended.

    `game` is a setup, or a game or its name, for `seats` players or as few as can play.

    `bots` names the player of each seat: "random", "easy", or None for a learner. Without it all seats are learners.
    A step plays one move of the learner to move in each game and the moves of bots after it. Game g begins with
    the seed `seed` + g, and each further game in its place with a seed higher by `games`; `Position` plays the same
    game from that seed. `threads` threads share the games and do not hold the GIL. `copy` (and `copy.deepcopy`) and
    `pickle` make an environment with memory of its own, whose games go on in the same way.

    The arrays are read-only and are written again by the next step; copy what must last:

    - `observations[g]`: the vector of the seat to move (`Game.observation_spec`), the own seat first
    - `legal[g, n]`: True for its legal moves; `legal_moves(g)` lists them
    - `to_move[g]`: the seat to move
    - `rewards[g, p]`: 0 while the game runs; at its end the part of the win of seat p
    - `terminated[g]`, `truncated[g]`: the step ended the game, or stopped it after `max_moves` moves
    - `points[g, p]`, `final_observations[g]`: the points of that game, and the vector of the seat that moved last
    - `seeds[g]`: the seed of the game in play

    Raise ValueError for other bots or numbers, OptionError for other seats than the game has, UnknownGame, and
    `NotBuilt` if the steps cannot be compiled here.
    """

    def __init__(
        self,
        game: Setup | Game | str,
        games: SupportsIndex,
        *,
        seats: SupportsIndex | None = None,
        seed: SupportsIndex = 0,
        bots: Sequence[str | None] = (),
        threads: SupportsIndex = 1,
        max_moves: SupportsIndex = MAX_MOVES,
    ) -> None:
        count, workers = require_int("games", games), require_int("threads", threads)
        most = require_int("max_moves", max_moves)
        for name, number in (("games", count), ("threads", workers), ("max_moves", most)):
            if number < 1:
                raise ValueError(f"{name}: {number} is less than 1")
        setup = _setup(game, seats)
        players = tuple(bots) or (None,) * setup.seats
        if len(players) != setup.seats:
            raise ValueError(f"{len(players)} bots cannot take {setup.seats} seats")
        for bot in players:
            if bot not in BOTS:
                raise ValueError(f"bots: {bot!r} is none of None, 'random', 'easy'")
        if None not in players:
            raise ValueError("bots: no seat is left for a learner")
        rules = setup.game
        if "easy" in players and rules.has_hidden_information and rules.moves_reveal:
            raise ValueError(f"bots: easy bots would know too much in {rules.key}, whose moves reveal what is hidden")
        file = native_library.find(rules, native_library.VECTOR) or _built(rules.key)
        self.setup, self.games, self.bots = setup, count, players
        self.threads, self.max_moves = workers, most
        self._memory = memory = VectorBuffers(setup, count, [BOTS[bot] for bot in players], most, workers)
        library = native_library.load(file)
        self._steps = [library.bind_steps(memory, thread) for thread in range(workers)]
        bounds = [count * n // workers for n in range(workers + 1)]
        self._shares = list(pairwise(bounds))
        self.observations: NDArray[np.int16] = _read_only(memory.observations)
        self.final_observations: NDArray[np.int16] = _read_only(memory.finals)
        self.legal: NDArray[np.bool_] = _read_only(memory.mask.view(np.bool_))
        self.to_move, self.seeds, self.points = map(_read_only, (memory.to_move, memory.seeds, memory.totals))
        self.rewards: NDArray[np.float32] = _read_only(memory.rewards)
        self._mask, self._rows = memory.mask.ravel(), np.arange(count) * memory.mask.shape[1]
        self._breaks_ties = type(rules).winners is not Game.winners
        self.reset(seed)

    def copy(self) -> VectorEnv:
        """Return an environment with memory of its own, whose games go on in the same way."""
        return _restored(*self._parts())

    def __copy__(self) -> VectorEnv:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        return self.setup, self.games, self.bots, self.threads, self.max_moves, self._memory.contents()

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """True for each game that the last step ended."""
        return np.greater_equal(self._memory.ended, OVER)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """True for each game that the last step stopped."""
        return np.equal(self._memory.ended, STOPPED)

    def legal_moves(self, g: SupportsIndex) -> NDArray[np.int32]:
        """Return the numbers of the legal moves of the seat to move in game g, ascending."""
        memory = self._memory
        moves: NDArray[np.int32] = _read_only(memory.listed[g, : memory.counts[g]])
        return moves

    def reset(self, seed: SupportsIndex | None = None) -> NDArray[np.int16]:
        """Begin all games again, game g with the seed `seed` + g, and return the observations.

        Without a seed the next games follow, as after an end, each with a seed higher by `games`.
        """
        if seed is None:
            self._memory.seeds += self.games
        else:
            first = require_int("seed", seed)
            if not 0 <= first < 2**62:
                raise ValueError(f"seed: {first} is not from 0 to {2**62 - 1}")
            self._memory.seeds[:] = first + np.arange(self.games)
        self._run(RESET)
        return self.observations

    def step(self, actions: ArrayLike) -> StepResult:
        """Play a move in each game; return observations, rewards, terminated and truncated.

        Raise ValueError, with nothing played, if an action is not a legal move.
        """
        chosen = np.asarray(actions)
        memory = self._memory
        if chosen.shape != (self.games,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.games} numbers of moves are needed, not {chosen.dtype} of {chosen.shape}")
        moves = memory.mask.shape[1]
        is_legal = chosen.min() >= 0 and chosen.max() < moves
        if is_legal:
            memory.actions[:] = chosen
            is_legal = self._mask.take(memory.actions + self._rows).all()
        if not is_legal:
            legal = np.array([0 <= n < moves and memory.mask[g, n] for g, n in enumerate(chosen.tolist())])
            wrong = int(np.argmin(legal))
            raise ValueError(f"actions: {int(chosen[wrong])} is not a legal move in game {wrong}")
        self._run(STEP)
        if self._breaks_ties:
            self._break_ties()
        return self.observations, self.rewards, self.terminated, self.truncated

    def position(self, g: SupportsIndex) -> Position:
        """Return the position of game g, for people and tests; its history is not known."""
        return self._position(require_int("g", g))

    def ended_position(self, g: SupportsIndex) -> Position:
        """Return the last position of the game that was played before the present one in the place of game g."""
        return self._position(self._memory.ends + require_int("g", g))

    def _position(self, slot: int) -> Position:
        return Position.of_twin(self.setup, twin.unpack(self.setup.game.State, self._memory.pool[slot].tobytes()))

    def _break_ties(self) -> None:
        """Share the win of games that were tied by the rules of the game."""
        for g in np.flatnonzero(self._memory.ended == TIED):
            winners = self.setup.game.winners(self.points[g].tolist(), self.ended_position(g).observe(None))
            self._memory.rewards[g] = shares_of_win(self.setup.seats, winners)

    def _run(self, command: int) -> None:
        (first, last), *others = self._shares
        futures = [
            _threads(len(others)).submit(step, command, *share)
            for step, share in zip(self._steps[1:], others, strict=True)
        ]
        self._steps[0](command, first, last)
        for future in futures:
            future.result()


def _setup(game: Setup | Game | str, seats: SupportsIndex | None) -> Setup:
    if isinstance(game, Setup):
        if seats is not None and require_int("seats", seats) != game.seats:
            raise ValueError(f"seats: the setup has {game.seats}")
        return game
    rules = find_game(game) if isinstance(game, str) else game
    return rules.setup(rules.seats.start if seats is None else seats)


def _restored(
    setup: Setup, games: int, bots: tuple[str | None, ...], threads: int, max_moves: int, contents: list[Any]
) -> VectorEnv:
    env = VectorEnv(setup, games, bots=bots, threads=threads, max_moves=max_moves)
    env._memory.restore(contents)
    return env


def _read_only(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
