"""Calibration: chances from playouts are shrunk towards even, because early in a game they are too optimistic."""

from math import sqrt
from typing import TypeAlias

ShrinkageTable: TypeAlias = tuple[tuple[int, float], ...]
"""Pairs, in ascending order: a number of moves per seat, and the factor that applies from there on.

The factor multiplies the distance of a chance from even.
"""


def shrinkage(trust: ShrinkageTable, moves: int) -> float:
    """Return the factor after this number of moves per seat; 1 if the table has none.

    >>> shrinkage(((0, 0.2), (10, 0.8)), 9), shrinkage((), 9)
    (0.2, 1.0)
    """
    return next((part for start, part in reversed(trust) if start <= moves), 1.0)


def calibrated(trust: ShrinkageTable, moves: int, even: float, chance: float) -> float:
    """Return the chance as it is shown: shrunk towards even.

    >>> calibrated(((0, 0.5),), 3, 0.25, 0.75)
    0.5
    """
    return even + shrinkage(trust, moves) * (chance - even)


def standard_error(won: float, games: int) -> float:
    """Return the standard error of the proportion `won` of this number of playouts.

    It is never 0: a result that was always the same in a few games is not certain.

    >>> standard_error(0.5, 100), standard_error(1.0, 100)
    (0.05, 0.005)
    """
    return sqrt(max(won * (1 - won), 0.25 / games) / games)
