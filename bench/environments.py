"""Steps a second of the games as environments, random play on one core, with legal moves and observations.

    python -m bench.environments [GAME ...]

- `raw`: whole games by the compiled rules, without observations
- `vector`: `spieltisch.vector.VectorEnv`, actions drawn from the legal ones; also with two threads
- `Position`: one game in Python, `legal_moves`, `observe` and `vector`
- `AEC`: the same through the adapter to PettingZoo, where that is installed

and games of other libraries, each where it is installed, through its own interface with legal moves and observations
(python-chess has none). Rates count processor time of all threads except where two threads are compared with one, which
counts wall time.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import spieltisch
from spieltisch.games import GAMES
from spieltisch.lab.bench import bench
from spieltisch.vector import VectorEnv

ROUNDS, SECONDS, BATCH = 3, 1.0, 256
"""Rounds of so many seconds, of which the median counts; games in a vector."""


def rate(step: Callable[[], int], clock: Callable[[], float]) -> float:
    """Return the steps a second of calls that return how many they made."""
    step()
    rates = []
    for _ in range(ROUNDS):
        start, steps = clock(), 0
        while (passed := clock() - start) < SECONDS:
            steps += step()
        rates.append(steps / passed)
    return median(rates)


def vector_steps(key: str, threads: int) -> Callable[[], int]:
    """Return a function that makes a step in each game of a vector and returns the number of games."""
    env = VectorEnv(spieltisch.game(key).setup(4), BATCH * threads, threads=threads)
    listed, counts = env._memory.listed, env._memory.counts
    chance, games = np.random.default_rng(1), np.arange(env.games)

    def step() -> int:
        env.step(listed[games, (chance.random(env.games) * counts).astype(np.int64)])
        return env.games

    return step


def position_steps(key: str) -> Callable[[], int]:
    """Return a function that makes a step in Python."""
    game, chance = spieltisch.game(key), random.Random(1)
    positions = [game.start(4, seed=1)]

    def step() -> int:
        position = positions[0]
        _ = position.observe(position.seat).vector
        position.play(chance.choice(position.legal_moves.numbers))
        if position.is_over:
            positions[0] = game.start(4, seed=chance.getrandbits(40))
        return 1

    return step


def aec_steps(env: Any) -> Callable[[], int]:
    """Return a function that makes a step in an environment of PettingZoo, whose observations have an action mask."""
    chance = np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
        return 1

    return step


def own_aec_steps(key: str) -> Callable[[], int]:
    """Return a function that makes a step in our adapter to PettingZoo."""
    from spieltisch.lab.envs import pettingzoo

    return aec_steps(pettingzoo.env(key, seats=4))


def pettingzoo_steps(name: str) -> Callable[[], int]:
    """Return a function that makes a step in a classic game of PettingZoo."""
    return aec_steps(importlib.import_module(f"pettingzoo.classic.{name}").env())


def openspiel_steps(name: str) -> Callable[[], int]:
    """Return a function that makes a step in a game of OpenSpiel; its draws are no steps."""
    import pyspiel

    game, chance = pyspiel.load_game(name), random.Random(1)
    states = [game.new_initial_state()]

    def step() -> int:
        state = states[0]
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        if state.is_terminal():
            states[0] = game.new_initial_state()
            return 0
        state.observation_tensor(state.current_player())
        state.apply_action(chance.choice(state.legal_actions()))
        return 1

    return step


def rlcard_steps(name: str) -> Callable[[], int]:
    """Return a function that makes a step in a game of RLCard."""
    import rlcard

    env, chance = rlcard.make(name), random.Random(1)
    states = [env.reset()[0]]

    def step() -> int:
        if env.is_over():
            states[0] = env.reset()[0]
        states[0] = env.step(chance.choice(list(states[0]["legal_actions"])))[0]
        return 1

    return step


def pgx_steps(name: str) -> Callable[[], int]:
    """Return a function that makes a step in each game of a batch of pgx, on the processor."""
    import jax

    jax.config.update("jax_platforms", "cpu")
    import pgx
    from pgx.experimental import auto_reset

    env, keys = pgx.make(name), [jax.random.PRNGKey(1)]
    states = [jax.jit(jax.vmap(env.init))(jax.random.split(keys[0], BATCH))]

    def play(state: Any, key: Any) -> Any:
        drawing, key = jax.random.split(key)
        actions = jax.random.categorical(drawing, jax.numpy.log(state.legal_action_mask.astype(float)))
        played = jax.vmap(auto_reset(env.step, env.init))(state, actions, jax.random.split(key, BATCH))
        return played, key

    compiled = jax.jit(play)

    def step() -> int:
        states[0], keys[0] = compiled(states[0], keys[0])
        states[0].observation.block_until_ready()
        return BATCH

    return step


def chess_steps() -> Callable[[], int]:
    """Return a function that makes a move with python-chess."""
    import chess

    board, chance = chess.Board(), random.Random(1)

    def step() -> int:
        moves = list(board.legal_moves)
        if moves and board.fullmove_number < 200:
            board.push(chance.choice(moves))
        else:
            board.reset()
        return 1

    return step


OTHERS: dict[str, Callable[[], Callable[[], int]]] = {
    "python-chess": chess_steps,
    "PettingZoo, chess": partial(pettingzoo_steps, "chess_v6"),
    "PettingZoo, connect four": partial(pettingzoo_steps, "connect_four_v3"),
    "OpenSpiel, chess": partial(openspiel_steps, "chess"),
    "OpenSpiel, backgammon": partial(openspiel_steps, "backgammon"),
    "RLCard, no-limit hold'em": partial(rlcard_steps, "no-limit-holdem"),
    "RLCard, UNO": partial(rlcard_steps, "uno"),
    "pgx, chess, 256 games": partial(pgx_steps, "chess"),
    "pgx, backgammon, 256 games": partial(pgx_steps, "backgammon"),
}
"""Games of other libraries; each call raises ImportError where its library is not installed."""


def main(games: list[str]) -> None:
    """Print the tables."""
    print("| steps a second | raw | vector | wall time, one thread | wall time, two | `Position` | AEC |")
    print("|---|---|---|---|---|---|---|")
    for key in games:
        raw = bench(spieltisch.game(key, compiled=True).setup(4), ROUNDS * SECONDS).moves_per_second
        vector = rate(vector_steps(key, 1), time.process_time)
        one, two = (rate(vector_steps(key, threads), time.perf_counter) for threads in (1, 2))
        single = rate(position_steps(key), time.process_time)
        try:
            adapter = f"{rate(own_aec_steps(key), time.process_time):,.0f}"
        except ImportError as error:
            adapter = str(error)
        vectors = f"{vector:,.0f} | {one:,.0f} | {two:,.0f}"
        print(f"| {spieltisch.game(key).title.en} | {raw:,.0f} | {vectors} | {single:,.0f} | {adapter} |", flush=True)
    print("\n| other libraries | steps a second |\n|---|---|")
    for name, steps in OTHERS.items():
        try:
            print(f"| {name} | {rate(steps(), time.process_time):,.0f} |", flush=True)
        except ImportError as error:
            print(f"| {name} | skipped: {error} |", flush=True)
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(GAMES))
