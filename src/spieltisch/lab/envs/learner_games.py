"""A game of one learner against bots, move by move in Python or in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from spieltisch import bots as all_bots
from spieltisch.bots.search.native_library import NotBuilt
from spieltisch.core.chance import Rng
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.lab.envs import rewards_of
from spieltisch.lab.vector import VectorEnv
from spieltisch.lab.vector_players import plays_compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


class CompiledGame:
    """A game that is stepped in compiled code."""

    def __init__(self, setup: Setup, bots: Sequence[str], max_moves: int) -> None:
        self._bots = bots
        self._env = VectorEnv(setup, 1, bots=(None, *bots), max_moves=max_moves)
        self.is_over = self.is_stopped = False

    @property
    def position(self) -> Position:
        """The position, or the last one."""
        return self._env.ended_position(0) if self.is_over or self.is_stopped else self._env.position(0)

    @property
    def vector(self) -> NDArray[np.int16]:
        """The learner's observation as numbers."""
        env = self._env
        vectors = env.final_observations if self.is_over or self.is_stopped else env.observations
        vector: NDArray[np.int16] = vectors[0].copy()
        return vector

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The learner's legal moves; none after the end."""
        mask: NDArray[np.bool_] = self._env.legal[0] & (not (self.is_over or self.is_stopped))
        return mask

    @property
    def reward(self) -> float:
        """The learner's part of the win; 0 while the game runs."""
        return float(self._env.rewards[0, self._seat])

    def begin(self, seat: int, seed: int) -> None:
        """Begin a new game, with the learner in this seat."""
        self._seat, self.is_over, self.is_stopped = seat, False, False
        self._env.reset(seed % 2**62, bots=(*self._bots[:seat], None, *self._bots[seat:]))

    def play(self, action: int) -> None:
        """Play a move of the learner and those of the bots after it."""
        env = self._env
        if not (0 <= action < env.legal.shape[1] and env.legal[0, action]):
            self.position.play(action)  # says why not
        env.step([action])
        self.is_over, self.is_stopped = bool(env.terminated[0]), bool(env.truncated[0])


class PythonGame:
    """A game that is played on a position, against any bots."""

    def __init__(self, setup: Setup, bots: Sequence[str], max_moves: int) -> None:
        self._setup, self._bots, self._max_moves = setup, bots, max_moves

    @property
    def vector(self) -> NDArray[np.int16]:
        """The learner's observation as numbers."""
        return self.position.observe(self._seat).vector

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The learner's legal moves; none after the end."""
        return self.position.legal_moves.mask & (self.position.seat == self._seat and not self.is_stopped)

    @property
    def reward(self) -> float:
        """The learner's part of the win; 0 while the game runs."""
        return rewards_of(self.position)[self._seat] if self.is_over or self.is_stopped else 0.0

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.position.is_over

    @property
    def is_stopped(self) -> bool:
        """True if the game was stopped."""
        return not self.is_over and self.position.number >= self._max_moves

    def begin(self, seat: int, seed: int) -> None:
        """Begin a new game, with the learner in this seat."""
        self._seat, self._chance, self._turns = seat, Rng(seed), all_bots.Turns()
        self.position = Position.start(self._setup, seed=seed)
        self._names = (*self._bots[:seat], "", *self._bots[seat:])
        self._play_bots()

    def play(self, action: int) -> None:
        """Play a move of the learner and those of the bots after it."""
        self.position.play(action, seat=self._seat)
        self._play_bots()

    def _play_bots(self) -> None:
        position = self.position
        while (seat := position.seat) is not None and seat != self._seat and not self.is_stopped:
            move = self._turns.decide(self._names[seat], position.observe(seat), lambda: self._chance.below(2**63))
            position.play(move)


def learner_game(setup: Setup, bots: Sequence[str], max_moves: int) -> CompiledGame | PythonGame:
    """Return a game against these bots, in compiled code if all of them can play there and it can be compiled."""
    if all(plays_compiled(setup.game, bot) for bot in bots):
        try:
            return CompiledGame(setup, bots, max_moves)
        except NotBuilt:  # there is neither a library nor Numba
            pass
    return PythonGame(setup, bots, max_moves)
