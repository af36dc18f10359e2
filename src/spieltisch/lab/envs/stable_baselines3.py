"""Stable-Baselines3: many games of a learner against bots as one of its `VecEnv`, with masks for `MaskablePPO`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from spieltisch.lab.envs.gymnasium import LearnerVectorEnv


class LearnerVecEnv(VecEnv):
    """`num_envs` games, stepped in compiled code; the settings are those of `spieltisch.lab.envs.gymnasium`.

    Raise as `LearnerVectorEnv` does.
    """

    def __init__(self, key: str, num_envs: int = 1, **settings: Any) -> None:
        self._games = LearnerVectorEnv(key, num_envs=num_envs, **settings)
        super().__init__(num_envs, self._games.single_observation_space, self._games.single_action_space)

    def reset(self) -> NDArray[np.int16]:
        """Begin all games; the seed of the first one determines them."""
        observations, infos = self._games.reset(seed=self._seeds[0])
        self._masks = infos["action_mask"].astype(np.bool_)
        self._reset_seeds()
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learner's moves."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play them, and those of the bots."""
        observations, rewards, terminated, truncated, infos = self._games.step(self._actions)
        self._masks, ended = infos["action_mask"].astype(np.bool_), terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for g in np.flatnonzero(ended):
            told[g] = {"terminal_observation": infos["final_obs"][g], "TimeLimit.truncated": bool(~terminated[g])}
        return observations, rewards.astype(np.float32), ended, told

    def close(self) -> None:
        """Do nothing: the games need no end."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each game: `action_masks`, or `render_mode`, which is None."""
        if attr_name not in ("action_masks", "render_mode"):
            raise AttributeError(attr_name)
        return [partial(self._mask, g) if attr_name == "action_masks" else None for g in self._get_indices(indices)]

    def _mask(self, g: int) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self._masks[g]
        return mask

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError: games have no attributes that can be set."""
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Return what a method of each game returns: `action_masks` alone."""
        return [method(*args, **kwargs) for method in self.get_attr(method_name, indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> Sequence[bool]:
        """Return False for each game."""
        return [False for _ in self._get_indices(indices)]
