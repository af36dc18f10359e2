"""Score runs by trying all ways to form them, as a slow reference for the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache


def best(numbers: tuple[int, ...], tokens: int, min_run: int = 1) -> int:
    """Return the points of the best runs (L24, L26, S5) from patents by number and this many number tokens."""

    @cache
    def most_points(remaining_counts: tuple[int, ...], wild: int) -> int:
        return max(
            (
                points + most_points(text_after, remaining)
                for points, text_after, remaining in first_runs(remaining_counts, wild, min_run)
            ),
            default=0,
        )

    return most_points(numbers, tokens)


def first_runs(
    remaining_counts: tuple[int, ...], wild: int, min_run: int
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield every single run with its points and the remaining patents and tokens."""

    def longer(
        number: int, remaining_counts: tuple[int, ...], wild: int, real_length: int
    ) -> Iterator[tuple[int, tuple[int, ...], int]]:
        if number >= 2 and real_length >= min_run:  # at least two cards, so many of them patents
            yield number - 1, remaining_counts, wild
        if number < len(remaining_counts) and remaining_counts[number]:
            yield from longer(
                number + 1,
                (*remaining_counts[:number], remaining_counts[number] - 1, *remaining_counts[number + 1 :]),
                wild,
                real_length + 1,
            )
        if wild:
            yield from longer(number + 1, remaining_counts, wild - 1, real_length)

    return longer(0, remaining_counts, wild, 0)
