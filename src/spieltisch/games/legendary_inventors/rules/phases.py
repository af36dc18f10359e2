"""The phase of the game, the reasons that keep a seat from another action, and the next seat."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors import refusals
from spieltisch.games.legendary_inventors.state import Phase


@rule
def check_settled(s: Any) -> int:
    """Check that no action must come before a token: choosing a team (S7), placing cubes (L6), rewards (L11)."""
    if s.phase == Phase.TEAMS:
        return refusals.TEAMS_FIRST
    if s.phase == Phase.PLACING:
        return refusals.CUBES_FIRST
    return refusals.REWARDS_FIRST if s.phase == Phase.REWARDS else 0


@rule
def check_own_turn(s: Any) -> int:
    """Check that a turn is in progress, and neither another phase nor the upgrades before the scoring (L17)."""
    return check_settled(s) or (refusals.NO_MORE_TURNS if s.phase == Phase.LAST_UPGRADES else 0)


@rule
def next_turn(s: Any) -> None:
    """Give the turn to the next player, clockwise (L5)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = Phase.TURN
