"""Chance: a generator inside the state, draws that can be listed, forced and verified.

The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014); `below`
takes the high half of a word, multiplies and shifts. At a table each move that draws starts from
`seed_of_move(secret, number)`: the first 8 bytes of HMAC-SHA256(secret, number), so that the secret, shown at the
end, proves every draw.

A rule draws from a set by `draw`: the set is a list of counts, nothing shuffled lies anywhere. What was drawn is
noted in working memory, and draws can be forced there, for tests, records and the chance nodes of other libraries.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import numpy as np

from spieltisch.core.compiled import MASK, rule, signed, u64, word

MOST_DRAWS = 256
MOST_KINDS = 256
"""From how many kinds of things a draw may be made at most."""

Draws = np.dtype(
    [
        ("drawn", "i2", MOST_DRAWS),
        ("many", "i4"),
        ("forced", "i2", MOST_DRAWS),
        ("given", "i4"),
        ("wrong", "i4"),
        ("asked", "i4"),
        ("lowest", "i4"),
        ("kinds", "i4"),
        ("counts", "i4", MOST_KINDS),
    ]
)
"""Working memory of chance: the codes drawn by this move and how many; codes forced and how many; 1 + index of a
forced draw that cannot be. Where `asked` is 1, the first draw that is not forced leaves here what it was made from: the
lowest code, how many kinds, and how often each was there.
"""

GAMMA = u64(0x9E3779B97F4A7C15)
MIX_A = u64(0xBF58476D1CE4E5B9)
MIX_B = u64(0x94D049BB133111EB)
ALL = u64(MASK)
S27, S30, S31, S32 = u64(27), u64(30), u64(31), u64(32)


@rule
def turn(s: Any) -> int:
    """The generator's next 64 bits; `s.rng` moves on."""
    s.rng = (s.rng + GAMMA) & ALL
    z = s.rng
    z = ((z ^ (z >> S30)) * MIX_A) & ALL
    z = ((z ^ (z >> S27)) * MIX_B) & ALL
    return z ^ (z >> S31)  # type: ignore[no-any-return]  # a field of a record


@rule
def below(s: Any, n: int) -> int:
    """A number from 0 to n - 1; n is at most 2**32."""
    return signed(((turn(s) >> S32) * word(n)) >> S32)


@rule
def draw(s: Any, d: Any, counts: Any, kinds: int, base: int) -> int:
    """Draw one thing from a set with `counts[i]` of kind i, take it out, note it as code `base + i`; returns i.
    The set is not empty.

    With forced draws left in `d`, the next of them is taken instead; one that is not in the set is noted in
    `d.wrong`, for the caller to refuse.
    """
    if d.asked == 1 and d.many == d.given:
        d.lowest, d.kinds = base, kinds
        for i in range(kinds):
            d.counts[i] = counts[i]
    total = 0
    for i in range(kinds):
        total += counts[i]
    kind = 0
    if d.many < d.given:
        kind = d.forced[d.many] - base
        if kind < 0 or kind >= kinds or counts[kind] <= 0:
            if d.wrong == 0:
                d.wrong = d.many + 1
            kind = 0
            while counts[kind] <= 0:
                kind += 1
    else:
        r = below(s, total)
        while r >= counts[kind]:
            r -= counts[kind]
            kind += 1
    counts[kind] -= 1
    d.drawn[d.many] = base + kind
    d.many += 1
    return kind


def seed_of_move(secret: bytes, number: int) -> int:
    """The generator's state for the move with this number (0 is the set-up).

    >>> seed_of_move(bytes(32), 0) == seed_of_move(bytes(32), 0) != seed_of_move(bytes(32), 1)
    True
    """
    return int.from_bytes(hmac.digest(secret, str(number).encode(), "sha256")[:8], "big")


def commitment(secret: bytes) -> str:
    """What is shown before the first move: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


class Chance:
    """The same generator as an object, for code outside the rules.

    >>> Chance(1).below(6) == Chance(1).below(6)
    True
    >>> 0 <= Chance(3).below(10**30) < 10**30
    True
    """

    def __init__(self, seed: int) -> None:
        self.rng = seed & MASK

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, for any n: as many words as needed, those above the last whole multiple thrown
        away.
        """
        words = (n.bit_length() + 63) // 64
        span = 1 << 64 * words
        while True:
            x = 0
            for _ in range(words):
                x = x << 64 | turn(self)
            if x < span - span % n:
                return x % n

    def pick(self, weights: Sequence[int]) -> int:
        """An index with a chance in proportion to its weight (exact for integers of any size)."""
        r = self.below(sum(weights))
        for i, weight in enumerate(weights):
            r -= weight
            if r < 0:
                return i
        raise AssertionError("weights must be above zero in sum")
