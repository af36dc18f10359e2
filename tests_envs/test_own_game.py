"""Check that a game outside this project is an environment like any other."""

from __future__ import annotations

import copy

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from spieltisch.lab.envs import gymnasium as gymnasium_games  # noqa: F401  # registers
from spieltisch.lab.envs import openspiel, pettingzoo  # noqa: F401  # registers
from spieltisch.vector import VectorEnv


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # of the agents that are not to move
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")  # as in all games with a mask
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")  # likewise
def test_pettingzoo_finds_no_fault_in_the_game_of_the_tutorial() -> None:
    assert pettingzoo.env("goofspiel").unwrapped.setup.seats == 2
    api_test(pettingzoo.env("goofspiel"), num_cycles=100)
    seed_test(lambda: pettingzoo.env("goofspiel", seats=4), num_cycles=30)


def test_gymnasium_finds_no_fault_in_the_game_of_the_tutorial() -> None:
    check_env(gymnasium.make("spieltisch/Goofspiel-v0", bots="random").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("players", [2, 4])
def test_openspiel_finds_no_fault_in_the_game_of_the_tutorial(players: int) -> None:
    game = pyspiel.load_game("spieltisch_goofspiel", {"players": players})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert pyspiel.load_game("spieltisch_goofspiel").num_players() == 2


def test_many_games_of_the_tutorial_are_stepped_at_once() -> None:
    env, chance = VectorEnv("goofspiel", 8, seats=3, bots=(None, "random", "random")), np.random.default_rng(1)
    for _ in range(30):
        env.step([chance.choice(env.legal_moves(g)) for g in range(8)])
    assert (env.observations[0] == env.position(0).observe(0).vector).all()
    assert copy.copy(env).position(5) == env.position(5)
