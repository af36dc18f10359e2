"""Check the plain twin of a NumPy record: equal numbers, no shared memory, and no overflow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.core import twin

Seat = np.dtype([("shares", "i2", 3), ("held", "i4")])
State = np.dtype([("rng", "u8"), ("turn", "i2"), ("net", "u8", (2, 4)), ("seats", Seat, 2), ("last", "u1")], align=True)

numbers = st.binary(min_size=State.itemsize, max_size=State.itemsize)


def test_all_fields_of_a_new_state_in_plain_python_are_zero() -> None:
    state = twin.new(State)
    assert (state.rng, state.turn, state.net, state.last) == (0, 0, [[0] * 4, [0] * 4], 0)
    assert [(seat.shares, seat.held) for seat in state.seats] == [([0, 0, 0], 0)] * 2
    assert twin.pack(State, state) == bytes(State.itemsize)
    with pytest.raises(AttributeError):
        state.misspelt = 1


@given(numbers)
def test_packed_bytes_and_states_in_plain_python_hold_the_same_numbers(data: bytes) -> None:
    record = np.frombuffer(data, State)[0]
    state = twin.unpack(State, data)
    assert state.rng == int(record["rng"])
    assert state.net == record["net"].tolist()
    assert [seat.shares for seat in state.seats] == record["seats"]["shares"].tolist()
    packed = twin.pack(State, state)
    assert np.frombuffer(packed, State)[0] == record  # the gaps between fields aside
    assert twin.pack(State, twin.unpack(State, packed)) == packed


@given(numbers)
def test_clones_of_a_state_in_plain_python_share_no_data(data: bytes) -> None:
    state = twin.unpack(State, data)
    packed_state = twin.pack(State, state)
    clone, target = twin.clone(state), twin.new(State)
    twin.assign(state, target)
    state.rng ^= 1
    state.net[1][2] ^= 1
    state.seats[1].shares[0] ^= 1
    state.seats[0].held ^= 1
    assert twin.pack(State, clone) == twin.pack(State, target) == packed_state != twin.pack(State, state)


def test_assigning_a_state_in_plain_python_keeps_the_lists_of_the_target() -> None:
    source, target = twin.new(State), twin.new(State)
    seats, net = target.seats, target.net
    source.seats[1].shares[2] = source.net[0][0] = 7
    twin.assign(source, target)
    assert target.seats is seats
    assert target.net is net
    assert (seats[1].shares[2], net[0][0]) == (7, 7)


@pytest.mark.parametrize(
    ("field", "value"), [("turn", 1 << 15), ("turn", -(1 << 15) - 1), ("rng", 1 << 64), ("rng", -1)]
)
def test_a_number_too_large_for_its_field_is_refused_and_does_not_overflow(field: str, value: int) -> None:
    state = twin.new(State)
    setattr(state, field, value)
    with pytest.raises(OverflowError):
        twin.pack(State, state)


@pytest.mark.parametrize("size", [0, State.itemsize - 1, State.itemsize + 1])
def test_unpacking_bytes_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} bytes where {State.itemsize} are needed"):
        twin.unpack(State, bytes(size))


def test_padding_between_packed_fields_is_zero() -> None:
    state: Any = twin.new(State)
    state.turn = -1
    assert twin.pack(State, state).count(b"\xff"[0]) == 2


def test_the_repr_of_a_state_in_plain_python_shows_its_fields() -> None:
    assert repr(twin.new(Seat)) == "Twin(shares=[0, 0, 0], held=0)"
