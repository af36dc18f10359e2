"""What the kernel does for a game that does not say how: its legal moves by asking about each, its value by points.

The names below without a value here are a game's own; an `Engine` binds this module to one game, as it does the driver.
"""

# ruff: noqa: F821 - a game's own names have no value until an Engine gives them one
from typing import Any

from spieltisch.core.compiled import rule

MOVES: int
refusal: Any
points: Any


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Ask every move of the space for its refusal."""
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
    """Nothing is hidden."""


@rule
def prunable(s: Any, c: Any, move: int) -> bool:
    """No move is."""
    return False


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """The points."""
    return points(s, c, p)  # type: ignore[no-any-return]  # a game's own rule
