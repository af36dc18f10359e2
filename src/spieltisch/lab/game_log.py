"""The log that the loops over whole games write (`spieltisch.core.game_loops`)."""

from collections.abc import Iterator

LOG_SIZE = 1 << 12
"""The initial size of the log of one game, in numbers."""


def logged_moves(log: list[int]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield seat, move and draws of the setup (seat and move are -1) and of each move in a log."""
    at = 0
    while at < len(log):
        seat, move, drawn = log[at : at + 3]
        yield seat, move, tuple(log[at + 3 : at + 3 + drawn])
        at += 3 + drawn
