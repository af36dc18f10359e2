"""The rules for making ready (L9), passing (S2), and the end of the last upgrades (S1)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.legendary_inventors import log, refusals
from spieltisch.games.legendary_inventors.rules.ages import ask_next, end_age
from spieltisch.games.legendary_inventors.rules.phases import check_own_turn, next_turn
from spieltisch.games.legendary_inventors.rules.queries import exhausted
from spieltisch.games.legendary_inventors.rules.send_inventor import can_any_inventor_work
from spieltisch.games.legendary_inventors.rules.tokens import can_upgrade
from spieltisch.games.legendary_inventors.state import ALL, S2, TEAM_SIZE, Phase


@rule
def refusal_to_make_ready(s: Any) -> int:
    """Return the reason that forbids making ready, or 0: it needs an exhausted inventor (L9)."""
    return check_own_turn(s) or (refusals.NOBODY_EXHAUSTED if exhausted(s.players[s.seat]) == 0 else 0)


@rule
def make_ready(s: Any, w: Any) -> None:
    """Make all exhausted inventors of the seat active (L9)."""
    emit(w, log.MAKES_READY, s.seat)
    for i in range(TEAM_SIZE):
        s.players[s.seat].exhausted[i] = 0
    s.passes = 0
    next_turn(s)


@rule
def refusal_to_pass(s: Any, c: Any) -> int:
    """Return the reason that forbids passing, or 0.

    A seat may pass only if none of its inventors is exhausted and none can place a cube without tokens (S2).
    """
    reason = check_own_turn(s)
    if reason != 0:
        return reason
    return refusals.NO_NEED_TO_PASS if exhausted(s.players[s.seat]) > 0 or can_any_inventor_work(s, c, ALL) else 0


@rule
def pass_turn(s: Any, c: Any, w: Any) -> None:
    """Pass the turn; if all seats have passed in a row, the age ends (S2)."""
    emit(w, log.PASSES, s.seat)
    s.passes += 1
    if s.passes == s.seats:
        end_age(s, c, w, S2)
    else:
        next_turn(s)


@rule
def refusal_to_end_upgrades(s: Any) -> int:
    """Return the reason that forbids ending the upgrades, or 0: a move ends only those before the scoring (S1)."""
    return 0 if s.phase == Phase.LAST_UPGRADES else refusals.NOT_BEFORE_SCORING


@rule
def end_upgrades(s: Any, c: Any, w: Any) -> None:
    """End the seat's upgrades (S1)."""
    emit(w, log.DONE_UPGRADING, s.seat)
    s.given += 1
    ask_next(s, c, w)


@rule
def go_on_upgrading(s: Any, c: Any, w: Any) -> None:
    """Go to the next seat if this one can upgrade no more before the scoring (S1)."""
    if s.phase == Phase.LAST_UPGRADES and not can_upgrade(s, c):
        s.given += 1
        ask_next(s, c, w)
