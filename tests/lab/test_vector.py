"""Many games at once: they play and show the same, step by step, as positions and observations."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.bots.search import native_library
from spieltisch.bots.search.vector_buffers import VectorBuffers
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from spieltisch.vector import VectorEnv, prepare


def compare(env: VectorEnv, steps: int, seed: int, *, vectors_every: int = 1) -> int:
    """Play random actions in the environment and on positions, and compare all it shows; return the games ended."""
    setup, chance, games, ended = env.setup, random.Random(seed), env.games, 0
    positions = [Position.start(setup, seed=int(env.seeds[g])) for g in range(games)]
    for step in range(steps):
        actions = []
        for g, position in enumerate(positions):
            numbers = position.legal_moves.numbers
            assert int(env.to_move[g]) == position.seat
            assert tuple(env.legal_moves(g)) == numbers
            if step % vectors_every == 0:
                assert tuple(np.flatnonzero(env.legal[g])) == numbers
                assert (env.observations[g] == position.observe(position.seat).vector).all()
            actions.append(chance.choice(numbers))
        _, rewards, terminated, truncated = env.step(actions)
        assert not truncated.any()
        for g, position in enumerate(positions):
            moved = position.seat
            position.play(actions[g])
            assert bool(terminated[g]) is position.is_over
            if position.is_over:
                assert position.outcome is not None
                winners = position.outcome.winners
                assert env.ended_position(g).digest() == position.digest()
                assert env.points[g].tolist() == position.scores
                assert rewards[g].tolist() == [
                    np.float32(1 / len(winners)) * (p in winners) for p in range(setup.seats)
                ]
                assert (env.final_observations[g] == position.observe(moved).vector).all()
                positions[g] = Position.start(setup, seed=int(env.seeds[g]))
                ended += 1
            else:
                assert not rewards[g].any()
    for g, position in enumerate(positions):
        assert env.position(g).digest() == position.digest()
    return ended


@pytest.mark.build
@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seats=st.integers(0, 2), seed=st.integers(0, 2**40), threads=st.integers(1, 3))
def test_every_step_is_that_of_a_position(key: str, seats: int, seed: int, threads: int) -> None:
    game = spieltisch.game(key)
    setup = game.setup(game.seats[seats])
    compare(VectorEnv(setup, 3, seed=seed, threads=threads), 60, seed)


@pytest.mark.fuzz
@pytest.mark.parametrize("key", GAMES)
def test_a_hundred_thousand_steps_are_those_of_positions(key: str) -> None:
    options: dict[str, Any] = {"standstill": "ends"} if key == "paris-connection" else {}
    env = VectorEnv(spieltisch.game(key).setup(4, **options), 20, seed=1, threads=2)
    assert compare(env, 5_000, 1, vectors_every=10) > 200


@pytest.mark.build
def test_bots_play_on_until_a_learner_is_to_move() -> None:
    env = VectorEnv(spieltisch.game("legendary-inventors").setup(3), 8, seed=5, bots=(None, "easy", "random"))
    chance, won = random.Random(1), np.zeros(3)
    for _ in range(400):
        assert not env.to_move.any()
        env.step([chance.choice(env.legal_moves(g).tolist()) for g in range(8)])
        won += env.rewards.sum(axis=0)
    assert won.sum() > 8
    assert won[1] > won[0] + won[2]


@pytest.mark.build
def test_games_depend_on_their_seeds_alone() -> None:
    setup = spieltisch.game("era-of-inventions").setup(3)
    first, second = VectorEnv(setup, 6, seed=40), VectorEnv(setup, 2, seed=42, threads=2)
    assert (first.observations[2:4] == second.observations).all()
    before = first.observations.copy()
    first.step([int(first.legal_moves(g)[0]) for g in range(6)])
    assert (first.reset(40) == before).all()
    assert first.seeds.tolist() == [40, 41, 42, 43, 44, 45]


def shown(env: VectorEnv) -> list[Any]:
    """Copies of all that an environment shows."""
    arrays = (env.observations, env.final_observations, env.legal, env.to_move, env.rewards, env.points, env.seeds)
    return [*map(np.copy, arrays), env.terminated, env.truncated, *(env.position(g).digest() for g in range(env.games))]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(map(np.array_equal, one, other))


def pickled(env: VectorEnv) -> VectorEnv:
    back: VectorEnv = pickle.loads(pickle.dumps(env))  # noqa: S301  # our own bytes
    return back


@pytest.mark.build
@pytest.mark.parametrize("again", [VectorEnv.copy, copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_goes_on_alone_and_alike(threads: int, again: Callable[[VectorEnv], VectorEnv]) -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    env = VectorEnv(setup, 4, seed=3, bots=(None, "easy", "random"), threads=threads, max_moves=60)

    def step(moved: VectorEnv, which: int) -> None:
        moved.step([moved.legal_moves(g)[which % len(moved.legal_moves(g))] for g in range(4)])

    for n in range(25):
        step(env, n)
    twin, before = again(env), shown(env)
    assert same(shown(twin), before)
    step(env, 0)
    assert not same(shown(env), before)
    assert same(shown(twin), before), "with memory of its own"
    step(twin, 0)
    for n in range(25):
        assert same(shown(twin), shown(env))
        step(env, n)
        step(twin, n)
    assert env.seeds.max() > 6, "games have ended since"


@pytest.mark.build
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_it_goes_on_in_a_child_that_was_forked() -> None:
    native_library.build("legendary-inventors", what=native_library.VECTOR)
    program = """
