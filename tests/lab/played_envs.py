"""Play, compare and pickle many games at once."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np

from spieltisch.vector import VectorEnv


def shown(env: VectorEnv) -> list[Any]:
    """Return copies of all arrays of an environment."""
    arrays = (env.observations, env.final_observations, env.legal, env.to_move, env.rewards, env.points, env.seeds)
    return [*map(np.copy, arrays), env.terminated, env.truncated, *(env.position(g).digest() for g in range(env.games))]


def are_equal(first_list: list[Any], second_list: list[Any]) -> bool:
    return all(map(np.array_equal, first_list, second_list))


def pickled(env: VectorEnv) -> VectorEnv:
    unpickled: VectorEnv = pickle.loads(pickle.dumps(env))  # noqa: S301  # our own bytes
    return unpickled


def play_on(env: VectorEnv, steps: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    for _ in range(steps):
        env.step([chance.choice(env.legal_moves(g).tolist()) for g in range(env.games)])
