"""Chance: a generator inside the state, and draws that can be listed, forced and verified.

Simulations use SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). At a table all
draws of a move follow from HMAC-SHA256(secret, number of the move), and the secret is published at the end and so
proves every draw; see `random_words`.

A rule draws from a set with `draw`. The set is a list of counts, so no shuffled order exists anywhere. Draws are
recorded in working memory and can be forced there: for tests, records and the chance nodes of other libraries.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from spieltisch.core.arguments import require_int
from spieltisch.core.compiled import MASK, as_i64, as_u64, rule, u64

MAX_DRAWS = 256
MAX_KINDS = 256
"""The largest number of kinds that a set to draw from may contain."""

Draws = np.dtype(
    [
        ("drawn", "i2", MAX_DRAWS),
        ("count", "i4"),
        ("forced", "i2", MAX_DRAWS),
        ("forced_count", "i4"),
        ("bad_draw", "i4"),
        ("peeking", "i4"),
        ("lowest", "i4"),
        ("kinds", "i4"),
        ("counts", "i4", MAX_KINDS),
        ("has_words", "i4"),
        ("words", "u8", MAX_DRAWS),
    ]
)
"""Working memory of chance.

`drawn` and `count` are the codes drawn by this move and their number; `forced` and `forced_count` the forced codes and
their number; `bad_draw` is 1 + the index of a forced draw that is impossible. If `peeking` is 1, the first draw that is
not forced stores its set here: `lowest` code, number of `kinds`, and `counts`. If `has_words` is 1, each draw uses the
item of `words` with its index, and the generator in the state is not used.
"""

GAMMA = u64(0x9E3779B97F4A7C15)
MIX_A = u64(0xBF58476D1CE4E5B9)
MIX_B = u64(0x94D049BB133111EB)
ALL = u64(MASK)
S27, S30, S31, S32 = u64(27), u64(30), u64(31), u64(32)


@rule
def next_u64(s: Any) -> int:
    """Return the next 64 bits of the generator and advance `s.rng`."""
    s.rng = (s.rng + GAMMA) & ALL
    z = s.rng
    z = ((z ^ (z >> S30)) * MIX_A) & ALL
    z = ((z ^ (z >> S27)) * MIX_B) & ALL
    return z ^ (z >> S31)


@rule
def scale(bits: Any, n: int) -> int:
    """Return a number from 0 to n - 1 from the high half of 64 bits, multiplied and shifted; n is at most 2**32."""
    return as_i64(((bits >> S32) * as_u64(n)) >> S32)


@rule
def randbelow(s: Any, n: int) -> int:
    """Return a random number from 0 to n - 1; n is at most 2**32.

    >>> randbelow(Rng(1), 6) in range(6)
    True
    """
    return scale(next_u64(s), n)


@rule
def draw(s: Any, d: Any, counts: Any, kinds: int, base: int) -> int:
    """Draw an item from a set with `counts[i]` of kind i, remove it, record it as code `base + i`, and return i.

    The set is not empty. If `d` has forced draws left, the next one is taken. A forced draw that is not in the set is
    recorded in `d.bad_draw`, and the caller must refuse it.

    >>> from spieltisch.core import twin
    >>> draws, counts = twin.new(Draws), [0, 2, 0]
    >>> draw(Rng(1), draws, counts, kinds=3, base=10), counts, draws.drawn[: draws.count]
    (1, [0, 1, 0], [11])
    """
    if d.peeking == 1 and d.count == d.forced_count:
        d.lowest, d.kinds = base, kinds
        for i in range(kinds):
            d.counts[i] = counts[i]
    total = 0
    for i in range(kinds):
        total += counts[i]
    kind = 0
    if d.count < d.forced_count:
        kind = d.forced[d.count] - base
        if kind < 0 or kind >= kinds or counts[kind] <= 0:
            if d.bad_draw == 0:
                d.bad_draw = d.count + 1
            kind = 0
            while counts[kind] <= 0:
                kind += 1
    else:
        r = scale(d.words[d.count], total) if d.has_words == 1 else randbelow(s, total)
        while r >= counts[kind]:
            r -= counts[kind]
            kind += 1
    counts[kind] -= 1
    d.drawn[d.count] = base + kind
    d.count += 1
    return kind


def move_seed(secret: bytes, number: int) -> int:
    """Return a state of SplitMix64 for the move with this number (0 is the set-up).

    >>> move_seed(bytes(32), 0) == move_seed(bytes(32), 0) != move_seed(bytes(32), 1)
    True
    """
    return int.from_bytes(_move_hash(secret, number)[:8], "big")


def random_words(secret: bytes, number: int) -> tuple[int, ...]:
    """Return 64 random bits for each draw that the move with this number (0 is the set-up) can make at a table.

    They come from SHAKE-256, seeded with all 256 bits of HMAC-SHA256. A player who knows some of the draws, such as
    their own hand, cannot compute the others from them.

    >>> random_words(bytes(32), 0)[:2] == random_words(bytes(32), 0)[:2] != random_words(bytes(32), 1)[:2]
    True
    """
    return struct.unpack(f">{MAX_DRAWS}Q", hashlib.shake_256(_move_hash(secret, number)).digest(8 * MAX_DRAWS))


def load_random_words(draws: Any, secret: bytes, number: int) -> None:
    """Write the random words of a move to working memory, from which it then draws."""
    draws.words[:] = random_words(secret, number)
    draws.has_words = 1


def _move_hash(secret: bytes, number: int) -> bytes:
    return hmac.digest(secret, str(number).encode(), "sha256")


def commitment(secret: bytes) -> str:
    """Return the commitment that is published before the first move: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


class Rng:
    """The generator of the rules as an object, for code outside the rules.

    >>> Rng(1).below(6) == Rng(1).below(6)
    True
    >>> 0 <= Rng(3).below(10**30) < 10**30
    True
    >>> Rng(3).weighted_choice([0, 5, 0])
    1
    """

    def __init__(self, seed: SupportsIndex) -> None:
        self.rng = require_int("seed", seed) & MASK

    def below(self, n: SupportsIndex) -> int:
        """Return a random number from 0 to n - 1, for n of any size.

        As many words as needed are drawn; values from the last whole multiple of n are rejected.
        """
        n = require_int("n", n)
        words = (n.bit_length() + 63) // 64
        span = 1 << 64 * words
        while True:
            x = 0
            for _ in range(words):
                x = x << 64 | next_u64(self)
            if x < span - span % n:
                return x % n

    def weighted_choice(self, weights: Sequence[int]) -> int:
        """Return a random index with a probability in proportion to its weight (exact for integers of any size)."""
        r = self.below(sum(weights))
        for i, weight in enumerate(weights):
            r -= weight
            if r < 0:
                return i
        raise AssertionError("weights must be above zero in sum")
