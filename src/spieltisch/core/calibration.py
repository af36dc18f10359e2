"""Chances that trial games give, shrunk towards even: early in a game they promise more than comes of them."""

from __future__ import annotations

from math import sqrt
from typing import TypeAlias

ShrinkageTable: TypeAlias = tuple[tuple[int, float], ...]
"""From how many moves a seat on which part of a chance's distance from even is to be trusted, from the start on."""


def shrinkage(trust: ShrinkageTable, moves: int) -> float:
    """The part after so many moves a seat; all of it where nothing is known.

    >>> shrinkage(((0, 0.2), (10, 0.8)), 9), shrinkage((), 9)
    (0.2, 1.0)
    """
    return next((part for start, part in reversed(trust) if start <= moves), 1.0)


def calibrated(trust: ShrinkageTable, moves: int, even: float, chance: float) -> float:
    """A chance as it is said.

    >>> calibrated(((0, 0.5),), 3, 0.25, 0.75)
    0.5
    """
    return even + shrinkage(trust, moves) * (chance - even)


def standard_error(won: float, games: int) -> float:
    """The standard error of a part of so many trial games that was won; never 0, for nothing is certain that was always
    so in a few games.

    >>> standard_error(0.5, 100), standard_error(1.0, 100)
    (0.05, 0.005)
    """
    return sqrt(max(won * (1 - won), 0.25 / games) / games)
