"""Many games at once, compiled, over NumPy arrays: `VectorEnv`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy as np

from spieltisch.bots.search import native_library
from spieltisch.bots.search.vector_buffers import VectorBuffers
from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.compiled import MASK
from spieltisch.core.game import Game
from spieltisch.core.game_loops import BOT_SEED_SALT
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.vector_loops import LOAD, OVER, RESET, STEP, STOPPED, TIED
from spieltisch.games import game as find_game
from spieltisch.lab.envs import MAX_MOVES, setup_of, shares_of_win
from spieltisch.lab.saved_game import SavedGame
from spieltisch.lab.vector_opponents import Opponents, position_of
from spieltisch.lab.vector_players import Bots, Players

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

StepResult: TypeAlias = "tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]"
"""Observations, rewards, terminated, truncated."""


def prepare(key: str) -> Future[Path]:
    """Compile what the environments of a game need in a process of its own, if it is not there; return its future.

    A wheel for this kind of machine contains it. Otherwise it takes half a minute, once per machine and version, which
    the first `VectorEnv` would wait for.

    >>> prepare("paris-connection").result().exists()
    True
    """
    executor = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    future = executor.submit(_build_library, key)
    executor.shutdown(wait=False)
    return future


def _build_library(key: str) -> Path:
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

    `bots` are the players of each seat, or of each game and seat, in one row for each game: None for a learner, the
    name of any bot (`spieltisch.bots`), a bot, or a function that plays many games at once: from their observations
    and the masks of their legal moves to the number of a move in each. Without it all seats are learners. With
    `rotate`, all of them move on by one seat in each new game. Only `random` and `easy` play in compiled code; other
    bots get the observation of their seat, as everywhere. If one fails, begin again with `reset`.

    A step plays one move of the learner to move in each game and the moves of the others after it. Game g begins with
    the seed `seed` + g, and each further game in its place with a seed higher by `games`; `Position` plays the same
    game from that seed. `threads` threads share the games and do not hold the GIL. `copy` (and `copy.deepcopy`) and
    `pickle` make an environment with memory of its own, whose games go on in the same way; `save` and `load` do so for
    one game.

    The arrays are read-only and are written again by the next step; copy what must last:

    - `observations[g]`: the vector of the seat to move (`Game.observation_spec`), the own seat first
    - `legal[g, n]`: True for its legal moves; `legal_moves(g)` lists them
    - `to_move[g]`: the seat to move
    - `rewards[g, p]`: 0 while the game runs; at its end the part of the win of seat p. With `reward="points"`: the
      points that seat p has gained in the step, hidden ones included
    - `features[name][g]`: the same numbers as `observations[g]`, by feature, in their shapes
    - `terminated[g]`, `truncated[g]`: the step ended the game, or stopped it after `max_moves` moves
    - `points[g, p]`, `final_observations[g]`: the points of that game, and the vector of the seat that moved last
    - `seeds[g]`: the seed of the game in play

    >>> env = VectorEnv("paris-connection", 64, seats=3, bots=(None, "easy", "easy"))
    >>> observations = env.reset(seed=1)
    >>> actions = [env.legal_moves(g)[0] for g in range(env.games)]
    >>> observations, rewards, terminated, truncated = env.step(actions)
    >>> observations.shape == (64, env.setup.game.observation_spec.size), rewards.shape, bool(terminated.any())
    (True, (64, 3), False)
    >>> env.copy().position(0) == env.position(0), env.ended_position(0).number
    (True, 0)
    >>> env.load(5, env.save(0))
    >>> env.begin_again(7)
    >>> games, moves = env.all_legal_moves()
    >>> len(moves) == int(env.legal.sum()), env.features["players.shares"].shape
    (True, (64, 6, 6))

    Raise ValueError for other bots or numbers, UnknownBot, OptionError for other seats than the game has, UnknownGame,
    whatever a bot raises, and `NotBuilt` if the steps cannot be compiled here.
    """

    def __init__(
        self,
        game: Setup | Game | str,
        games: SupportsIndex,
        *,
        seats: SupportsIndex | None = None,
        seed: SupportsIndex = 0,
        bots: Bots = (),
        rotate: bool = False,
        reward: Literal["win", "points"] = "win",
        threads: SupportsIndex = 1,
        max_moves: SupportsIndex = MAX_MOVES,
    ) -> None:
        count, workers = require_int("games", games), require_int("threads", threads)
        most = require_int("max_moves", max_moves)
        for name, number in (("games", count), ("threads", workers), ("max_moves", most)):
            if number < 1:
                raise ValueError(f"{name}: {number} is less than 1")
        setup = _setup(game, seats)
        if reward not in ("win", "points"):
            raise ValueError(f"reward: {reward!r} is none of 'win', 'points'")
        self._players = Players(setup)
        self._sitting = players = self._players.rows(bots or (None,) * setup.seats, count)
        rules = setup.game
        file = native_library.find(rules, native_library.VECTOR) or _build_library(rules.key)
        self.setup, self.games, self.bots = setup, count, bots
        self.rotate, self.reward, self.threads, self.max_moves = rotate, reward, workers, most
        self._memory = memory = VectorBuffers(
            setup, count, players, most, workers, rotates=rotate, by_points=reward == "points"
        )
        library = native_library.load(file)
        self._steps = [library.bind_steps(memory, thread) for thread in range(workers)]
        self._opponents = Opponents(setup, memory, self._players, self._steps[0])
        bounds = [count * n // workers for n in range(workers + 1)]
        self._shares = list(pairwise(bounds))
        self.observations: NDArray[np.int16] = _read_only(memory.observations)
        self.features = rules.observation_spec.split(self.observations)
        self.final_observations: NDArray[np.int16] = _read_only(memory.finals)
        self.legal: NDArray[np.bool_] = _read_only(memory.mask.view(np.bool_))
        self.to_move: NDArray[np.int64] = _read_only(memory.to_move)
        self.seeds: NDArray[np.int64] = _read_only(memory.seeds)
        self.points: NDArray[np.int64] = _read_only(memory.totals)
        self.rewards: NDArray[np.float32] = _read_only(memory.rewards)
        self._mask, self._rows = memory.mask.ravel(), np.arange(count) * memory.mask.shape[1]
        self._breaks_ties = reward == "win" and type(rules).winners is not Game.winners
        self.reset(seed)

    def __repr__(self) -> str:
        return f"<VectorEnv {self.setup.game.key}, {self.setup.seats} seats, {self.games} games>"

    def copy(self) -> VectorEnv:
        """Return an environment with memory of its own, whose games go on in the same way."""
        return _restore_env(*self._arguments_for_copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_env, self._arguments_for_copy()

    def _arguments_for_copy(self) -> tuple[Any, ...]:
        settings = {name: getattr(self, name) for name in ("rotate", "reward", "threads", "max_moves")}
        players = self.bots, self._sitting, tuple(self._players.opponents), tuple(self._opponents.answers)
        return self.setup, self.games, settings, players, self._memory.contents()

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

    def reset(self, seed: SupportsIndex | None = None, *, bots: Bots = ()) -> NDArray[np.int16]:
        """Begin all games again, game g with the seed `seed` + g, and return the observations.

        Without a seed the next games follow, as after an end, each with a seed higher by `games`. `bots` are the
        players from now on.
        """
        memory, first = self._memory, None if seed is None else require_int("seed", seed)
        if first is not None and not 0 <= first < 2**62:
            raise ValueError(f"seed: {first} is not from 0 to {2**62 - 1}")
        if bots:
            players = Players(self.setup)
            self._sitting, self.bots = players.rows(bots, self.games), bots
            self._players.opponents[:] = players.opponents  # earlier ones need no memory any more
        if bots or first is not None:
            memory.players[:] = self._sitting
        elif self.rotate:
            memory.players[:] = np.roll(memory.players, 1, axis=1)
        if first is None:
            memory.seeds += self.games
        else:
            memory.seeds[:] = first + np.arange(self.games)
        self._run(RESET)
        self._opponents.play_on(range(self.games))
        return self.observations

    def begin_again(self, g: SupportsIndex) -> None:
        """Begin the next game in the place of game g, as after its end."""
        memory, at = self._memory, self._index(g)
        memory.seeds[at] += self.games
        if self.rotate:
            memory.players[at] = np.roll(memory.players[at], 1)
        self._steps[0](RESET, at, at + 1)
        self._opponents.play_on([at])

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
        scores = memory.scores.copy()
        self._run(STEP)
        self._opponents.play_on(range(self.games), scores)
        self._break_ties()
        return self.observations, self.rewards, self.terminated, self.truncated

    def all_legal_moves(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the legal moves of all games in two arrays: the game of each, ascending, and its number.

        They are short where masks are thousands wide.
        """
        counts = self._memory.counts
        games = np.repeat(np.arange(self.games), counts)
        return games, self._memory.listed[games, np.arange(len(games)) - np.repeat(np.cumsum(counts) - counts, counts)]

    def save(self, g: SupportsIndex) -> SavedGame:
        """Return game g as a value, which `load` takes."""
        memory, at = self._memory, self._index(g)
        return SavedGame(
            self.setup,
            memory.pool[at].tobytes(),
            int(memory.minds[at].rng),
            int(memory.lengths[at]),
            int(memory.seeds[at]),
            tuple(map(self._players.player, memory.players[at].tolist())),
            tuple(memory.scores[at].tolist()) if self.reward == "points" else (),
            self._opponents.answers[at],
        )

    def load(
        self,
        g: SupportsIndex,
        game: SavedGame | Position | Mapping[str, object],
        *,
        seed: SupportsIndex | None = None,
    ) -> None:
        """Go on in the place of game g with a saved game, or from a position or its document, which keeps its players.

        All draws follow from the game, or with `seed` from that; a document has none of its own, and its seed is 0 by
        default. If a bot is to move, it does so. Raise ValueError for another setup or a position that is over, and
        DocumentError.
        """
        memory, at = self._memory, self._index(g)
        source = game if isinstance(game, SavedGame | Position) else self.setup.game.position(game)
        if not source.setup.same_as(self.setup):
            raise ValueError(f"game: {source.setup!r} is another setup than {self.setup!r}")
        if isinstance(source, SavedGame):
            position, saved = position_of(self.setup, source.state), source
        else:
            position, state = source, source.state
            saved = SavedGame(
                self.setup,
                twin.pack(self.setup.game.State, state),
                int(state.rng) ^ BOT_SEED_SALT,
                position.number,
                int(memory.seeds[at]),
                tuple(map(self._players.player, memory.players[at].tolist())),
                (),
                (),
            )
        if position.is_over:
            raise ValueError("game: it is over")
        memory.players[at] = list(map(self._players.number, saved.players))
        memory.pool[at] = np.frombuffer(saved.state, self.setup.game.State)[0]
        memory.minds[at].rng, memory.lengths[at], memory.seeds[at] = saved.bot_rng, saved.moves, saved.seed
        self._opponents.answers[at] = saved.answer
        if seed is not None:
            first = require_int("seed", seed) & MASK
            memory.pool[at].rng, memory.minds[at].rng = first, first ^ BOT_SEED_SALT
        self._steps[0](LOAD, at, at + 1)
        if saved.scores:
            memory.scores[at] = saved.scores
        self._opponents.play_on([at], memory.scores.copy())
        self._break_ties()

    def position(self, g: SupportsIndex) -> Position:
        """Return the position of game g, for people and tests; its history is not known."""
        memory, at = self._memory, self._index(g)
        return position_of(self.setup, memory.pool[at].tobytes(), int(memory.lengths[at]))

    def _index(self, g: SupportsIndex) -> int:
        at = require_int("g", g)
        if not 0 <= at < self.games:
            raise ValueError(f"g: {at} is not from 0 to {self.games - 1}")
        return at

    def ended_position(self, g: SupportsIndex) -> Position:
        """Return the last position of the game that was played before the present one in the place of game g.

        Its number of moves is not known and 0.
        """
        return position_of(self.setup, self._memory.pool[self._memory.ends + self._index(g)].tobytes())

    def _break_ties(self) -> None:
        """Share the win of games that were tied by the rules of the game."""
        for g in np.flatnonzero(self._memory.ended == TIED) if self._breaks_ties else ():
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
    return setup_of(find_game(game) if isinstance(game, str) else game, seats)


def _restore_env(setup: Setup, games: int, settings: dict[str, Any], players: Any, contents: list[Any]) -> VectorEnv:
    env = VectorEnv(setup, games, **settings)  # of learners alone, so that no opponent is asked
    env.bots, env._sitting, env._players.opponents[:], env._opponents.answers[:] = players
    env._memory.restore(contents)
    return env


def _read_only(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
