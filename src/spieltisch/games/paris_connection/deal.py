"""Imagining the others' portfolios, from the exact distribution of the deals that fit what a seat knows.
 A seat knows how many locomotives of each company the others were dealt together (31 - depot - own, P2), how many
each was dealt, and the least of each company that a player's trades prove (T5). Every deal of distinct locomotives is
equally likely, so a split x of one company's R locomotives among the others weighs R! / (x1! x2! ...). Companies are
split one after the other; the number of ways in which the rest can still be dealt is counted exactly, in whole
numbers. Reserving the proven minimum and dealing the rest at random would be biased.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import comb

from spieltisch.core.chance import Chance

Row = tuple[int, ...]


def splits(total: int, least: Row, most: Row) -> Iterator[Row]:
    """All ways to split a total into parts between the bounds.

    >>> list(splits(2, (0, 1), (2, 2)))
    [(0, 2), (1, 1)]
    """
    if not least:
        if total == 0:
            yield ()
        return
    rest_least, rest_most = sum(least[1:]), sum(most[1:])
    for first in range(max(least[0], total - rest_most), min(most[0], total - rest_least) + 1):
        for rest in splits(total - first, least[1:], most[1:]):
            yield (first, *rest)


def weight(split: Row) -> int:
    """In how many ways distinct locomotives fall into a split: a multinomial number."""
    ways, left = 1, sum(split)
    for part in split:
        ways *= comb(left, part)
        left -= part
    return ways


class Deals:
    """The deals with `totals[k]` locomotives of company k, `sizes[p]` for player p, and at least `least[p][k]` of them.

    >>> Deals((2, 1), (2, 1), ((0, 0), (1, 0))).ways()
    2
    """

    def __init__(self, totals: Sequence[int], sizes: Sequence[int], least: Sequence[Sequence[int]]) -> None:
        self._totals = tuple(totals)
        self._sizes = tuple(sizes)
        self._least = [tuple(player[k] for player in least) for k in range(len(self._totals))]
        # What the companies after k still prove for each player bounds what may be taken of the first k.
        self._later = [
            tuple(sum(row[p] for row in self._least[k:]) for p in range(len(self._sizes)))
            for k in range(len(self._totals) + 1)
        ]
        self._ways = cache(self._count)

    def ways(self) -> int:
        """How many deals of distinct locomotives there are."""
        return self._ways(0, self._sizes)

    def _options(self, k: int, room: Row) -> Iterator[Row]:
        most = tuple(free - later for free, later in zip(room, self._later[k + 1], strict=True))
        return splits(self._totals[k], self._least[k], most)

    def _count(self, k: int, room: Row) -> int:
        if k == len(self._totals):
            return int(not any(room))
        return sum(weight(x) * self._ways(k + 1, _less(room, x)) for x in self._options(k, room))

    def deal(self, chance: Chance) -> list[list[int]]:
        """One deal: for each player the locomotives by company. Raises ValueError when none fits."""
        if self.ways() == 0:
            raise ValueError("no deal fits what is known")
        hands: list[list[int]] = [[] for _ in self._sizes]
        room = self._sizes
        for k in range(len(self._totals)):
            options = list(self._options(k, room))
            chosen = options[chance.pick([weight(x) * self._ways(k + 1, _less(room, x)) for x in options])]
            room = _less(room, chosen)
            for hand, part in zip(hands, chosen, strict=True):
                hand.append(part)
        return hands


@lru_cache(maxsize=128)
def deals(totals: Row, sizes: Row, least: tuple[Row, ...]) -> Deals:
    """The same, remembered: a seat imagines many times from what it knows at one moment."""
    return Deals(totals, sizes, least)


def _less(a: Row, b: Row) -> Row:
    return tuple(x - y for x, y in zip(a, b, strict=True))
