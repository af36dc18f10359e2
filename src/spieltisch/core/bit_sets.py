"""Sets of up to 256 numbers as four 64-bit words.

A set is anything that is indexed by word: an array field of a compiled state, a list in a twin. The operations either
change their first argument or return information about it; none allocates.

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
    """Return the index of the lowest bit that is set in a word. The word must not be zero."""
    return (x & -x).bit_length() - 1


@rule
def has(a: Any, i: int) -> bool:
    """Return True if i is in the set."""
    return (a[i >> 6] >> as_u64(i & 63)) & ONE != NONE


@rule
def add(a: Any, i: int) -> None:
    """Add i to the set."""
    a[i >> 6] = a[i >> 6] | (ONE << as_u64(i & 63))


@rule
def clear(a: Any) -> None:
    """Remove all elements."""
    for k in range(WORDS):
        a[k] = NONE


@rule
def update(a: Any, b: Any) -> None:
    """Add all elements of b to a."""
    for k in range(WORDS):
        a[k] = a[k] | b[k]


@rule
def difference_update(a: Any, b: Any) -> None:
    """Remove all elements of b from a."""
    for k in range(WORDS):
        a[k] = a[k] & ~b[k]


@rule
def intersects(a: Any, b: Any) -> bool:
    """Return True if the sets have an element in common."""
    for k in range(WORDS):
        if a[k] & b[k] != NONE:
            return True
    return False


@rule
def count(a: Any) -> int:
    """Return the number of elements."""
    n = 0
    for k in range(WORDS):
        x = a[k]
        while x != NONE:
            x = x & (x - ONE)
            n += 1
    return n


def members(a: Any) -> list[int]:
    """Return the elements in ascending order. For pages and documents, not for rules."""
    return [64 * k + i for k in range(WORDS) for i in range(64) if int(a[k]) >> i & 1]
