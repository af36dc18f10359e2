"""Check that sets of hexes as 64-bit words behave like Python's sets, plain and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.core import bit_sets
from spieltisch.core.compiled import Binding

places = st.sets(st.integers(0, 255))


def set_of(members: set[int]) -> list[int]:
    bits = [0] * bit_sets.WORDS
    for i in members:
        bit_sets.add(bits, i)
    return bits


@given(places, places)
def test_bit_sets_behave_like_python_sets(a: set[int], b: set[int]) -> None:
    x, y = set_of(a), set_of(b)
    assert bit_sets.members(x) == sorted(a)
    assert bit_sets.count(x) == len(a)
    assert [i for i in range(256) if bit_sets.has(x, i)] == sorted(a)
    assert bit_sets.intersects(x, y) == bool(a & b)
    bit_sets.update(x, y)
    assert bit_sets.members(x) == sorted(a | b)
    bit_sets.difference_update(x, y)
    assert bit_sets.members(x) == sorted(a - b)
    assert bit_sets.members(y) == sorted(b)
    bit_sets.clear(x)
    assert x == [0] * bit_sets.WORDS


@given(st.integers(1, (1 << 64) - 1))
def test_the_lowest_bit_of_a_set_is_found(x: int) -> None:
    i = bit_sets.lowest_bit(x)
    assert x >> i & 1
    assert x & ((1 << i) - 1) == 0


@pytest.fixture(scope="module")
def compiled() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return Binding("bits", compiled=True).bind


def test_compiled_and_plain_bit_sets_behave_alike(compiled: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    chance = np.random.default_rng(1)
    add, has, count, meets = (compiled(f) for f in (bit_sets.add, bit_sets.has, bit_sets.count, bit_sets.intersects))
    unite, remove, clear = (compiled(f) for f in (bit_sets.update, bit_sets.difference_update, bit_sets.clear))
    for _ in range(20):
        a, b = (set(chance.integers(0, 256, chance.integers(0, 100)).tolist()) for _ in range(2))
        x, y = np.zeros(bit_sets.WORDS, np.uint64), np.zeros(bit_sets.WORDS, np.uint64)
        for i in a:
            add(x, i)
        for i in b:
            add(y, i)
        assert x.tolist() == set_of(a)
        assert count(x) == len(a)
        assert meets(x, y) == bool(a & b)
        assert all(has(x, i) == (i in a) for i in range(256))
        unite(x, y)
        assert x.tolist() == set_of(a | b)
        remove(x, y)
        assert x.tolist() == set_of(a - b)
        clear(x)
        assert not x.any()


def test_compiled_and_plain_code_find_the_same_lowest_bit() -> None:
    from numba import njit

    native = bit_sets.lowest_bit.__native__()  # type: ignore[attr-defined]  # put there by the decorator

    @njit
    def lowest(x):  # type: ignore[no-untyped-def]  # numba finds the type
        return native(x)

    for i in range(64):
        assert lowest(np.uint64(1 << i)) == lowest(np.uint64((1 << 64) - (1 << i))) == i
