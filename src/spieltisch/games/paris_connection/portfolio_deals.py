"""Imagining the others' portfolios, from the exact distribution of the deals that fit what a seat knows.

A seat knows how many locomotives of each company the others were dealt together (31 - depot - own, P2), how many each
was dealt, and the least of each company that a player's trades prove (T5). Every deal of distinct locomotives is
equally likely. Company by company and player by player it is decided how many of the locomotives left go to the
player, each number weighing as much as there are ways to go on from it, counted exactly, in whole numbers. Reserving
the proven minimum and dealing the rest at random would be biased.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from typing import TypeAlias

from spieltisch.core.chance import Rng

Row: TypeAlias = tuple[int, ...]
Hand: TypeAlias = tuple[int, Row]
"""A player on the way through the deal: how many locomotives are still to come, and of this company and each later one
the least that must come."""


class Deals:
    """The deals with `totals[k]` locomotives of company k, `sizes[p]` for player p, and at least `least[p][k]` of them.

    Players of whom the same is known are interchangeable, so what is counted is counted for sorted hands: some
    thousands of counts at worst for five players, a few hundred before anything is proven.

    >>> Deals((2, 1), (2, 1), ((0, 0), (1, 0))).ways()
    2
    """

    def __init__(self, totals: Sequence[int], sizes: Sequence[int], least: Sequence[Sequence[int]]) -> None:
        self._totals = tuple(totals)
        self._hands: list[Hand] = [(size, tuple(row)) for size, row in zip(sizes, least, strict=True)]
        self._ways = cache(self._count)
        self._weights = cache(self._weigh)

    def ways(self) -> int:
        """How many deals of distinct locomotives there are."""
        return self._ways(0, self._totals[0], tuple(sorted(self._hands)), ())

    def _count(self, k: int, left: int, waiting: tuple[Hand, ...], served: tuple[Hand, ...]) -> int:
        """The ways to go on with `left` locomotives of company k, those `waiting` getting theirs in turn."""
        if waiting:
            return sum(self._weights(k, left, waiting, served).values())
        if left:
            return 0
        if k + 1 == len(self._totals):
            return int(not any(room for room, _ in served))
        return self._ways(k + 1, self._totals[k + 1], served, ())

    def _weigh(self, k: int, left: int, waiting: tuple[Hand, ...], served: tuple[Hand, ...]) -> dict[int, int]:
        """How many ways there are for each number of locomotives that the first of those waiting may get."""
        room, least = waiting[0]
        return {
            n: comb(left, n) * self._ways(k, left - n, waiting[1:], _served(served, waiting[0], n))
            for n in range(least[0], min(left, room - sum(least[1:])) + 1)
        }

    def deal(self, chance: Rng) -> list[list[int]]:
        """One deal: for each player the locomotives by company. Raises ValueError when none fits."""
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
                served = _served(served, hands[p], n)
                hands[p] = _after(hands[p], n)
                dealt[p].append(n)
        return dealt


@lru_cache(maxsize=128)
def deals(totals: Row, sizes: Row, least: tuple[Row, ...]) -> Deals:
    """The same, remembered: a seat imagines many times from what it knows at one moment."""
    return Deals(totals, sizes, least)


def _after(hand: Hand, n: int) -> Hand:
    """A hand that has got n locomotives of the company that is dealt."""
    room, least = hand
    return room - n, least[1:]


def _served(served: tuple[Hand, ...], hand: Hand, n: int) -> tuple[Hand, ...]:
    return tuple(sorted((*served, _after(hand, n))))
