"""Gymnasium: a learner in one seat against bots in the others.

Importing this module registers one environment for each installed game, such as `spieltisch/ParisConnection-v0`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from spieltisch import bots as all_bots
from spieltisch.core.errors import IllegalMove, UnknownMove
from spieltisch.core.options import OptionValue
from spieltisch.core.position import Position
from spieltisch.games import game, game_modules
from spieltisch.lab.envs import MAX_MOVES, rewards_of

ILLEGAL = -1.0
"""The reward of an action that is not a legal move."""


class LearnerEnv(gymnasium.Env):
    """A game of one learner against bots.

    `bots` names a bot for all other seats (any of `spieltisch.bots`), or one for each in the order of seats; `seat` is
    the learner's, drawn again for each game if it is None. Observations are `Observation.vector`. `info["action_mask"]`
    and `action_masks()` have 1 for each legal move; sampling takes it: `action_space.sample(info["action_mask"])`. The
    reward comes at the end: the learner's part of the win. After `max_moves` moves the game is truncated, and all share
    it. An action that is not a legal move ends the game with the reward -1 and the reason in `info["refusal"]`.

    Raise OptionError for other seats or options than the game has, UnknownBot, and ValueError for other numbers.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["html"], "render_fps": 1}

    def __init__(
        self,
        key: str,
        *,
        seats: int = 3,
        bots: str | Sequence[str] = "easy",
        seat: int | None = None,
        max_moves: int = MAX_MOVES,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        self.setup = game(key).setup(seats, None, **options)
        self.bots = (bots,) * (seats - 1) if isinstance(bots, str) else tuple(bots)
        if len(self.bots) != seats - 1:
            raise ValueError(f"{len(self.bots)} bots cannot take {seats - 1} seats")
        for bot in self.bots:
            all_bots.check(bot)
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat} among {seats}")
        self.max_moves, self.render_mode, self._fixed_seat = max_moves, render_mode, seat
        spec = self.setup.game.observation_spec
        self.observation_space = Box(spec.low, spec.high, dtype=spec.dtype)
        self.action_space = Discrete(self.setup.game.action_spec.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Begin a new game and play it up to the learner's first move. `seed` determines it and the games after it."""
        super().reset(seed=seed)
        chance = self.np_random
        self.seat = int(chance.integers(self.setup.seats)) if self._fixed_seat is None else self._fixed_seat
        self.position = Position.start(self.setup, seed=chance.integers(2**63))
        self._turns = all_bots.Turns()
        others = (seat for seat in range(self.setup.seats) if seat != self.seat)
        self._names = dict(zip(others, self.bots, strict=True))
        self._play_bots()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Play the learner's move and those of the bots up to its next one."""
        try:
            self.position.play(action, seat=self.seat)
        except (IllegalMove, UnknownMove) as error:
            return self._seen(), ILLEGAL, True, False, {**self._info(), "refusal": str(error)}
        self._play_bots()
        over = self.position.is_over
        truncated = not over and self._is_stopped
        reward = rewards_of(self.position)[self.seat] if over or truncated else 0.0
        return self._seen(), reward, over, truncated, self._info()

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Return the mask of the legal moves, under the name that `MaskablePPO` of sb3-contrib asks for."""
        position = self.position
        return position.legal_moves.mask if position.seat == self.seat else np.zeros(self.action_space.n, bool)

    def render(self) -> str | None:
        """Return the boards that the learner sees as HTML, in the mode "html"."""
        return self.position.observe(self.seat)._repr_html_() if self.render_mode == "html" else None

    @property
    def _is_stopped(self) -> bool:
        return self.position.number >= self.max_moves

    def _play_bots(self) -> None:
        position = self.position
        while (seat := position.seat) is not None and seat != self.seat and not self._is_stopped:
            seen, seed = position.observe(seat), lambda: int(self.np_random.integers(2**63))
            position.play(self._turns.decide(self._names[seat], seen, seed))

    def _seen(self) -> np.ndarray[Any, Any]:
        return self.position.observe(self.seat).vector

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}


def _name(key: str) -> str:
    """Return the name of a game's environment: `spieltisch/ParisConnection-v0` for `paris-connection`."""
    return f"spieltisch/{key.title().replace('-', '')}-v0"


for _key in game_modules():
    gymnasium.register(_name(_key), entry_point=f"{__name__}:LearnerEnv", kwargs={"key": _key})
