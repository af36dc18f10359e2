"""Check that many games at once match positions and observations step by step."""

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
from tests.lab.played_envs import are_equal, pickled, play_on, shown


def compare(env: VectorEnv, steps: int, seed: int, *, vectors_every: int = 1) -> int:
    """Play random actions in the environment and on positions, and compare all it shows; return the games ended."""
    setup, chance, games, game_count = env.setup, random.Random(seed), env.games, 0
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
            moving_seat = position.seat
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
                assert (env.final_observations[g] == position.observe(moving_seat).vector).all()
                positions[g] = Position.start(setup, seed=int(env.seeds[g]))
                game_count += 1
            else:
                assert not rewards[g].any()
    for g, position in enumerate(positions):
        assert env.position(g) == position
    return game_count


@pytest.mark.build
@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seats=st.integers(0, 2), seed=st.integers(0, 2**40), threads=st.integers(1, 3))
def test_every_vector_step_matches_the_step_of_a_position(key: str, seats: int, seed: int, threads: int) -> None:
    game = spieltisch.game(key)
    setup = game.setup(game.seats[seats])
    compare(VectorEnv(setup, 3, seed=seed, threads=threads), 60, seed)


@pytest.mark.fuzz
@pytest.mark.parametrize("key", GAMES)
def test_a_hundred_thousand_vector_steps_match_those_of_positions(key: str) -> None:
    options: dict[str, Any] = {"standstill": "ends"} if key == "paris-connection" else {}
    env = VectorEnv(spieltisch.game(key).setup(4, **options), 20, seed=1, threads=2)
    assert compare(env, 5_000, 1, vectors_every=10) > 200


@pytest.mark.build
def test_bots_move_within_a_step_until_a_learner_is_to_move() -> None:
    env = VectorEnv(spieltisch.game("legendary-inventors").setup(3), 8, seed=5, bots=(None, "easy", "random"))
    chance, win_shares = random.Random(1), np.zeros(3)
    for _ in range(400):
        assert not env.to_move.any()
        env.step([chance.choice(env.legal_moves(g).tolist()) for g in range(8)])
        win_shares += env.rewards.sum(axis=0)
    assert win_shares.sum() > 8
    assert win_shares[1] > win_shares[0] + win_shares[2]


@pytest.mark.build
def test_vector_games_depend_only_on_their_seeds() -> None:
    setup = spieltisch.game("era-of-inventions").setup(3)
    first, second = VectorEnv(setup, 6, seed=40), VectorEnv(setup, 2, seed=42, threads=2)
    assert (first.observations[2:4] == second.observations).all()
    before = first.observations.copy()
    first.step([int(first.legal_moves(g)[0]) for g in range(6)])
    assert (first.reset(40) == before).all()
    assert first.seeds.tolist() == [40, 41, 42, 43, 44, 45]


