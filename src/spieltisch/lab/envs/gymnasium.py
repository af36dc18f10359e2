"""Gymnasium: a learner in one seat against bots in the others.

Importing this module registers one environment for each installed game, such as `spieltisch/ParisConnection-v0`, for
`gymnasium.make` and, with many games at once in compiled code, for `gymnasium.make_vec`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from spieltisch import bots as all_bots
from spieltisch.core.errors import IllegalMove, UnknownMove
from spieltisch.core.options import OptionValue
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.games import game, game_modules
from spieltisch.lab.envs import MAX_MOVES, setup_of
from spieltisch.lab.envs.learner_games import learner_game
from spieltisch.lab.vector import VectorEnv
from spieltisch.lab.vector_players import Opponent

ILLEGAL = -1.0
"""The reward of an action that is not a legal move."""

AnyOpponent = TypeVar("AnyOpponent", str, Opponent)
Steps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class LearnerEnv(gymnasium.Env):
    """A game of one learner against bots.

    There are `seats` players, or as few as can play.

    `bots` names a bot for all other seats (any of `spieltisch.bots`), or one for each in the order of seats; `random`
    and `easy` play in compiled code where they can. `seat` is the learner's, drawn again for each game if it is None.
    Observations are `Observation.vector`. `info["action_mask"]` and `action_masks()` have 1 for each legal move;
    sampling takes it: `action_space.sample(info["action_mask"])`. The reward comes at the end: the learner's part of
    the win. After `max_moves` moves the game is truncated, and all share it. An action that is not a legal move ends
    the game with the reward -1 and the reason in `info["refusal"]`.

    Raise OptionError for other seats or options than the game has, UnknownBot, and ValueError for other numbers.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["html"], "render_fps": 1}

    def __init__(
        self,
        key: str,
        *,
        seats: int | None = None,
        bots: str | Sequence[str] = "easy",
        seat: int | None = None,
        max_moves: int = MAX_MOVES,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        self.setup = setup_of(game(key), seats, **options)
        self.bots = _opponents(self.setup, bots, seat)
        for bot in self.bots:
            all_bots.check(bot)
        self.render_mode, self._fixed_seat = render_mode, seat
        self._game, self._is_running = learner_game(self.setup, self.bots, max_moves), False
        spec = self.setup.game.observation_spec
        self.observation_space = Box(spec.low, spec.high, dtype=spec.dtype)
        self.action_space = Discrete(self.setup.game.action_spec.size)

    @property
    def position(self) -> Position:
        """The position, or the last one of a game that has ended."""
        return self._game.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Begin a new game and play it up to the learner's first move. `seed` determines it and the games after it."""
        super().reset(seed=seed)
        chance = self.np_random
        self.seat = int(chance.integers(self.setup.seats)) if self._fixed_seat is None else self._fixed_seat
        self._game.begin(self.seat, int(chance.integers(2**63)))
        self._is_running = True
        return self._game.vector, self._info()

    def step(self, action: int) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Play the learner's move and those of the bots up to its next one. Raise ResetNeeded while no game runs."""
        if not self._is_running:
            raise ResetNeeded("no game runs; reset begins the next one")
        try:
            self._game.play(int(action))
        except (IllegalMove, UnknownMove) as error:
            self._is_running = False
            return self._game.vector, ILLEGAL, True, False, {**self._info(), "refusal": str(error)}
        self._is_running = not (self._game.is_over or self._game.is_stopped)
        return self._game.vector, self._game.reward, self._game.is_over, self._game.is_stopped, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the legal moves, under the name that `MaskablePPO` of sb3-contrib asks for."""
        return self._game.mask

    def render(self) -> str | None:
        """Return the boards that the learner sees as HTML, in the mode "html"."""
        return self.position.observe(self.seat)._repr_html_() if self.render_mode == "html" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}


class LearnerVectorEnv(gymnasium.vector.VectorEnv):
    """Many games of one learner against bots, stepped in compiled code. `gymnasium.make_vec` makes it.

    The settings are those of `LearnerEnv`. `bots` may also be bots themselves, or functions that play many games at
    once, as in `spieltisch.vector.VectorEnv`. Without a `seat`, the learner of game g begins in seat g, counted round
    the table, and moves on by a seat with each new game.
    `reward="points"` gives the points that the learner gained since its last move; `threads` share the games.

    A game that has ended begins again in the same step (`AutoresetMode.SAME_STEP`); `infos["final_obs"]` has its last
    observation. `infos["action_mask"]` has a row for each game. All arrays are copies.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        key: str,
        *,
        num_envs: int = 1,
        seats: int | None = None,
        bots: Opponent | Sequence[Opponent] = "easy",
        seat: int | None = None,
        reward: Literal["win", "points"] = "win",
        max_moves: int = MAX_MOVES,
        threads: int = 1,
        **options: OptionValue,
    ) -> None:
        self.setup = setup_of(game(key), seats, **options)
        self.bots, self.num_envs = _opponents(self.setup, bots, seat), num_envs
        own_seats = [g % self.setup.seats if seat is None else seat for g in range(num_envs)]
        rows = [(*self.bots[:own], None, *self.bots[own:]) for own in own_seats]
        settings: dict[str, Any] = {"reward": reward, "max_moves": max_moves, "threads": threads}
        self._env = VectorEnv(self.setup, num_envs, bots=rows, rotate=seat is None, **settings)
        spec = self.setup.game.observation_spec
        self.single_observation_space = Box(spec.low, spec.high, dtype=spec.dtype)
        self.single_action_space = Discrete(self.setup.game.action_spec.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Begin all games. `seed` determines these and the games after them."""
        super().reset(seed=seed)
        self._env.reset(int(self.np_random.integers(2**62)))
        return self._env.observations.copy(), self._infos()

    def step(self, actions: Any) -> Steps:
        """Play the learner's move in each game and those of the bots up to its next one."""
        env, chosen = self._env, np.array(actions, np.int64)
        games, seats = np.arange(self.num_envs), env.to_move.copy()
        is_legal = (chosen >= 0) & (chosen < env.legal.shape[1])
        is_legal[is_legal] = env.legal[games[is_legal], chosen[is_legal]]
        illegal = np.flatnonzero(~is_legal)
        refused = env.observations[illegal]
        for g in illegal:  # any move, since the game ends
            chosen[g] = env.legal_moves(g)[0]
        env.step(chosen)
        rewards, terminated, truncated = env.rewards[games, seats].astype(np.float64), env.terminated, env.truncated
        finals = env.final_observations.copy()
        rewards[illegal], finals[illegal] = ILLEGAL, refused
        for g in illegal[~(terminated | truncated)[illegal]]:
            env.begin_again(g)
        terminated[illegal], truncated[illegal] = True, False
        infos, ended = self._infos(), terminated | truncated
        if ended.any():
            infos["final_obs"], infos["_final_obs"] = np.full(self.num_envs, None, object), ended
            for g in np.flatnonzero(ended):
                infos["final_obs"][g] = finals[g]
        return env.observations.copy(), rewards, terminated, truncated, infos

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._env.legal.astype(np.int8),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }


def _opponents(setup: Setup, bots: AnyOpponent | Sequence[AnyOpponent], seat: int | None) -> tuple[AnyOpponent, ...]:
    """Return the bots of the other seats. Raise ValueError for other numbers."""
    others = tuple(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else (bots,) * (setup.seats - 1)
    if len(others) != setup.seats - 1:
        raise ValueError(f"{len(others)} bots cannot take {setup.seats - 1} seats")
    if seat is not None and not 0 <= seat < setup.seats:
        raise ValueError(f"there is no seat {seat} among {setup.seats}")
    return others


def _name(key: str) -> str:
    """Return the name of a game's environment: `spieltisch/ParisConnection-v0` for `paris-connection`."""
    return f"spieltisch/{key.title().replace('-', '')}-v0"


for _key in game_modules():
    gymnasium.register(
        _name(_key),
        entry_point=f"{__name__}:LearnerEnv",
        vector_entry_point=f"{__name__}:LearnerVectorEnv",
        kwargs={"key": _key},
    )
