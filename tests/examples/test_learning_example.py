"""Check `examples/learn_paris_connection.py`: a right gradient, legal moves, and changing weights."""

from __future__ import annotations

import random

import numpy as np
import pytest
from examples import learn_paris_connection as example

import spieltisch


def decisions() -> tuple[example.Decisions, example.Policy]:
    """Return decisions in positions of one game by a policy with random weights."""
    position, chance = spieltisch.game("paris-connection").start(example.SEATS, seed=4), random.Random(4)
    seen, listed_moves = [], []
    for _ in range(6):
        seen.append(position.observe(position.seat).vector)
        listed_moves.append(position.legal_moves.numbers)
        position.play(chance.choice(listed_moves[-1]))
    policy, noise = example.Policy(), np.random.default_rng(4)
    for weights in policy.weights.values():
        weights += noise.normal(0, 0.3, weights.shape).astype(np.float32)
    features = example.about_companies(np.stack(seen))
    rows, moves = np.repeat(np.arange(6), [len(numbers) for numbers in listed_moves]), np.concatenate(listed_moves)
    chances = policy.chances(features, rows, moves)
    steepness = -chances
    steepness[example.draw(noise, chances, rows)] += 1
    return example.Decisions(features, rows, moves, steepness), policy


def test_the_gradient_matches_the_slope_of_the_log_probabilities() -> None:
    made_decisions, policy = decisions()
    advantages = np.array([1, -2, 0.5, 3, -1, 2], np.float32)
    gradient = policy.gradient(made_decisions, advantages)
    played_moves = np.flatnonzero(made_decisions.pull > 0)

    def aim() -> float:
        logarithms = np.log(
            policy.chances(made_decisions.features, made_decisions.rows, made_decisions.moves)[played_moves]
        )
        return float((advantages * logarithms).mean())

    assert {kind for kind, slope in gradient.items() if slope.any()} >= {"build", "hex", "give", "take"}
    for name, weights in policy.weights.items():
        for place in np.argwhere(gradient[name])[:12]:
            matrix_place = tuple(place)
            before = weights[matrix_place]
            weights[matrix_place] = before + 0.01
            target_values = aim()
            weights[matrix_place] = before - 0.01
            assert gradient[name][matrix_place] == pytest.approx((target_values - aim()) / 0.02, abs=2e-3)
            weights[matrix_place] = before


def test_moves_are_drawn_with_their_probabilities_in_each_position() -> None:
    chance = np.random.default_rng(1)
    chances, rows = np.array([0, 1, 0, 0.25, 0.75], np.float32), np.array([0, 0, 0, 1, 1])
    drawn_moves = np.array([example.draw(chance, chances, rows) for _ in range(2_000)])
    assert set(drawn_moves[:, 0]) == {1}
    assert (drawn_moves[:, 1] == 4).mean() == pytest.approx(0.75, abs=0.04)


@pytest.mark.build
def test_a_few_rounds_of_training_change_the_weights() -> None:
    policy = example.Policy()
    rounds = list(example.learn(policy, 3, minutes=np.inf, games=4))
    assert [games for games, _, _ in rounds] == [4, 8, 12]
    assert all(np.isfinite(lead) and 0 <= win_share <= 1 for _, lead, win_share in rounds)
    assert all(weights.any() and np.isfinite(weights).all() for weights in policy.weights.values())