@pytest.mark.build
@pytest.mark.parametrize("copy_env", [VectorEnv.copy, copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copied_env_continues_independently(threads: int, copy_env: Callable[[VectorEnv], VectorEnv]) -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    env = VectorEnv(setup, 4, seed=3, bots=(None, "easy", "random"), threads=threads, max_moves=60)

    def step(moved_env: VectorEnv, env_index: int) -> None:
        moved_env.step([moved_env.legal_moves(g)[env_index % len(moved_env.legal_moves(g))] for g in range(4)])

    for n in range(25):
        step(env, n)
    twin, before = copy_env(env), shown(env)
    assert are_equal(shown(twin), before)
    step(env, 0)
    assert not are_equal(shown(env), before)
    assert are_equal(shown(twin), before), "with memory of its own"
    step(twin, 0)
    for n in range(25):
        assert are_equal(shown(twin), shown(env))
        step(env, n)
        step(twin, n)
    assert env.seeds.max() > 6, "games have ended since"


@pytest.mark.build
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_env_can_be_stepped_in_a_forked_process() -> None:
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
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    child, parent = result.stdout.split()
    assert parent == child


@pytest.mark.build
def test_an_env_accepts_a_game_or_its_name() -> None:
    game = spieltisch.game("legendary-inventors")
    for wanted_game, seats, expected in (
        ("legendary-inventors", None, 2),
        (game, None, 2),
        (game, 4, 4),
        (game.setup(3), 3, 3),
    ):
        env = VectorEnv(wanted_game, 4, seats=seats)
        assert (env.setup, env.games) == (game.setup(expected), 4)
    with pytest.raises(ValueError, match="seats: the setup has 3"):
        VectorEnv(game.setup(3), 4, seats=4)
    with pytest.raises(spieltisch.OptionError):
        VectorEnv(game, 4, seats=9)
    with pytest.raises(spieltisch.UnknownGame):
        VectorEnv("whist", 4)


@pytest.mark.build
def test_a_reset_without_a_seed_continues_with_the_next_seeds() -> None:
    env = VectorEnv("legendary-inventors", 3, seed=7)
    env.reset(seed=None)
    assert env.seeds.tolist() == [10, 11, 12]
    assert (env.observations == VectorEnv("legendary-inventors", 3, seed=10).observations).all()


@pytest.mark.build
def test_games_over_the_move_limit_are_truncated_and_the_reward_is_split() -> None:
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
def test_vector_steps_are_compiled_in_another_process() -> None:
    assert prepare("legendary-inventors").result(timeout=600).is_file()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "games: 0 is less than 1"),
        ({"threads": 0}, "threads: 0"),
        ({"max_moves": 0}, "max_moves: 0"),
        ({"bots": ["random"]}, "1 bots cannot take 3 seats"),
        ({"bots": ["random", None, "deep-thought"]}, "there is no bot 'deep-thought'"),
        ({"bots": [None, "random", 7]}, "7 is neither None"),
        ({"bots": [None, "random", lambda observation: 0]}, "nor takes what bots are given"),
        ({"bots": ["random"] * 3}, "no seat is left"),
        ({"bots": [[None, "random", "easy"]] * 3}, "3 rows for 2 games"),
        ({"bots": [[None, "random", "easy"], ["random"] * 3]}, "no seat is left"),
        ({"reward": "glory"}, "'glory' is none of"),
    ],
)
def test_invalid_arguments_of_a_vector_env_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        VectorEnv(spieltisch.game("paris-connection").setup(3), **{"games": 2} | arguments)


