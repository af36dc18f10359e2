"""Rules about the phases of a round and of an action disc in which a move is possible at all."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions import refusals
from spieltisch.games.era_of_inventions.rules.factories import check_factory_owner, check_yield_in_supply
from spieltisch.games.era_of_inventions.state import Action, Phase


@rule
def check_placing_phase(s: Any) -> int:
    """Check that discs are being placed, in the first phase of a round (E12)."""
    return 0 if s.phase == Phase.PLACING else refusals.DISCS_FIRST


@rule
def check_choosing_phase(s: Any) -> int:
    """Check that the seat may choose a disc, in the second phase of a round (E15).

    Discs are carried out one after the other.
    """
    if s.phase == Phase.ACTING:
        return refusals.OTHER_ACTION
    return 0 if s.phase == Phase.CHOOSING else refusals.NO_TIME_TO_CHOOSE


@rule
def check_bonus_phase(s: Any) -> int:
    """Check that the seat may use a bonus disc, directly after its action disc (E42)."""
    return 0 if s.phase == Phase.BONUS else refusals.AFTER_A_DISC


@rule
def check_single_yield(s: Any) -> int:
    """Check that a bonus disc may be used, which the yield of a single factory requires (E43).

    The last exchange passes, too; `check_no_bonus_disc` refuses it.
    """
    return refusals.ONLY_BY_BONUS_DISC if s.phase != Phase.BONUS and s.phase != Phase.LAST_EXCHANGE else 0


@rule
def check_no_bonus_disc(s: Any) -> int:
    """Check that it is not the last exchange, in which no bonus disc is used (R31)."""
    return refusals.NO_BONUS_DISC_NOW if s.phase == Phase.LAST_EXCHANGE else 0


@rule
def check_first_phase(s: Any) -> int:
    """Check that it is not the first phase of a round, in which only discs are placed (E12)."""
    return refusals.DISCS_FIRST if s.phase == Phase.PLACING else 0


@rule
def check_last_exchange(s: Any, action: int) -> int:
    """Check that the action is the exchange market, the only one after the last round (E55)."""
    return refusals.ONLY_EXCHANGES if s.phase == Phase.LAST_EXCHANGE and action != Action.MARKET else 0


@rule
def check_action(s: Any, action: int) -> int:
    """Check that the step belongs to the disc being carried out (E15).

    A bonus disc may be used for a step of any action (E43).
    """
    if s.phase == Phase.CHOOSING:
        return refusals.CHOOSE_FIRST
    return refusals.OTHER_ACTION if s.phase == Phase.ACTING and s.action != action else 0


@rule
def refusal_of_phase(s: Any, action: int) -> int:
    """Return the reason that forbids the seat any step of this action now, or 0."""
    return check_first_phase(s) or check_last_exchange(s, action) or check_action(s, action)


@rule
def check_no_pass(s: Any) -> int:
    """Check that discs are not being placed, because no placement can be passed (R40)."""
    return refusals.NOBODY_PASSES if s.phase == Phase.PLACING else 0


@rule
def check_take_back(s: Any) -> int:
    """Check that the seat has begun an action; before that, it must take the disc back (E16)."""
    return refusals.NO_ACTION_BEGUN if s.phase == Phase.CHOOSING else 0


@rule
def check_not_bonus_phase(s: Any) -> int:
    """Check that the seat is not deciding on a bonus disc, which it must use or keep (E42)."""
    return refusals.USE_OR_KEEP if s.phase == Phase.BONUS else 0


@rule
def refusal_to_stop(s: Any) -> int:
    """Return the reason that forbids the seat to stop now, or 0."""
    return check_no_pass(s) or check_take_back(s) or check_not_bonus_phase(s)


@rule
def refusal_to_run(s: Any, c: Any, factory: int) -> int:
    """Return the reason that forbids taking the yield of one factory, or 0."""
    return (
        check_first_phase(s)
        or check_no_bonus_disc(s)
        or check_single_yield(s)
        or check_factory_owner(s, factory)
        or check_yield_in_supply(s, c, factory)
    )
