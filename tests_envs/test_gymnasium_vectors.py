"""Check many games at once as a vector environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers
from tests_envs.gymnasium_names import NAMES

import spieltisch.lab.envs.gymnasium  # noqa: F401  # registers
from spieltisch.games import GAMES


def vectors(key: str = "legendary-inventors", **settings: Any) -> Any:
    return gymnasium.make_vec(f"spieltisch/{NAMES[key]}-v0", num_envs=6, seats=3, bots="random", **settings)


def sampled(envs: Any, infos: dict[str, Any]) -> Any:
    return envs.action_space.sample(tuple(infos["action_mask"]))


@pytest.mark.parametrize("key", GAMES)
def test_many_games_are_stepped_as_one_vector_environment(key: str) -> None:
    envs = vectors(key, seat=1)
    assert isinstance(envs.unwrapped, gymnasium.vector.VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=4)
    envs.action_space.seed(4)
    inner = envs.unwrapped._env
    for _ in range(30):
        assert observations in envs.observation_space
        assert observations[0] in envs.single_observation_space
        for g in range(6):
            assert inner.position(g).seat == 1
            assert tuple(np.flatnonzero(infos["action_mask"][g])) == inner.position(g).legal_moves.numbers
        observations, rewards, terminated, truncated, infos = envs.step(sampled(envs, infos))
        assert rewards.shape == terminated.shape == truncated.shape == (6,)
        assert observations is not inner.observations
    again, _ = envs.reset(seed=4)
    assert (again == vectors(key, seat=1).reset(seed=4)[0]).all()


def test_finished_games_are_reported_and_the_learner_changes_its_seat() -> None:
    envs = vectors(max_moves=30)
    _, infos = envs.reset(seed=4)
    envs.action_space.seed(4)
    seats, ends = envs.unwrapped._env.to_move.tolist(), 0
    assert seats == [0, 1, 2, 0, 1, 2]
    while ends < 12:
        _, rewards, terminated, truncated, infos = envs.step(sampled(envs, infos))
        ended = terminated | truncated
        assert ("final_obs" in infos) is bool(ended.any())
        for g in np.flatnonzero(ended):
            assert infos["final_obs"][g] in envs.single_observation_space
            assert rewards[g] == pytest.approx(1 / 3)
            seats[g], ends = (seats[g] + 1) % 3, ends + 1
        assert envs.unwrapped._env.to_move.tolist() == seats


def test_an_illegal_action_ends_only_its_own_game() -> None:
    envs = vectors()
    observations, infos = envs.reset(seed=4)
    before = observations.copy()
    actions = np.argmax(infos["action_mask"], axis=1)
    actions[2], actions[5] = np.argmin(infos["action_mask"][2]), 10**6
    _, rewards, terminated, truncated, infos = envs.step(actions)
    assert terminated.tolist() == [g in (2, 5) for g in range(6)]
    assert rewards.tolist() == [-1.0 if g in (2, 5) else 0.0 for g in range(6)]
    assert not truncated.any()
    assert (infos["final_obs"][2] == before[2]).all()
    assert [obs is None for obs in infos["final_obs"]] == [g not in (2, 5) for g in range(6)]
    assert envs.unwrapped._env.to_move.tolist() == [0, 1, 0, 0, 1, 0], "their next games begin, a seat further on"


def test_a_vector_environment_can_reward_points() -> None:
    envs = vectors(reward="points", seat=0)
    _, infos = envs.reset(seed=4)
    envs.action_space.seed(4)
    gained, inner, ends = np.zeros(6), envs.unwrapped._env, 0
    while ends < 3:
        _, rewards, terminated, _, infos = envs.step(sampled(envs, infos))
        gained += rewards
        for g in np.flatnonzero(terminated):
            assert gained[g] == inner.points[g, 0]
            gained[g], ends = 0, ends + 1


def test_vector_wrappers_of_gymnasium_accept_the_environment() -> None:
    """Wrappers of observations accept no environment with autoreset in the same step."""
    wrapped = wrappers.RecordEpisodeStatistics(vectors(max_moves=40))
    wrapped = wrappers.TransformAction(wrapped, lambda actions: actions, wrapped.action_space)
    wrapped = wrappers.NormalizeReward(wrappers.ClipReward(wrapped, -1, 1))
    _, infos = wrapped.reset(seed=4)
    wrapped.action_space.seed(4)
    episodes = 0
    for _ in range(60):
        _, _, terminated, truncated, infos = wrapped.step(sampled(wrapped, infos))
        if (terminated | truncated).any():
            assert (infos["_episode"] == terminated | truncated).all()
            assert infos["episode"]["l"][infos["_episode"]].min() > 1
            episodes += int(infos["_episode"].sum())
    assert episodes > 6
