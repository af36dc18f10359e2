"""A second implementation of the scoring of runs, slow and simple: it tries all ways to form runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache


def best(numbers: tuple[int, ...], tokens: int, least: int = 1) -> int:
    """The points of the best runs (L24, L26, S5): `numbers[i]` patents with number i, so many tokens; `least` patents
    make a run.
    """

    @cache
    def most(left: tuple[int, ...], wild: int) -> int:
        return max(
            (points + most(rest, remaining) for points, rest, remaining in first_runs(left, wild, least)),
            default=0,
        )

    return most(numbers, tokens)


def first_runs(left: tuple[int, ...], wild: int, least: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Every single run from these: its points, the patents and the tokens that are left."""

    def longer(number: int, left: tuple[int, ...], wild: int, real: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
        if number >= 2 and real >= least:  # at least two cards, so many of them patents
            yield number - 1, left, wild
        if number < len(left) and left[number]:
            yield from longer(number + 1, (*left[:number], left[number] - 1, *left[number + 1 :]), wild, real + 1)
        if wild:
            yield from longer(number + 1, left, wild - 1, real)

    return longer(0, left, wild, 0)
