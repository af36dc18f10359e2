"""Bots in simulations know no more than a player in their seat, also where a move shows what was hidden."""

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


def on_the_truth(position: Position, seed: int) -> int:
    """Return the move of the easy bot if it may try its moves on the true state."""
    setup, engine = position.setup, position.setup.game.engine
    mind = engine.blank_record(SearchRng)
    mind.rng = seed
    pool = [position.copy().state, position.copy().state]
    number: int = engine.driver("greedy_move")(pool, 0, setup.params, setup.work, setup.move_buffer, mind)
    return number


@pytest.mark.parametrize("key", ["lots", "toy"])
def test_one_observation_one_answer(key: str, lots: str) -> None:
    """The games of a simulation again: at each decision, five truths that look the same to the seat give its move."""
    simulation = Simulation(spieltisch.game(key).setup(3), ["easy"] * 3, seed=1)
    truths = set()
    for number in range(1, 6):
        played = simulation.game(number)
        position, mind = Position.start(simulation.setup, seed=played.seed), Rng(played.seed ^ game_loops.BOT_SEED_SALT)
        for seat, move, _ in played.steps:
            seed, seen = next_u64(mind), position.observe(seat)
            imaginings = [seen.imagine(other) for other in range(5)]
            text = position.move(move).text
            assert {choose("easy", imagining.observe(seat).bytes, seed) for imagining in imaginings} == {text}
            truths.add(len({on_the_truth(imagining, seed) for imagining in imaginings}))
            position.play(move)
    assert max(truths) > 1 or key == "toy", "on the truth it would have told them apart"


@pytest.mark.parametrize("key", ["lots", "toy", "paris-connection"])
def test_games_of_random_bots_are_the_same_in_python(key: str, lots: str) -> None:
    setup = spieltisch.game(key).setup(3)
    fast = Simulation(setup, ["random"] * 3, seed=4)
    slow = Simulation(setup, ["random"] * 3, seed=4, use_library=False)
    slow.in_python = True
    assert not fast.in_python
    many = 1 if key == "paris-connection" else 10
    assert slow.play(many) == fast.play(many)
    first, second = slow.game(many), fast.game(many)
    assert (first.steps, first.dealt, first.players) == (second.steps, second.dealt, second.players)


def test_python_is_used_only_where_it_must_be(lots: str) -> None:
    find_game = spieltisch.game
    assert python_loops.needs_python(find_game(lots).setup(2), ["random", "easy"])
    assert not python_loops.needs_python(find_game(lots).setup(2), ["random"] * 2)
    for key in spieltisch.games.GAMES:
        assert not python_loops.needs_python(find_game(key).setup(3), ["easy"] * 3)


def test_records_of_such_games_verify(lots: str) -> None:
    compiled = spieltisch.game(lots, compiled=True).setup(4)
    simulation = Simulation(compiled, ["easy", "random", "easy", "random"], seed=5)
    assert not simulation.setup.game.compiled
    assert record(simulation, 3).verify().is_over
    assert simulation.play(20).games == 20
    assert simulation.play(3, first=2) == Simulation(compiled, simulation.bots, seed=5).play(3, first=2)


def test_the_easy_bot_still_plays_for_points(lots: str) -> None:
    easy, other = Simulation(spieltisch.game(lots).setup(2), ["easy", "random"], seed=1).play(200).scores
    assert easy.points > 1.1 * other.points


def test_the_command_says_that_it_is_slow(lots: str) -> None:
    done = CliRunner().invoke(app, ["simulate", lots, "--bots", "easy,random", "--games", "3", "--json"])
    assert done.exit_code == 0, done.output
    assert "played in Python, which is slow" in done.stderr
    assert json.loads(done.stdout)["games"] == 3
