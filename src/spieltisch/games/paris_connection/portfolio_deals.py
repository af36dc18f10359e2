"""Deals of the other portfolios, drawn from the exact distribution of those that fit a seat's knowledge.

A seat knows how many locomotives of each company the others were dealt together (31 - depot - own, P2), how many each
was dealt, and the minimum of each company that a player's trades prove (T5). Every deal of distinct locomotives is
equally likely. Company by company and player by player, the number of the remaining locomotives that go to the player
is drawn. The weight of each number is the number of deals that continue it, counted exactly, in integers. Reserving the
proven minimum and dealing the rest at random would be biased.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from typing import TypeAlias

from spieltisch.core.chance import Rng

Row: TypeAlias = tuple[int, ...]
Hand: TypeAlias = tuple[int, Row]
"""A player during the deal: the number of locomotives to come, and the minimum of this company and of each later one.
"""


class Deals:
    """The deals with `totals[k]` locomotives of company k, `sizes[p]` for player p, and at least `least[p][k]` of them.

    Players with the same known values are interchangeable, so counts are cached for sorted hands: some thousands of
    counts at worst for five players, a few hundred before anything is proven.

    >>> Deals((2, 1), (2, 1), ((0, 0), (1, 0))).ways()
    2
    """

    def __init__(self, totals: Sequence[int], sizes: Sequence[int], minimum: Sequence[Sequence[int]]) -> None:
        self._totals = tuple(totals)
        self._hands: list[Hand] = [(size, tuple(row)) for size, row in zip(sizes, minimum, strict=True)]
        self._ways = cache(self._count)
        self._weights = cache(self._weigh)

    def ways(self) -> int:
        """Return the number of deals of distinct locomotives."""
        return self._ways(0, self._totals[0], tuple(sorted(self._hands)), ())

    def _count(self, k: int, left: int, waiting: tuple[Hand, ...], served: tuple[Hand, ...]) -> int:
        """Return the number of deals that continue with `left` locomotives of company k for those `waiting`."""
        if waiting:
            return sum(self._weights(k, left, waiting, served).values())
        if left:
            return 0
        if k + 1 == len(self._totals):
            return int(not any(room for room, _ in served))
        return self._ways(k + 1, self._totals[k + 1], served, ())

    def _weigh(self, k: int, left: int, waiting: tuple[Hand, ...], served: tuple[Hand, ...]) -> dict[int, int]:
        """Return the number of deals for each number of locomotives that the first player waiting may get."""
        room, minimum = waiting[0]
        return {
            n: comb(left, n) * self._ways(k, left - n, waiting[1:], _add_served(served, waiting[0], n))
            for n in range(minimum[0], min(left, room - sum(minimum[1:])) + 1)
        }

    def deal(self, chance: Rng) -> list[list[int]]:
        """Return a random deal: for each player the locomotives by company. Raise ValueError if none fits."""
        if self.ways() == 0:
            raise ValueError("no deal fits what is known")
        hands = list(self._hands)
        dealt: list[list[int]] = [[] for _ in hands]
        for k, left in enumerate(self._totals):
            served: tuple[Hand, ...] = ()
            waiting = sorted(range(len(hands)), key=hands.__getitem__)
            for i, p in enumerate(waiting):
                weights = self._weights(k, left, tuple(hands[q] for q in waiting[i:]), served)
                n = list(weights)[chance.weighted_choice(list(weights.values()))]
                left -= n
                served = _add_served(served, hands[p], n)
                hands[p] = _hand_after(hands[p], n)
                dealt[p].append(n)
        return dealt


@lru_cache(maxsize=128)
def deals(totals: Row, sizes: Row, minimum: tuple[Row, ...]) -> Deals:
    """Return cached deals, because a seat imagines many times from one observation."""
    return Deals(totals, sizes, minimum)


def _hand_after(hand: Hand, n: int) -> Hand:
    """Return a hand after it has got n locomotives of the current company."""
    room, minimum = hand
    return room - n, minimum[1:]


def _add_served(served: tuple[Hand, ...], hand: Hand, n: int) -> tuple[Hand, ...]:
    return tuple(sorted((*served, _hand_after(hand, n))))
