"""The numbers of the rules and of the moves. A move's number says all of it; `notation.py` says it in words."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    COUNTERFEITS,
    FACTORIES,
    FIRST_COUNTERFEIT,
    INVENTIONS,
    MOST_LINES,
    MOST_STORES,
)

E12, E13, E14, E15, E16, E18, E20, E21, E22, E23, E26, E27, E28, E29, E30, E31, E32, E33, E34, E35, E36, E38, E39 = (
    12, 13, 14, 15, 16, 18, 20, 21, 22, 23, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 39,
)  # fmt: skip
E42, E43, E54, E55 = 42, 43, 54, 55
R8, R9, R13, R14, R30, R31, R40 = 108, 109, 113, 114, 130, 131, 140
RULES = {n: f"E{n}" for n in range(1, 59)} | {100 + n: f"R{n}" for n in range(1, 41)}
"""The name of each rule number that a rule function may answer with."""

SIDE = 8
"""A mix for "?" is written as metal and technology, each from 0 to SIDE - 1; the rest are tools."""
KINDS = 6
"""What may be exchanged for another: five kinds of cubes, and coins."""

PLACE = 0
USE = PLACE + ACTIONS
TAKE_BACK = USE + ACTIONS
BUILD_ONE = TAKE_BACK + ACTIONS
RUN_ONE = BUILD_ONE + FACTORIES
BUY_ONE = RUN_ONE + FACTORIES
PRODUCE_ONE = BUY_ONE + MOST_STORES
PRODUCE_MIX = PRODUCE_ONE + FIRST_COUNTERFEIT
EXCHANGE_LINE = PRODUCE_MIX + COUNTERFEITS * SIDE * SIDE
EXCHANGE_ANY = EXCHANGE_LINE + MOST_LINES
TAKE_STONE = EXCHANGE_ANY + KINDS * KINDS * KINDS
DEVELOP_ONE = TAKE_STONE + 1
PATENT_ONE = DEVELOP_ONE + 2 * INVENTIONS
PATENT_NOTHING = PATENT_ONE + 2 * INVENTIONS
DONE = PATENT_NOTHING + 1
KEEP = DONE + 1
MOVES = KEEP + 1

# What chance gives: an invention card, a factory card, or the start player.
DRAWN_CARD, DRAWN_FACTORY, DRAWN_SEAT = 0, 39, 68


@rule
def mix_move(card: int, metal: int, technology: int) -> int:
    """The number of producing a counterfeit with so much metal and technology, and tools for the rest."""
    return PRODUCE_MIX + ((card - FIRST_COUNTERFEIT) * SIDE + metal) * SIDE + technology


@rule
def any_move(one: int, two: int, got: int) -> int:
    """The number of exchanging one of each of two kinds (the smaller number first) for one of a third."""
    return EXCHANGE_ANY + (one * KINDS + two) * KINDS + got


@rule
def insert(out: Any, begin: int, many: int, move: int) -> int:
    """Put a move among those of `out` from `begin` to `many`, which ascend; answer how many there are then."""
    i = many
    while i > begin and out[i - 1] > move:
        out[i] = out[i - 1]
        i -= 1
    out[i] = move
    return many + 1
