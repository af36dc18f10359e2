"""Chance: a generator inside the state, draws that can be listed, forced and verified.

Simulations draw by SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). At a table
all draws of a move come from HMAC-SHA256(key, number of the move), and the key from the secret that is shown at the
end, so that it proves every draw; `Source` says how, by which scheme.

A rule draws from a set by `draw`: the set is a list of counts, nothing shuffled lies anywhere. What was drawn is
noted in working memory, and draws can be forced there, for tests, records and the chance nodes of other libraries.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import Any, Final, SupportsIndex

import numpy as np

from spieltisch.core.arguments import require_int
from spieltisch.core.compiled import MASK, as_i64, as_u64, rule, u64

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
        ("listed", "i4"),
        ("words", "u8", MOST_DRAWS),
    ]
)
"""Working memory of chance: the codes drawn by this move and how many; codes forced and how many; 1 + index of a
forced draw that cannot be. Where `asked` is 1, the first draw that is not forced leaves here what it was made from: the
lowest code, how many kinds, and how often each was there. Where `listed` is 1, each draw takes the word of its number
from `words`, and the generator in the state is not asked.
"""

SCHEME: Final = 2
"""The scheme of chance that new tables have."""
SCHEMES: Final = (1, SCHEME)
"""All that are known; games go on, and are verified, by the one that they began with."""

GAMMA = u64(0x9E3779B97F4A7C15)
MIX_A = u64(0xBF58476D1CE4E5B9)
MIX_B = u64(0x94D049BB133111EB)
ALL = u64(MASK)
S27, S30, S31, S32 = u64(27), u64(30), u64(31), u64(32)


@rule
def next_u64(s: Any) -> int:
    """The generator's next 64 bits; `s.rng` moves on."""
    s.rng = (s.rng + GAMMA) & ALL
    z = s.rng
    z = ((z ^ (z >> S30)) * MIX_A) & ALL
    z = ((z ^ (z >> S27)) * MIX_B) & ALL
    return z ^ (z >> S31)  # type: ignore[no-any-return]  # a field of a record


@rule
def scale(bits: Any, n: int) -> int:
    """A number from 0 to n - 1 by the high half of 64 bits, multiplied and shifted; n is at most 2**32."""
    return as_i64(((bits >> S32) * as_u64(n)) >> S32)


@rule
def randbelow(s: Any, n: int) -> int:
    """A number from 0 to n - 1; n is at most 2**32."""
    return scale(next_u64(s), n)


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
        r = scale(d.words[d.many], total) if d.listed == 1 else randbelow(s, total)
        while r >= counts[kind]:
            r -= counts[kind]
            kind += 1
    counts[kind] -= 1
    d.drawn[d.many] = base + kind
    d.many += 1
    return kind


def move_seed(secret: bytes, number: int) -> int:
    """SplitMix64's state for the move with this number (0 is the set-up).

    >>> move_seed(bytes(32), 0) == move_seed(bytes(32), 0) != move_seed(bytes(32), 1)
    True
    """
    return int.from_bytes(_of_move(secret, number)[:8], "big")


def random_words(key: bytes, number: int) -> tuple[int, ...]:
    """A word of 64 bits for each draw that the move with this number can make: SHAKE-256, started from all 256 bits of
    HMAC-SHA256. Who knows some of the draws, their own hand, cannot work out the others from them.

    >>> random_words(bytes(32), 0)[:2] == random_words(bytes(32), 0)[:2] != random_words(bytes(32), 1)[:2]
    True
    """
    return struct.unpack(f">{MOST_DRAWS}Q", hashlib.shake_256(_of_move(key, number)).digest(8 * MOST_DRAWS))


def _of_move(key: bytes, number: int) -> bytes:
    return hmac.digest(key, str(number).encode(), "sha256")


def mix_entropy(secret: bytes, texts: Sequence[str]) -> bytes:
    """The key of chance: HMAC-SHA256(secret, what was added), where each seat in order adds the length of its text in
    UTF-8, in 4 bytes, and the text.

    >>> mix_entropy(bytes(32), ("ab", "c")) != mix_entropy(bytes(32), ("a", "bc"))
    True
    """
    added = (text.encode() for text in texts)
    return hmac.digest(secret, b"".join(len(text).to_bytes(4, "big") + text for text in added), "sha256")


class DrawSource:
    """Where the draws at a table come from: a secret, by scheme 2 with a text of each seat ("" for none), which players
    may add when they have seen the secret's commitment. `key` is what moves are hashed with.

    By scheme 1 the secret is the key, and SplitMix64 starts from 64 bits of a move's hash; by scheme 2 the key is
    `mixed`, and a move draws by `words_of_move`. Raises ValueError for other schemes, and for texts by scheme 1.
    """

    def __init__(self, secret: bytes, texts: Sequence[str], scheme: int) -> None:
        if (scheme := require_int("scheme", scheme)) not in SCHEMES:
            raise ValueError(f"scheme {scheme} of chance is not known, only {' and '.join(map(str, SCHEMES))}")
        if scheme == 1 and any(texts):
            raise ValueError("by scheme 1 of chance nobody adds a text")
        self.scheme = scheme
        self.key = secret if scheme == 1 else mix_entropy(secret, texts)

    def load_words(self, draws: Any, number: int) -> None:
        """Lay the words for a move ready in working memory, by a scheme that has them."""
        if self.scheme > 1:
            draws.words[:] = random_words(self.key, number)
            draws.listed = 1

    def seed(self, number: int) -> int:
        """The state of SplitMix64 for a move, which by scheme 1 it draws from."""
        return move_seed(self.key, number)


def commitment(secret: bytes) -> str:
    """What is shown before the first move: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


class Rng:
    """The same generator as an object, for code outside the rules.

    >>> Rng(1).below(6) == Rng(1).below(6)
    True
    >>> 0 <= Rng(3).below(10**30) < 10**30
    True
    """

    def __init__(self, seed: SupportsIndex) -> None:
        self.rng = require_int("seed", seed) & MASK

    def below(self, n: SupportsIndex) -> int:
        """A number from 0 to n - 1, for any n: as many words as needed, those above the last whole multiple thrown
        away.
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
        """An index with a chance in proportion to its weight (exact for integers of any size)."""
        r = self.below(sum(weights))
        for i, weight in enumerate(weights):
            r -= weight
            if r < 0:
                return i
        raise AssertionError("weights must be above zero in sum")