import os
from spieltisch.vector import VectorEnv
env = VectorEnv("legendary-inventors", 4, threads=3)
def step():
    env.step([env.legal_moves(g)[0] for g in range(4)])
step()
child = os.fork()
step()
if child:
    assert os.waitpid(child, 0)[1] == 0
print(env.position(3).digest())
"""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    child, parent = done.stdout.split()
    assert parent == child


@pytest.mark.build
def test_a_game_or_its_name_will_do() -> None:
    game = spieltisch.game("legendary-inventors")
    for wanted, seats, expected in (
        ("legendary-inventors", None, 2),
        (game, None, 2),
        (game, 4, 4),
        (game.setup(3), 3, 3),
    ):
        env = VectorEnv(wanted, 4, seats=seats)
        assert (env.setup, env.games) == (game.setup(expected), 4)
    with pytest.raises(ValueError, match="seats: the setup has 3"):
        VectorEnv(game.setup(3), 4, seats=4)
    with pytest.raises(spieltisch.OptionError):
        VectorEnv(game, 4, seats=9)
    with pytest.raises(spieltisch.UnknownGame):
        VectorEnv("whist", 4)


@pytest.mark.build
def test_without_a_seed_the_next_games_follow() -> None:
    env = VectorEnv("legendary-inventors", 3, seed=7)
    env.reset(seed=None)
    assert env.seeds.tolist() == [10, 11, 12]
    assert (env.observations == VectorEnv("legendary-inventors", 3, seed=10).observations).all()


@pytest.mark.build
def test_games_that_are_too_long_are_stopped_and_shared() -> None:
    env = VectorEnv(spieltisch.game("legendary-inventors").setup(2), 2, max_moves=3)
    for _ in range(3):
        assert not env.truncated.any()
        env.step([int(env.legal_moves(g)[0]) for g in range(2)])
    assert env.truncated.all()
    assert not env.terminated.any()
    assert env.rewards.tolist() == [[0.5, 0.5]] * 2
    assert env.seeds.tolist() == [2, 3]


@pytest.mark.build
def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = VectorEnv(spieltisch.game("legendary-inventors").setup(2), 2)
    before = [env.position(g).digest() for g in range(2)]
    legal = [int(env.legal_moves(g)[0]) for g in range(2)]
    illegal = int(np.flatnonzero(~env.legal[1])[0])
    for actions, reason in (
        ([legal[0], illegal], f"{illegal} is not a legal move in game 1"),
        ([-1, legal[1]], "-1 is not a legal move in game 0"),
        ([legal[0], 10**9], "is not a legal move in game 1"),
        (legal[:1], "2 numbers of moves are needed"),
        ([0.5, 0.5], "2 numbers of moves are needed"),
    ):
        with pytest.raises(ValueError, match=reason):
            env.step(actions)
    assert [env.position(g).digest() for g in range(2)] == before
    with pytest.raises(ValueError, match="read-only"):
        env.observations[0] = 1


@pytest.mark.build
def test_a_process_of_its_own_prepares_the_steps() -> None:
    assert prepare("legendary-inventors").result(timeout=600).is_file()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "games: 0 is less than 1"),
        ({"threads": 0}, "threads: 0"),
        ({"max_moves": 0}, "max_moves: 0"),
        ({"bots": ["random"]}, "1 bots cannot take 3 seats"),
        ({"bots": ["random", "easy", "hard"]}, "'hard' is none of"),
        ({"bots": ["random"] * 3}, "no seat is left"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        VectorEnv(spieltisch.game("paris-connection").setup(3), **{"games": 2} | arguments)


@pytest.mark.parametrize("key", GAMES)
def test_no_generator_is_among_the_numbers_that_are_encoded(key: str) -> None:
    """Vectors are copied from these places of a record; none of them lies in the generator, or beyond the view."""
    game = spieltisch.game(key)
    memory = VectorBuffers(game.setup(game.seats[0]), 1, [0] * game.seats[0], 1, 1)
    generator = game.State.fields["rng"][1] if game.rules.observe is None else None  # type: ignore[index]  # it has fields
    places = {source + i for source, _, length in memory.runs.tolist() for i in range(length)}
    places |= {4 * word + i for word in memory.sources.flat for i in range(4)}
    if generator is not None:
        assert places.isdisjoint(range(generator // 2, generator // 2 + 4))
