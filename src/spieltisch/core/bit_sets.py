"""Sets of up to 256 places as four 64-bit words, with named operations.

A set is anything indexed by word: an array field of a compiled state, a list on the twin. The operations change
their first argument or say something about it; none allocates.

>>> lyon_line = [0, 0, 0, 0]
>>> add(lyon_line, 70); add(lyon_line, 3)
>>> has(lyon_line, 70), count(lyon_line), members(lyon_line)
(True, 2, [3, 70])
"""

from typing import Any

from spieltisch.core.compiled import as_u64, compiled_as, rule, u64

WORDS = 4
ONE = u64(1)
NONE = u64(0)


def _trailing_zeros() -> Any:
    from numba.cpython.unsafe.numbers import trailing_zeros

    return trailing_zeros


@compiled_as(_trailing_zeros)
def lowest_bit(x: int) -> int:
    """The number of the lowest bit set in a word; the word is not zero."""
    return (x & -x).bit_length() - 1


@rule
def has(a: Any, i: int) -> bool:
    """Whether place i is in the set."""
    return (a[i >> 6] >> as_u64(i & 63)) & ONE != NONE  # type: ignore[no-any-return]  # an element of a record


@rule
def add(a: Any, i: int) -> None:
    """Put place i into the set."""
    a[i >> 6] = a[i >> 6] | (ONE << as_u64(i & 63))


@rule
def clear(a: Any) -> None:
    """Empty the set."""
    for k in range(WORDS):
        a[k] = NONE


@rule
def update(a: Any, b: Any) -> None:
    """Put all of b into a."""
    for k in range(WORDS):
        a[k] = a[k] | b[k]


@rule
def difference_update(a: Any, b: Any) -> None:
    """Take all of b out of a."""
    for k in range(WORDS):
        a[k] = a[k] & ~b[k]


@rule
def intersects(a: Any, b: Any) -> bool:
    """Whether the sets share a place."""
    for k in range(WORDS):  # noqa: SIM110 - compiled code knows no generators
        if a[k] & b[k] != NONE:
            return True
    return False


@rule
def count(a: Any) -> int:
    """How many places are in the set."""
    n = 0
    for k in range(WORDS):
        x = a[k]
        while x != NONE:
            x = x & (x - ONE)
            n += 1
    return n


def members(a: Any) -> list[int]:
    """The places in the set, ascending. For pages and documents, not for rules."""
    return [64 * k + i for k in range(WORDS) for i in range(64) if int(a[k]) >> i & 1]
