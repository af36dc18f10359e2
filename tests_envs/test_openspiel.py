"""Check the adapter to OpenSpiel with the test suite of that library, for every game."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import spieltisch
import spieltisch.lab.envs.openspiel  # registers
from spieltisch.core.position import Position
from spieltisch.games import GAMES


def played(key: str, moves: int, seed: int, seats: int = 3) -> tuple[Position, list[int]]:
    """Return a game after some random moves, and their numbers."""
    position, chance, numbers = spieltisch.game(key).start(seats, seed=seed), random.Random(seed), []
    while position.number < moves and not position.is_over:
        numbers.append(chance.choice(position.legal_moves.numbers))
        position.play(numbers[-1])
    return position, numbers


def spiel(key: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"spieltisch_{key.replace('-', '_')}", parameters)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("players", [3, 5])
def test_openspiel_finds_no_fault(key: str, players: int) -> None:
    pyspiel.random_sim_test(spiel(key, players=players), num_sims=1, serialize=players == 3, verbose=False)


@pytest.mark.parametrize("key", GAMES)
def test_openspiel_games_and_states_can_be_pickled(key: str) -> None:
    """A process that has not loaded the game yet can unpickle them."""
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
def test_openspiel_chance_nodes_have_the_draws_and_odds_of_the_rules(key: str) -> None:
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
def test_the_openspiel_search_plays_and_leaves_the_state_unchanged(key: str) -> None:
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


def test_the_information_set_search_of_openspiel_plays_without_seeing_other_hands() -> None:
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


def test_openspiel_returns_share_the_win_of_tied_players() -> None:
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


def test_a_program_with_openspiel_games_exits_without_an_error() -> None:
    """OpenSpiel releases its games after Python has ended, when a Python function could not be called."""
    program = "import pyspiel, spieltisch.lab.envs.openspiel; pyspiel.load_game('spieltisch_paris_connection')"
    subprocess.run([sys.executable, "-c", program], check=True)
