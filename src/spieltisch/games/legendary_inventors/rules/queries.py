"""Counts and searches that the rules use."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import FIELDS, MAX_OPEN, NOBODY, TEAM_SIZE


@rule
def fitting(values: Any, free_spaces: Any) -> int:
    """Return the number of cubes that find a matching free space: in each field at most the knowledge (L6, L8)."""
    n = 0
    for field in range(FIELDS):
        n += values[field] if values[field] < free_spaces[field] else free_spaces[field]
    return n


@rule
def total(cubes: Any) -> int:
    """Return the number of cubes in all fields."""
    n = 0
    for field in range(FIELDS):
        n += cubes[field]
    return n


@rule
def slot_of(s: Any, card: int) -> int:
    """Return the slot of an open invention, or -1."""
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card == card:
            return slot_number
    return NOBODY


@rule
def tokens_held(player: Any, kind: int) -> int:
    """Return the number of tokens of a kind that a player holds; 0 for kind -1."""
    return 0 if kind == NOBODY else player.tokens[kind]


@rule
def exhausted(player: Any) -> int:
    """Return the number of exhausted inventors of a player."""
    n = 0
    for i in range(TEAM_SIZE):
        n += player.exhausted[i]
    return n
