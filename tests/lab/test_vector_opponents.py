"""Check opponents that move within the step of a learner: bots, checkpoints, and functions for many games."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots.turns import single
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.vector import VectorEnv
from tests.lab.played_envs import are_equal, pickled, play_on, shown


class Last:
    """A bot that plays the last legal move."""

    def __call__(self, observation: Observation, seed: int, seconds: float | None) -> int:
        return observation.legal_moves.numbers[-1]


def middle(observations: np.ndarray[Any, Any], legal: np.ndarray[Any, Any]) -> list[int]:
    """Play the legal move in the middle, in many games at once."""
    assert len(observations) == len(legal)
    return [int(moves[len(moves) // 2]) for moves in map(np.flatnonzero, legal)]


def answer_like(player: Any, position: Position) -> int:
    observation = position.observe(position.seat)
    return int(
        middle(observation.vector[None], observation.legal_moves.mask[None])[0]
        if player is middle
        else player(observation, 1, None)
    )


@pytest.mark.build
@pytest.mark.parametrize("reward", ["win", "points"])
@pytest.mark.parametrize("key", ["paris-connection", "legendary-inventors"])
def test_opponent_functions_move_within_the_step_of_a_learner(key: str, reward: Any) -> None:
    """Steps match those of positions, also where a game ends and opponents begin the next game."""
    players: Any = (middle, None, Last())
    game = spieltisch.game(key)
    setup = game.setup(3, standstill="ends") if key == "paris-connection" else game.setup(3)
    env = VectorEnv(setup, 4, seed=6, bots=players, reward=reward, threads=2, rotate=True)
    chance, game_count = random.Random(2), 0

    def begun_game(g: int) -> tuple[Position, int, list[int]]:
        rotation = 0 if ended_before[g] % 3 == 0 else 3 - ended_before[g] % 3
        seats = [*players[rotation:], *players[:rotation]]
        position, at = Position.start(setup, seed=int(env.seeds[g])), seats.index(None)
        points = list(position.scores)
        play_others(position, seats)
        return position, at, points

    def play_others(position: Position, seats: list[Any]) -> None:
        while position.seat is not None and seats[position.seat] is not None:
            position.play(answer_like(seats[position.seat], position))

    ended_before = [0] * 4
    games = [begun_game(g) for g in range(4)]
    while game_count < 9:
        actions = []
        for g, (position, at, _) in enumerate(games):
            assert env.to_move[g] == at == position.seat
            assert env.position(g) == position
            assert (env.observations[g] == position.observe(at).vector).all()
            assert tuple(env.legal_moves(g)) == position.legal_moves.numbers
            actions.append(chance.choice(position.legal_moves.numbers))
        _, rewards, terminated, _ = env.step(actions)
        for g, (position, at, points) in enumerate(games):
            position.play(actions[g])
            play_others(position, [None if seat == at else seats_of(players, at)[seat] for seat in range(3)])
            assert bool(terminated[g]) is position.is_over
            if reward == "points":
                assert rewards[g].tolist() == [
                    now - earlier_points for now, earlier_points in zip(position.scores, points, strict=True)
                ]
            games[g] = (position, at, list(position.scores))
            if not position.is_over:
                continue
            assert position.outcome is not None
            winners = position.outcome.winners
            if reward == "win":
                assert rewards[g].tolist() == pytest.approx([(p in winners) / len(winners) for p in range(3)])
            assert env.points[g].tolist() == position.scores
            assert env.ended_position(g).digest() == position.digest()
            assert (env.final_observations[g] == position.observe(at).vector).all()
            game_count, ended_before[g] = game_count + 1, ended_before[g] + 1
            games[g] = begun_game(g)


def seats_of(players: Any, learner: int) -> list[Any]:
    """Return the players in the order of seats, with the learner in this seat and the others in their given order."""
    rotation = (players.index(None) - learner) % 3
    return [*players[rotation:], *players[:rotation]]


@pytest.mark.build
def test_named_bots_and_bots_in_files_decide_as_at_a_table(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Policy:\n    def __call__(self, seen, seed, seconds):\n"
        "        return seen.legal_moves[seed % len(seen.legal_moves)]\n"
    )
    rows = [(None, f"{tmp_path / 'mine.py'}:Policy"), (None, "medium-1"), ("beginner", None)]
    env = VectorEnv("legendary-inventors", 3, seed=2, bots=rows)
    shown_twice = []
    for _ in range(2):
        env.reset(seed=2)
        for _ in range(4):
            env.step([env.legal_moves(g)[0] for g in range(3)])
        shown_twice.append(shown(env))
    assert are_equal(*shown_twice)
    assert env.to_move.tolist() == [0, 0, 1]


@pytest.mark.build
@pytest.mark.parametrize("copy_env", [VectorEnv.copy, pickled])
def test_games_with_opponent_functions_can_be_copied_and_saved(copy_env: Callable[[VectorEnv], VectorEnv]) -> None:
    setup = spieltisch.game("legendary-inventors").setup(3)
    env = VectorEnv(setup, 2, seed=3, bots=(None, "beginner", middle))
    env.load(0, VectorEnv(setup, 1, seed=4, bots=(None, Last(), "random")).save(0))
    play_on(env, 5)
    twin, other_env = copy_env(env), VectorEnv(setup, 1, seed=80)
    other_env.load(0, env.save(1))
    for _ in range(20):
        assert are_equal(shown(twin), shown(env))
        assert other_env.save(0) == env.save(1)
        actions = [int(env.legal_moves(g)[-1]) for g in range(2)]
        env.step(actions)
        twin.step(actions)
        other_env.step(actions[1:])


@pytest.mark.build
def test_replaced_opponents_are_released_from_memory() -> None:
    """A program in self-play replaces its opponents by newer copies again and again."""
    earlier = Last()
    forgotten = weakref.ref(earlier)
    env = VectorEnv("legendary-inventors", 2, seed=3, bots=(None, earlier, "random"), seats=3)
    play_on(env, 2)
    del earlier
    env.reset(bots=(None, "random", Last()))
    play_on(env, 2)
    gc.collect()
    assert forgotten() is None


@pytest.mark.build
@pytest.mark.parametrize(
    ("opponent", "reason"),
    [
        (lambda observations, legal: legal.argmin(axis=1), "which is not a legal move in game"),
        (lambda observations, legal: [10**6] * len(legal), "plays 1000000"),
        (lambda observations, legal: legal.argmax(axis=1)[:0], "not 2 numbers of moves"),
        (lambda observations, legal: np.zeros(len(legal)), "plays float64"),
        (lambda observation, seed, seconds: "fly", "fly"),
    ],
)
def test_an_opponent_with_an_illegal_move_is_named_in_the_error(opponent: Any, reason: str) -> None:
    env = VectorEnv("paris-connection", 2, seed=4)
    while (env.to_move == 2).any():
        play_on(env, 1)
    with pytest.raises(ValueError, match=reason):
        env.reset(bots=(opponent, opponent, None), seed=4)
    env.reset(bots=(None, "random", "random"))
    env.step([env.legal_moves(g)[0] for g in range(2)])


@pytest.mark.build
def test_easy_bots_decide_from_observations_in_games_with_hidden_reveals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = spieltisch.game("paris-connection")
    players = (None, "easy", "random")
    assert VectorEnv(game, 1, bots=players).save(0).players == players
    asked_bots: list[str] = []

    def answer(name: str, observation: Observation, seed: int) -> bots.Answer:
        asked_bots.append(name)
        return single(observation, observation.legal_moves.numbers[0])

    monkeypatch.setattr(game, "moves_reveal", True, raising=False)
    monkeypatch.setattr(bots, "answer", answer)
    env = VectorEnv(game, 1, bots=players)
    play_on(env, 12)
    assert set(asked_bots) == {"easy"}
