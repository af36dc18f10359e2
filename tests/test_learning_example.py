"""`examples/learn_paris_connection.py`: its gradient is right, its moves are legal, and its weights change."""

from __future__ import annotations

import random

import numpy as np
import pytest
from examples import learn_paris_connection as example

import spieltisch


def decisions() -> tuple[example.Decisions, example.Policy]:
    """Decisions in positions of one game, by a policy with random weights."""
    position, chance = spieltisch.game("paris-connection").start(example.SEATS, seed=4), random.Random(4)
    seen, listed = [], []
    for _ in range(6):
        seen.append(position.observe(position.seat).vector)
        listed.append(position.legal_moves.numbers)
        position.play(chance.choice(listed[-1]))
    policy, noise = example.Policy(), np.random.default_rng(4)
    for weights in policy.weights.values():
        weights += noise.normal(0, 0.3, weights.shape).astype(np.float32)
    features = example.about_companies(np.stack(seen))
    rows, moves = np.repeat(np.arange(6), [len(numbers) for numbers in listed]), np.concatenate(listed)
    chances = policy.chances(features, rows, moves)
    pull = -chances
    pull[example.draw(noise, chances, rows)] += 1
    return example.Decisions(features, rows, moves, pull), policy


def test_the_gradient_is_that_of_the_logarithms_of_probabilities() -> None:
    made, policy = decisions()
    advantages = np.array([1, -2, 0.5, 3, -1, 2], np.float32)
    gradient = policy.gradient(made, advantages)
    played = np.flatnonzero(made.pull > 0)

    def aim() -> float:
        logarithms = np.log(policy.chances(made.features, made.rows, made.moves)[played])
        return float((advantages * logarithms).mean())

    assert {kind for kind, slope in gradient.items() if slope.any()} >= {"build", "hex", "give", "take"}
    for name, weights in policy.weights.items():
        for place in np.argwhere(gradient[name])[:12]:
            at = tuple(place)
            before = weights[at]
            weights[at] = before + 0.01
            above = aim()
            weights[at] = before - 0.01
            assert gradient[name][at] == pytest.approx((above - aim()) / 0.02, abs=2e-3)
            weights[at] = before


def test_moves_are_drawn_by_their_probabilities_in_each_position() -> None:
    chance = np.random.default_rng(1)
    chances, rows = np.array([0, 1, 0, 0.25, 0.75], np.float32), np.array([0, 0, 0, 1, 1])
    drawn = np.array([example.draw(chance, chances, rows) for _ in range(2_000)])
    assert set(drawn[:, 0]) == {1}
    assert (drawn[:, 1] == 4).mean() == pytest.approx(0.75, abs=0.04)


@pytest.mark.build
def test_a_few_rounds_change_the_weights() -> None:
    policy = example.Policy()
    rounds = list(example.learn(policy, 3, minutes=np.inf, games=4))
    assert [games for games, _, _ in rounds] == [4, 8, 12]
    assert all(np.isfinite(lead) and 0 <= won <= 1 for _, lead, won in rounds)
    assert all(weights.any() and np.isfinite(weights).all() for weights in policy.weights.values())
