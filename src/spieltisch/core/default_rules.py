"""Default rules, for a game that does not provide its own.

The names below without a value belong to the game; an `Engine` binds this module to one game, as it does `game_loops`.
"""

# ruff: noqa: F821 - the names of the game have no value until an Engine binds this module
from typing import Any

from spieltisch.core.compiled import rule

MOVES: int
refusal: Any
points: Any


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write all moves of the space that are not refused to `out`, and return their count."""
    n = 0
    if s.seat < 0:
        return n
    for move in range(MOVES):
        if refusal(s, c, w, move) == 0:
            out[n] = move
            n += 1
    return n


@rule
def reshuffle(s: Any, c: Any, r: Any, viewer: int, steps: int) -> None:
    """Do nothing: no information is hidden."""


@rule
def prunable(s: Any, c: Any, move: int) -> bool:
    """Return False: no move is skipped."""
    return False


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Return the points."""
    return points(s, c, p)
