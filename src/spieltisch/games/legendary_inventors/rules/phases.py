"""What is going on, what keeps a seat from doing something else, and who is next."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors import refusals
from spieltisch.games.legendary_inventors.state import Phase


@rule
def check_settled(s: Any) -> int:
    """What must be done before a token may be used: choosing teams (S7), placing cubes (L6), choosing rewards (L11)."""
    if s.phase == Phase.TEAMS:
        return refusals.TEAMS_FIRST
    if s.phase == Phase.PLACING:
        return refusals.CUBES_FIRST
    return refusals.REWARDS_FIRST if s.phase == Phase.REWARDS else 0


@rule
def check_own_turn(s: Any) -> int:
    """What is going on that is no turn: also the upgrades before the scoring (L17)."""
    return check_settled(s) or (refusals.NO_MORE_TURNS if s.phase == Phase.LAST_UPGRADES else 0)


@rule
def next_turn(s: Any) -> None:
    """Play goes clockwise (L5)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = Phase.TURN
