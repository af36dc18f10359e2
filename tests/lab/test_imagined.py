"""Check that bots in simulations know no more than their seat where moves reveal hidden information."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.bots import SearchRng, choose
from spieltisch.cli import app
from spieltisch.core import game_loops
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.position import Position
from spieltisch.lab import python_loops
from spieltisch.lab.simulation import Simulation, record


def move_from_true_state(position: Position, seed: int) -> int:
    """Return the move that the easy bot would choose if it could try its moves on the true state."""
    setup, engine = position.setup, position.setup.game.engine
    mind = engine.blank_record(SearchRng)
    mind.rng = seed
    pool = [position.copy().state, position.copy().state]
    number: int = engine.driver("greedy_move")(pool, 0, setup.params, setup.work, setup.move_buffer, mind)
    return number


@pytest.mark.parametrize("key", ["lots", "toy"])
def test_a_bot_answers_from_its_observation_alone(key: str, game_with_bids: str) -> None:
    """At each decision of simulated games, five positions that look the same to the seat give the same move."""
    simulation = Simulation(spieltisch.game(key).setup(3), ["easy"] * 3, seed=1)
    truths = set()
    for number in range(1, 6):
        simulated_game = simulation.game(number)
        position, mind = (
            Position.start(simulation.setup, seed=simulated_game.seed),
            Rng(simulated_game.seed ^ game_loops.BOT_SEED_SALT),
        )
        for seat, move, _ in simulated_game.steps:
            seed, observation = next_u64(mind), position.observe(seat)
            imaginings = [observation.imagine(other) for other in range(5)]
            text = position.move(move).text
            assert {choose("easy", imagining.observe(seat).bytes, seed) for imagining in imaginings} == {text}
            truths.add(len({move_from_true_state(imagining, seed) for imagining in imaginings}))
            position.play(move)
    assert max(truths) > 1 or key == "toy", "on the truth it would have told them apart"


@pytest.mark.parametrize("key", ["lots", "toy", "paris-connection"])
def test_games_of_random_bots_are_the_same_in_python_and_compiled_loops(key: str, game_with_bids: str) -> None:
    setup = spieltisch.game(key).setup(3)
    compiled_simulation = Simulation(setup, ["random"] * 3, seed=4)
    slow = Simulation(setup, ["random"] * 3, seed=4, use_library=False)
    slow.in_python = True
    assert not compiled_simulation.in_python
    count = 1 if key == "paris-connection" else 10
    assert slow.play(count) == compiled_simulation.play(count)
    first, second = slow.game(count), compiled_simulation.game(count)
    assert (first.steps, first.dealt, first.players) == (second.steps, second.dealt, second.players)


def test_the_python_loop_is_used_only_for_easy_bots_in_games_with_secret_moves(game_with_bids: str) -> None:
    find_game = spieltisch.game
    assert python_loops.needs_python(find_game(game_with_bids).setup(2), ["random", "easy"])
    assert not python_loops.needs_python(find_game(game_with_bids).setup(2), ["random"] * 2)
    for key in spieltisch.games.GAMES:
        assert not python_loops.needs_python(find_game(key).setup(3), ["easy"] * 3)


def test_records_of_games_played_in_python_are_verified(game_with_bids: str) -> None:
    compiled = spieltisch.game(game_with_bids, compiled=True).setup(4)
    simulation = Simulation(compiled, ["easy", "random", "easy", "random"], seed=5)
    assert not simulation.setup.game.compiled
    assert record(simulation, 3).verify().is_over
    assert simulation.play(20).games == 20
    assert simulation.play(3, first=2) == Simulation(compiled, simulation.bots, seed=5).play(3, first=2)


def test_the_easy_bot_scores_more_than_a_random_bot_in_python(game_with_bids: str) -> None:
    easy, other_simulation = (
        Simulation(spieltisch.game(game_with_bids).setup(2), ["easy", "random"], seed=1).play(200).scores
    )
    assert easy.points > 1.1 * other_simulation.points


def test_simulate_warns_that_games_in_python_are_slow(game_with_bids: str) -> None:
    result = CliRunner().invoke(app, ["simulate", game_with_bids, "--bots", "easy,random", "--games", "3", "--json"])
    assert result.exit_code == 0, result.output
    assert "played in Python, which is slow" in result.stderr
    assert json.loads(result.stdout)["games"] == 3
