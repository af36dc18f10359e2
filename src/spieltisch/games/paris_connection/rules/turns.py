"""The course of play: the seat to move (P3), the end of the game (P14, P15, T6), and points (P16, P17)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.paris_connection.log import DEPOTS_EMPTY, GOAL_REACHED, STALLED
from spieltisch.games.paris_connection.refusals import BUILDING_BEGUN
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase

P14, P15, T6 = 14, 15, 106
RULES = {n: f"P{n}" for n in range(1, 19)} | {100 + n: f"T{n}" for n in range(1, 12)}
"""The names of the rules by number. A state stores the number of the one that ended the game."""


@rule
def check_turn_begins(s: Any) -> int:
    """Check that the seat has not begun to build: a turn is one action, either building or trading (P4)."""
    return 0 if s.phase == Phase.TURN else BUILDING_BEGUN


@rule
def pass_on(s: Any) -> None:
    """Give the turn to the next player, clockwise (P3)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = Phase.TURN
    s.company = NOBODY
    s.built = 0


@rule
def depots_left(s: Any) -> int:
    """Return the number of depots with locomotives."""
    n = 0
    for company in range(COMPANIES):
        if s.depot[company] > 0:
            n += 1
    return n


@rule
def depots_empty(s: Any, w: Any) -> bool:
    """End the game if locomotives are left in at most one depot (P14). Return True if it has ended."""
    if depots_left(s) > 1:
        return False
    emit(w, DEPOTS_EMPTY, NOBODY)
    finish(s, P14)
    return True


@rule
def goal_reached(s: Any, c: Any, w: Any, hexagon: int) -> bool:
    """End the game if a locomotive has reached the city that ends it (P15). Return True if it has ended."""
    if c.ends[hexagon] == 0:
        return False
    emit(w, GOAL_REACHED, NOBODY, hexagon)
    finish(s, P15)
    return True


@rule
def stalled(s: Any, c: Any, w: Any) -> bool:
    """End the game after the limit of 1-for-1 trades in a row, unless the table plays on (T6).

    Return True if it has ended.
    """
    if s.idle < c.idle_limit or c.goes_on == 1:
        return False
    emit(w, STALLED, NOBODY)
    finish(s, T6)
    return True


@rule
def finish(s: Any, rule_number: int) -> None:
    """End the game by the rule `why` (P14, P15, T6)."""
    s.ended_by = rule_number
    s.phase = Phase.OVER
    s.seat = NOBODY
    s.company = NOBODY
    s.built = 0


@rule
def penalty(s: Any, c: Any, p: int) -> int:
    """Return the points that locomotives above the limit cost (P17; T8, T11: without bounds)."""
    excess = s.players[p].held - c.limit
    return c.penalty * excess if excess > 0 else 0


@rule
def points(s: Any, c: Any, p: int) -> int:
    """Return shares times values, less the penalty for locomotives above the limit (P16, P17)."""
    total = 0
    for company in range(COMPANIES):
        total += s.players[p].shares[company] * s.value[company]
    return total - penalty(s, c, p)