@pytest.mark.parametrize("key", GAMES)
def test_observation_vectors_contain_no_state_of_the_random_generator(key: str) -> None:
    """Vectors are copied from offsets of a record, none of which may lie in the generator or beyond the view."""
    game = spieltisch.game(key)
    memory = VectorBuffers(game.setup(game.seats[0]), 1, [0] * game.seats[0], 1, 1)
    generator = game.State.fields["rng"][1] if game.rules.observe is None else None  # type: ignore[index]  # it has fields
    places = {source + i for source, _, length in memory.runs.tolist() for i in range(length)}
    places |= {4 * word + i for word in memory.sources.flat for i in range(4)}
    if generator is not None:
        assert places.isdisjoint(range(generator // 2, generator // 2 + 4))


@pytest.mark.build
def test_a_saved_game_continues_identically_in_another_env() -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    env = VectorEnv(setup, 4, seed=3, bots=(None, "easy", "random"), reward="points")
    play_on(env, 9)
    saved_env = env.save(2)
    assert saved_env == env.copy().save(2) == pickle.loads(pickle.dumps(saved_env))  # noqa: S301  # our own bytes
    other_env = VectorEnv(setup, 2, seed=90, bots=(None, "random", "random"), reward="points")
    play_on(other_env, 3)
    before = shown(other_env)
    other_env.load(1, saved_env)
    assert (other_env.observations[1] == env.observations[2]).all()
    assert other_env.position(1) == env.position(2)
    assert are_equal([array[0] for array in shown(other_env)[:7]], [array[0] for array in before[:7]]), "game 0 stays"
    chance = random.Random(2)
    for _ in range(60):
        move = chance.choice(env.legal_moves(2).tolist())
        assert env.legal_moves(2).tolist() == other_env.legal_moves(1).tolist()
        env.step([move if g == 2 else env.legal_moves(g)[0] for g in range(4)])
        other_env.step([other_env.legal_moves(0)[0], move])
        assert (env.rewards[2] == other_env.rewards[1]).all()
        if env.terminated[2]:
            assert other_env.ended_position(1) == env.ended_position(2)
            break
        assert other_env.position(1) == env.position(2)
    env.load(2, saved_env)
    assert env.save(2) == saved_env
    before = shown(env)
    for other_setup in (setup.game.setup(4), setup.game.setup(3, teams="random")):
        with pytest.raises(ValueError, match="another setup"):
            env.load(2, VectorEnv(other_setup, 1).save(0))
    assert are_equal(before, shown(env)), "a refused game changes nothing"


@pytest.mark.build
def test_after_loading_a_position_or_its_document_bots_move_first() -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    position = Position.start(setup, seed=8)
    while position.seat != 1:
        position.play(position.legal_moves[0])
    learners = VectorEnv(setup, 2)
    learners.load(1, position)
    assert learners.position(1).digest() == position.digest()
    assert (learners.observations[1] == position.observe(1).vector).all()
    learners.step([int(learners.legal_moves(g)[0]) for g in range(2)])
    position.play(position.legal_moves[0])
    assert learners.position(1).digest() == position.digest(), "its draws are those of the position"
    learners.load(0, position.document(), seed=4)
    assert learners.position(0).digest() == position.digest()
    env_against_bots = VectorEnv(setup, 1, bots=(None, "random", "random"))
    env_against_bots.load(0, position, seed=4)
    assert env_against_bots.to_move.tolist() == [0]
    while not position.is_over:
        position.play(position.legal_moves[-1])
    for wrong, reason in ((position, "it is over"), (setup.game.start(4), "another setup")):
        with pytest.raises(ValueError, match=reason):
            env_against_bots.load(0, wrong)
    with pytest.raises(ValueError, match="g: 2 is not from 0 to 1"):
        learners.save(2)


@pytest.mark.build
def test_rewards_in_points_add_up_to_the_final_points() -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    for players in ((), (None, "random", "random")):
        env = VectorEnv(setup, 3, seed=2, bots=players, reward="points")
        gained_points, chance, game_count = np.zeros((3, 3)), random.Random(3), 0
        while game_count < 4:
            env.step([chance.choice(env.legal_moves(g).tolist()) for g in range(3)])
            gained_points += env.rewards
            for g in np.flatnonzero(env.terminated):
                assert gained_points[g].tolist() == env.points[g].tolist(), "a game begins without points"
                gained_points[g] = 0
                game_count += 1


@pytest.mark.build
def test_learners_change_seats_from_game_to_game() -> None:
    setup = spieltisch.game("legendary-inventors").setup(2)
    env = VectorEnv(setup, 2, seed=2, bots=((None, "random"), ("random", None)), rotate=True)
    seats, chance, seats_played = [0, 1], random.Random(3), 0
    twin = env.copy()
    while seats_played < 4:
        assert env.to_move.tolist() == twin.to_move.tolist() == seats
        actions = [chance.choice(env.legal_moves(g).tolist()) for g in range(2)]
        env.step(actions)
        twin.step(actions)
        for g in np.flatnonzero(env.terminated):
            seats[g] = 1 - seats[g]
            seats_played += 1
    env.reset(seed=9)
    assert env.to_move.tolist() == [0, 1]
    env.reset()
    assert env.to_move.tolist() == [1, 0], "the next games follow as after an end"
    env.reset(bots=(None, "random"))
    assert env.to_move.tolist() == [0, 0]


@pytest.mark.build
def test_features_and_lists_of_moves_match_the_flat_arrays() -> None:
    env = VectorEnv("paris-connection", 5, seats=4, seed=2)
    spec = env.setup.game.observation_spec
    for _ in range(20):
        play_on(env, 1)
        games, moves = env.all_legal_moves()
        assert [moves[games == g].tolist() for g in range(5)] == [env.legal_moves(g).tolist() for g in range(5)]
        for name, feature in spec.items():
            assert (env.features[name] == env.observations[:, feature.places]).all()
    assert not any(part.flags.writeable for part in env.features.values())
    assert all(np.shares_memory(part, env.observations) for part in env.features.values())
