"""Check the adapter to Gymnasium with the checker of that library, for every game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests_envs.gymnasium_names import NAMES

import spieltisch
from spieltisch.games import GAMES
from spieltisch.lab.envs import gymnasium as gymnasium_games
from spieltisch.lab.envs import learner_games


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.filterwarnings("ignore:.*not checking render:UserWarning")
def test_gymnasium_finds_no_fault(key: str) -> None:
    env = gymnasium.make(f"spieltisch/{NAMES[key]}-v0", bots="random", render_mode="html")
    check_env(env.unwrapped)
    assert "<iframe" in env.unwrapped.render()


@pytest.mark.parametrize("key", GAMES)
def test_a_gymnasium_learner_plays_against_named_bots(key: str) -> None:
    other = "easy" if key == "paris-connection" else "random"  # easy bots take minutes for the others' whole games
    env = gymnasium.make(f"spieltisch/{NAMES[key]}-v0", seats=3, bots=("random", other), seat=1)
    games = []
    for _ in range(2):
        observation, info = env.reset(seed=5)
        env.action_space.seed(5)
        actions, over, reward = [], False, 0.0
        while not over:
            learner: Any = env.unwrapped
            assert learner.position.seat == 1
            assert (observation == learner.position.observe(1).vector).all()
            assert tuple(np.flatnonzero(info["action_mask"])) == learner.position.legal_moves.numbers
            assert (learner.action_masks() == info["action_mask"]).all()
            assert reward == 0
            actions.append(int(env.action_space.sample(info["action_mask"])))
            observation, reward, over, truncated, info = env.step(actions[-1])
            assert not truncated
        outcome = learner.position.outcome
        assert reward == (1 in outcome.winners) / len(outcome.winners)
        games.append((actions, learner.position.digest()))
    assert games[0] == games[1]


def test_the_seat_of_a_learner_is_random_and_an_illegal_action_ends_the_game() -> None:
    env = gymnasium.make("spieltisch/ParisConnection-v0", seats=4, bots="random")
    seats = set()
    for seed in range(16):
        _, info = env.reset(seed=seed)
        seats.add(env.unwrapped.seat)
    assert seats == {0, 1, 2, 3}
    _, reward, terminated, truncated, after = env.step(int(np.argmin(info["action_mask"])))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert after["refusal"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(int(np.argmax(info["action_mask"])))


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"bots": "deep-thought"}, spieltisch.bots.UnknownBot),
        ({"bots": ("random",)}, ValueError),
        ({"seat": 3}, ValueError),
        ({"seats": 9}, spieltisch.OptionError),
        ({"weather": "rain"}, spieltisch.OptionError),
    ],
)
def test_gymnasium_refuses_settings_that_do_not_exist(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        gymnasium_games.LearnerEnv("paris-connection", **settings)


def against(key: str, bots: str, seed: int) -> gymnasium.Env[Any, Any]:
    env = gymnasium.make(f"spieltisch/{NAMES[key]}-v0", seats=3, bots=bots)
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize("key", GAMES)
def test_gymnasium_bots_play_the_same_in_compiled_and_plain_rules(key: str) -> None:
    assert isinstance(against(key, "random", 1).unwrapped._game, learner_games.CompiledGame)
    assert isinstance(against(key, "beginner", 1).unwrapped._game, learner_games.PythonGame)
    setup, bots = spieltisch.game(key).setup(3), ("random", "random")
    for game in (learner_games.CompiledGame(setup, bots, 40), learner_games.PythonGame(setup, bots, 40)):
        for seat in range(3):
            game.begin(seat, 5)
            while not (game.is_over or game.is_stopped):
                assert game.position.seat == seat
                assert (game.vector == game.position.observe(seat).vector).all()
                assert tuple(np.flatnonzero(game.mask)) == game.position.legal_moves.numbers
                assert game.reward == 0
                before = game.position.digest()
                with pytest.raises((spieltisch.UnknownMove, spieltisch.IllegalMove)):
                    game.play(int(np.argmin(game.mask)))
                assert game.position.digest() == before
                game.play(int(np.argmax(game.mask)))
            assert not game.mask.any()
            assert (game.vector == game.position.observe(seat).vector).all()
            assert game.is_over or game.reward == pytest.approx(1 / 3)


@pytest.mark.parametrize("bots", ["random", "beginner"])
def test_a_step_after_the_end_of_a_game_is_refused(bots: str) -> None:
    env = gymnasium.make("spieltisch/LegendaryInventors-v0", seats=2, bots=bots, max_moves=4).unwrapped
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(int(np.argmax(info["action_mask"])))
        ended = terminated or truncated
    last = env.position.digest()
    for action in range(env.action_space.n):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(action)
    assert env.position.digest() == last
