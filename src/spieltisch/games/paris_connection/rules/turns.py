"""The course of play: whose turn it is (P3), when the game is over (P14, P15, T6), and points (P16, P17)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.paris_connection.log import DEPOTS_EMPTY, GOAL_REACHED, STALLED
from spieltisch.games.paris_connection.refusals import BUILDING_BEGUN
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase

P14, P15, T6 = 14, 15, 106
RULES = {n: f"P{n}" for n in range(1, 19)} | {100 + n: f"T{n}" for n in range(1, 12)}
"""The rules by number. A state notes the one that ended the game."""


@rule
def check_turn_begins(s: Any) -> int:
    """P4: a turn is one action; who has begun to build does not trade."""
    return 0 if s.phase == Phase.TURN else BUILDING_BEGUN


@rule
def pass_on(s: Any) -> None:
    """The turn goes to the next player, clockwise (P3)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = Phase.TURN
    s.company = NOBODY
    s.built = 0


@rule
def depots_left(s: Any) -> int:
    """In how many depots locomotives are left."""
    n = 0
    for k in range(COMPANIES):
        if s.depot[k] > 0:
            n += 1
    return n


@rule
def depots_empty(s: Any, w: Any) -> bool:
    """P14: the game is over when locomotives are left in at most one depot."""
    if depots_left(s) > 1:
        return False
    emit(w, DEPOTS_EMPTY, NOBODY)
    finish(s, P14)
    return True


@rule
def goal_reached(s: Any, c: Any, w: Any, h: int) -> bool:
    """P15: the game is over when a locomotive reaches the city that ends it."""
    if c.ends[h] == 0:
        return False
    emit(w, GOAL_REACHED, NOBODY, h)
    finish(s, P15)
    return True


@rule
def stalled(s: Any, c: Any, w: Any) -> bool:
    """T6: the game is over after so many trades of one for one in a row, unless the table plays on."""
    if s.idle < c.idle_limit or c.goes_on == 1:
        return False
    emit(w, STALLED, NOBODY)
    finish(s, T6)
    return True


@rule
def finish(s: Any, why: int) -> None:
    """The game is over (P14, P15, T6)."""
    s.ended_by = why
    s.phase = Phase.OVER
    s.seat = NOBODY
    s.company = NOBODY
    s.built = 0


@rule
def penalty(s: Any, c: Any, p: int) -> int:
    """P17: the points that locomotives above the limit cost (T8, T11: without bounds)."""
    over = s.players[p].held - c.limit
    return c.penalty * over if over > 0 else 0


@rule
def points(s: Any, c: Any, p: int) -> int:
    """P16, P17: shares times values, less the penalty for locomotives above the limit."""
    total = 0
    for k in range(COMPANIES):
        total += s.players[p].shares[k] * s.value[k]
    return total - penalty(s, c, p)
