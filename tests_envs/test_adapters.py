"""Each adapter passes the suite of its own library, for every game, and tells the truth about it."""

from __future__ import annotations

import copy
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import ismcts, mcts
from pettingzoo.test import api_test, seed_test

import spieltisch
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from spieltisch.lab.envs import gymnasium as gymnasium_games
from spieltisch.lab.envs import openspiel, pettingzoo  # noqa: F401  # registers

ROOT = Path(__file__).parent.parent
NAMES = {
    "paris-connection": "ParisConnection",
    "era-of-inventions": "EraOfInventions",
    "legendary-inventors": "LegendaryInventors",
}
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
EXAMPLES = [
    (page.name, number, block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S), 1)
]


def played(key: str, moves: int, seed: int, seats: int = 3) -> tuple[Position, list[int]]:
    """A game after some random moves, and their numbers."""
    position, chance, numbers = spieltisch.game(key).start(seats, seed=seed), random.Random(seed), []
    while position.number < moves and not position.is_over:
        numbers.append(chance.choice(position.legal_moves.numbers))
        position.play(numbers[-1])
    return position, numbers


# --- PettingZoo. ---


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
def test_agents_see_what_seats_see_and_share_the_win(key: str) -> None:
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


def test_an_illegal_action_loses_and_without_wrappers_raises(caplog: pytest.LogCaptureFixture) -> None:
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


def test_a_stopped_game_is_shared() -> None:
    env = pettingzoo.env("era-of-inventions", seats=4, max_moves=3)
    env.reset(seed=1)
    for _ in range(3):
        agent = env.agent_selection
        env.step(int(np.argmax(env.observe(agent)["action_mask"])))
    assert set(env.rewards.values()) == {0.25}
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


# --- Gymnasium. ---


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.filterwarnings("ignore:.*not checking render:UserWarning")
def test_gymnasium_finds_no_fault(key: str) -> None:
    env = gymnasium.make(f"spieltisch/{NAMES[key]}-v0", bots="random", render_mode="html")
    check_env(env.unwrapped)
    assert "<iframe" in env.unwrapped.render()


@pytest.mark.parametrize("key", GAMES)
def test_a_learner_plays_against_named_bots(key: str) -> None:
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


def test_the_seat_is_drawn_and_an_illegal_action_ends_the_game() -> None:
    env = gymnasium.make("spieltisch/ParisConnection-v0", seats=4, bots="random")
    seats = set()
    for seed in range(16):
        _, info = env.reset(seed=seed)
        seats.add(env.unwrapped.seat)
    assert seats == {0, 1, 2, 3}
    _, reward, terminated, truncated, after = env.step(int(np.argmin(info["action_mask"])))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert after["refusal"]


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


# --- OpenSpiel. ---


def spiel(key: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"spieltisch_{key.replace('-', '_')}", parameters)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("players", [3, 5])
def test_openspiel_finds_no_fault(key: str, players: int) -> None:
    pyspiel.random_sim_test(spiel(key, players=players), num_sims=1, serialize=players == 3, verbose=False)


@pytest.mark.parametrize("key", GAMES)
def test_games_and_states_of_openspiel_pickle(key: str) -> None:
    """Also in a process that has not loaded the game yet."""
    game, chance = spiel(key, players=4), random.Random(1)
    state = game.new_initial_state()
    for _ in range(40):
        state.apply_action(chance.choice(state.legal_actions()))
    for wanted in (game, state):
        assert str(pickle.loads(pickle.dumps(wanted))) == str(wanted)  # noqa: S301  # our own bytes
        assert str(copy.deepcopy(wanted)) == str(wanted)
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(game), capture_output=True, check=True)
    assert done.stdout.decode().strip() == str(game)


@pytest.mark.parametrize("key", GAMES)
def test_chance_nodes_give_the_draws_and_odds_of_the_rules(key: str) -> None:
    """A game of positions is repeated draw by draw."""
    position, numbers = played(key, 60, seed=2)
    copy = spieltisch.game(key).start(3, seed=2)
    state, drawn = spiel(key, players=3).new_initial_state(), 0

    def draw(texts: tuple[str, ...]) -> None:
        nonlocal drawn
        for text in texts:
            assert state.is_chance_node()
            outcomes = dict(state.chance_outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            code = position.setup.draw_codes[text]
            assert outcomes[code] > 0
            assert state.action_to_string(pyspiel.PlayerId.CHANCE, code) == f"draw {text}"
            state.apply_action(code)
            drawn += 1

    draw(copy.setup_draws)
    for number in numbers:
        assert state.current_player() == copy.seat
        assert tuple(state.legal_actions()) == copy.legal_moves.numbers
        for player in range(3):
            seen = copy.observe(player)
            assert state.information_state_string(player) == "\n".join(seen.information)
            assert (np.array(state.observation_tensor(player)) == seen.vector).all()
        assert state.action_to_string(copy.seat, number) == copy.move(number).text
        state.apply_action(number)
        draw(copy.play(number).drew)
    assert state.position.digest() == position.digest()
    assert drawn


@pytest.mark.parametrize("key", GAMES)
def test_search_of_openspiel_plays_and_leaves_the_state_alone(key: str) -> None:
    game, chance = spiel(key, players=3), np.random.RandomState(1)
    state = game.new_initial_state()
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, chance), random_state=chance, solve=False)
    for _ in range(2):
        while state.is_chance_node():
            codes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(codes, p=shares)))
        before = str(state)
        action = bot.step(state)
        assert str(state) == before
        assert action in state.legal_actions()
        state.apply_action(action)


def test_information_set_search_of_openspiel_plays_without_the_hands_of_others() -> None:
    game, chance = spiel("paris-connection", players=3), np.random.RandomState(1)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="between its draws"):
        state.resample_from_infostate(0, chance.random)
    while state.is_chance_node():
        codes, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(chance.choice(codes, p=shares)))
    player = state.current_player()
    sampled = state.resample_from_infostate(player, chance.random)
    assert sampled.information_state_string(player) == state.information_state_string(player)
    assert str(sampled) != str(state)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, max_simulations=4, random_state=chance)
    assert bot.step(state) in state.legal_actions()


def test_the_win_is_shared_at_the_end() -> None:
    game, chance = spiel("paris-connection", players=4, standstill="ends"), random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0.0] * 4
        state.apply_action(chance.choice(state.legal_actions()))
    winners = state.position.outcome.winners
    assert state.returns() == [(p in winners) / len(winners) for p in range(4)]
    assert state.position.setup.options["standstill"] == "ends"


def test_openspiel_refuses_parameters_that_do_not_exist() -> None:
    with pytest.raises(spieltisch.OptionError):
        spiel("paris-connection", players=9)
    with pytest.raises(pyspiel.SpielError):
        spiel("paris-connection", weather="rain")


def test_a_program_with_games_of_openspiel_ends_in_peace() -> None:
    """OpenSpiel lets go of the games when Python has ended already, which a function would not survive."""
    program = "import pyspiel, spieltisch.lab.envs.openspiel; pyspiel.load_game('spieltisch_paris_connection')"
    subprocess.run([sys.executable, "-c", program], check=True)


# --- The documentation. ---


@pytest.mark.parametrize(("page", "number", "block"), EXAMPLES, ids=[f"{page}-{n}" for page, n, _ in EXAMPLES])
def test_the_examples_of_the_documentation_run(page: str, number: int, block: str) -> None:
    exec(compile(block, f"{page}, example {number}", "exec"), {"__name__": "example"})  # noqa: S102  # our own page
