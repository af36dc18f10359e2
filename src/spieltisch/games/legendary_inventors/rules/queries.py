"""Counts and searches that the rules use."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import FIELDS, MAX_OPEN, NOBODY, TEAM_SIZE


@rule
def fit(know: Any, free: Any) -> int:
    """Return the number of cubes that find a matching free space: in each field at most the knowledge (L6, L8)."""
    n = 0
    for f in range(FIELDS):
        n += know[f] if know[f] < free[f] else free[f]
    return n


@rule
def total(cubes: Any) -> int:
    """Return the number of cubes in all fields."""
    n = 0
    for f in range(FIELDS):
        n += cubes[f]
    return n


@rule
def slot_of(s: Any, card: int) -> int:
    """Return the slot of an open invention, or -1."""
    for k in range(MAX_OPEN):
        if s.slots[k].card == card:
            return k
    return NOBODY


@rule
def held(me: Any, kind: int) -> int:
    """Return the number of tokens of a kind that a player holds; 0 for kind -1."""
    return 0 if kind == NOBODY else me.tokens[kind]


@rule
def exhausted(me: Any) -> int:
    """Return the number of exhausted inventors of a player."""
    n = 0
    for i in range(TEAM_SIZE):
        n += me.exhausted[i]
    return n
