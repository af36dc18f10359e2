"""Check the adapter to PettingZoo with the test suite of that library, for every game."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import spieltisch
from spieltisch.games import GAMES
from spieltisch.lab.envs import pettingzoo


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # of the agents that are not to move
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")  # as in all games with a mask
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")  # likewise
def test_pettingzoo_finds_no_fault(key: str, seats: int) -> None:
    api_test(pettingzoo.env(key, seats=seats), num_cycles=300)


@pytest.mark.parametrize("key", GAMES)
def test_pettingzoo_plays_the_same_game_from_the_same_seed(key: str) -> None:
    seed_test(lambda: pettingzoo.env(key), num_cycles=100)


@pytest.mark.parametrize("key", GAMES)
def test_pettingzoo_agents_observe_what_their_seats_see_and_share_the_win(key: str) -> None:
    env = pettingzoo.env(key, seats=3)
    env.reset(seed=3)
    env.action_space("player_0").seed(3)
    rewards = dict.fromkeys(env.agents, 0.0)
    for steps, agent in enumerate(env.agent_iter()):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        position = env.unwrapped.position
        if steps % 20 == 0:
            for seat, other in enumerate(env.agents):
                seen = env.observe(other)
                assert (seen["observation"] == position.observe(seat).vector).all()
                assert bool(seen["action_mask"].any()) is (seat == position.seat)
        assert tuple(np.flatnonzero(observation["action_mask"])) == position.legal_moves.numbers
        env.step(env.action_space("player_0").sample(observation["action_mask"]))
    outcome = env.unwrapped.position.outcome
    assert outcome is not None
    assert rewards == {f"player_{p}": (p in outcome.winners) / len(outcome.winners) for p in range(3)}


def test_an_illegal_action_in_pettingzoo_loses_with_wrappers_and_raises_without(
    caplog: pytest.LogCaptureFixture,
) -> None:
    env = pettingzoo.env("paris-connection")
    env.reset(seed=1)
    agent = env.agent_selection
    illegal = int(np.argmin(env.observe(agent)["action_mask"]))
    env.step(illegal)
    assert "Illegal move made" in caplog.text
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())
    bare = pettingzoo.GameEnv("paris-connection")
    bare.reset(seed=1)
    before = bare.position.digest()
    with pytest.raises((spieltisch.IllegalMove, spieltisch.UnknownMove)):
        bare.step(illegal)
    assert bare.position.digest() == before


def test_a_game_stopped_at_the_move_limit_is_a_shared_win() -> None:
    env = pettingzoo.env("era-of-inventions", seats=4, max_moves=3)
    env.reset(seed=1)
    for _ in range(3):
        agent = env.agent_selection
        env.step(int(np.argmax(env.observe(agent)["action_mask"])))
    assert set(env.rewards.values()) == {0.25}
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
