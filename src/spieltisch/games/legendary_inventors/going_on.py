"""What the rules of Legendary Inventors are called, what they count, and what is going on."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import (
    FIELDS,
    FINAL,
    MOST_OPEN,
    NOBODY,
    PLACING,
    REWARD,
    TEAM,
    TEAM_SIZE,
)

L1, L6, L7, L8, L9, L10, L11, L13, L17, L19, L20, L21, L22 = 1, 6, 7, 8, 9, 10, 11, 13, 17, 19, 20, 21, 22
S1, S2, S6, S7, S9, S11 = 101, 102, 106, 107, 109, 111
RULES = {n: f"L{n}" for n in range(1, 30)} | {100 + n: f"S{n}" for n in range(1, 15)}
"""The name of each rule number that a function here answers with."""


# --- What the rules count. ---


@rule
def fit(know: Any, free: Any) -> int:
    """How many cubes find a matching free space: in each field at most the knowledge (L6, L8)."""
    n = 0
    for f in range(FIELDS):
        n += min(know[f], free[f])
    return n


@rule
def slot_of(s: Any, card: int) -> int:
    """The slot of an open invention, or -1."""
    for k in range(MOST_OPEN):
        if s.slots[k].card == card:
            return k
    return NOBODY


@rule
def held(me: Any, kind: int) -> int:
    """How many tokens of a kind (-1: of none) a player holds."""
    return 0 if kind == NOBODY else me.tokens[kind]


@rule
def exhausted(me: Any) -> int:
    """How many inventors of a player are exhausted."""
    n = 0
    for i in range(TEAM_SIZE):
        n += me.exhausted[i]
    return n


# --- What is going on. ---


@rule
def teams_first(s: Any) -> int:
    """S7: while teams are chosen nothing else is done."""
    return S7 if s.phase == TEAM else 0


@rule
def cubes_first(s: Any) -> int:
    """L6: an inventor who is sent puts his cubes first."""
    return L6 if s.phase == PLACING else 0


@rule
def rewards_first(s: Any) -> int:
    """L11: the rewards of a complete invention are chosen first."""
    return L11 if s.phase == REWARD else 0


@rule
def last_upgrades(s: Any) -> int:
    """L17: when the last age is over nobody takes a turn."""
    return L17 if s.phase == FINAL else 0


@rule
def settled(s: Any) -> int:
    """What must be done before a token may be used, or 0. S7, L6, L11."""
    no = teams_first(s)
    if no == 0:
        no = cubes_first(s)
    if no == 0:
        no = rewards_first(s)
    return no


@rule
def own_turn(s: Any) -> int:
    """What is going on that is no turn, or 0. S7, L6, L11, L17."""
    no = settled(s)
    if no == 0:
        no = last_upgrades(s)
    return no
