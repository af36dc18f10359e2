"""Check chance: the random generator, draws without bias, and the secret of a table."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.core import chance, twin
from spieltisch.core.chance import Draws, Rng, commitment, draw, move_seed, next_u64, randbelow
from spieltisch.core.compiled import Binding

Small = np.dtype([("rng", "u8")])

# The first numbers of SplitMix64 from the state 1234567, as its reference implementation in C prints them.
KNOWN = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def test_the_random_generator_is_splitmix64() -> None:
    s = twin.new(Small)
    s.rng = 1234567
    assert [next_u64(s) for _ in range(5)] == KNOWN
    assert [next_u64(Rng(1234567)) for _ in range(1)] == KNOWN[:1]


def test_compiled_and_plain_random_generators_give_the_same_numbers() -> None:
    binding = Binding("chance", compiled=True)
    compiled_turn, compiled_below = binding.bind(next_u64), binding.bind(randbelow)
    s = np.zeros(1, Small).view(np.recarray)[0]
    s.rng = 1234567
    assert [int(compiled_turn(s)) for _ in range(5)] == KNOWN
    plain_state = twin.new(Small)
    plain_state.rng = int(s.rng)
    for n in (1, 2, 6, 31, 186, 1 << 31):
        assert compiled_below(s, n) == randbelow(plain_state, n)
    assert int(s.rng) == plain_state.rng


@given(st.integers(0, (1 << 64) - 1), st.integers(1, 1 << 32))
def test_random_numbers_are_below_their_bound(state: int, n: int) -> None:
    s = twin.new(Small)
    s.rng = state
    assert 0 <= randbelow(s, n) < n


@given(st.integers(0, (1 << 64) - 1), st.integers(1, 10**40))
def test_random_numbers_below_bounds_of_any_size_can_be_drawn(state: int, n: int) -> None:
    assert 0 <= Rng(state).below(n) < n


def test_weighted_choices_follow_their_weights() -> None:
    source = Rng(1)
    weights = [1, 0, 3, 6]
    counts = Counter(source.weighted_choice(weights) for _ in range(20_000))
    assert counts[1] == 0
    for kind, weight in enumerate(weights):
        assert abs(counts[kind] - 2_000 * weight) < 250  # more than five standard deviations


# --- Draws from a set. ---


def draws(*forced: int) -> Any:
    d = twin.new(Draws)
    d.forced[: len(forced)] = forced
    d.forced_count = len(forced)
    return d


@given(st.integers(0, (1 << 64) - 1), st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any))
def test_every_member_of_a_set_is_drawn_once(state: int, counts: list[int]) -> None:
    s, d, remaining_counts = twin.new(Small), draws(), list(counts)
    s.rng = state
    drawn = [draw(s, d, remaining_counts, len(remaining_counts), 10) for _ in range(sum(counts))]
    assert remaining_counts == [0] * len(counts)
    assert [drawn.count(kind) for kind in range(len(counts))] == counts
    assert d.count == sum(counts)
    assert d.drawn[: d.count] == [10 + kind for kind in drawn]


def test_each_member_of_a_set_has_the_same_chance_to_be_drawn() -> None:
    s = twin.new(Small)
    counts: Counter[int] = Counter()
    for _ in range(20_000):
        counts[draw(s, draws(), [1, 0, 3, 6], 4, 0)] += 1
    for kind, weight in enumerate([1, 0, 3, 6]):
        assert abs(counts[kind] - 2_000 * weight) < 250  # more than five standard deviations


def test_forced_draws_precede_random_draws() -> None:
    s, d, remaining_counts = twin.new(Small), draws(12, 10), [1, 1, 1]
    assert (draw(s, d, remaining_counts, 3, 10), draw(s, d, remaining_counts, 3, 10)) == (2, 0)
    assert s.rng == 0  # chance was not asked
    assert draw(s, d, remaining_counts, 3, 10) == 1
    assert s.rng != 0
    assert (d.bad_draw, remaining_counts) == (0, [0, 0, 0])


@pytest.mark.parametrize("code", [9, 13, 11])
def test_an_impossible_forced_draw_is_recorded_as_invalid(code: int) -> None:
    s, d, remaining_counts = twin.new(Small), draws(10, code), [2, 0, 1]
    draw(s, d, remaining_counts, 3, 10)
    draw(s, d, remaining_counts, 3, 10)
    assert d.bad_draw == 2
    assert min(remaining_counts) >= 0


# --- The secret of a table. ---


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10_000))
def test_every_move_gets_another_seed_from_the_secret(secret: bytes, number: int) -> None:
    move_hash = hmac.new(secret, str(number).encode(), hashlib.sha256).digest()
    assert move_seed(secret, number) == int.from_bytes(move_hash[:8], "big")
    assert move_seed(secret, number) != move_seed(secret, number + 1)


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert chance.MAX_DRAWS >= 6 * 10 + 6 + 1  # the largest deal
