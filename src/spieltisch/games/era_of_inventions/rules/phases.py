"""When something may be done at all: the phases of a round and the two phases of an action disc."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions import refusals
from spieltisch.games.era_of_inventions.rules.factories import check_factory_owner, check_yield_in_supply
from spieltisch.games.era_of_inventions.state import Action, Phase


@rule
def check_placing_phase(s: Any) -> int:
    """E12: discs are placed in the first phase of a round, and nothing else is done then."""
    return 0 if s.phase == Phase.PLACING else refusals.DISCS_FIRST


@rule
def check_choosing_phase(s: Any) -> int:
    """E15: one disc after the other is carried out in the second phase."""
    if s.phase == Phase.ACTING:
        return refusals.OTHER_ACTION
    return 0 if s.phase == Phase.CHOOSING else refusals.NO_TIME_TO_CHOOSE


@rule
def check_bonus_phase(s: Any) -> int:
    """E42: a bonus disc is used directly after an own action disc, and then it is decided whether to."""
    return 0 if s.phase == Phase.BONUS else refusals.AFTER_A_DISC


@rule
def check_single_yield(s: Any) -> int:
    """E43: the yield of a single factory is taken with a bonus disc."""
    return refusals.ONLY_BY_BONUS_DISC if s.phase != Phase.BONUS and s.phase != Phase.LAST_EXCHANGE else 0


@rule
def check_no_bonus_disc(s: Any) -> int:
    """R31: no bonus disc is used in the last exchange."""
    return refusals.NO_BONUS_DISC_NOW if s.phase == Phase.LAST_EXCHANGE else 0


@rule
def check_first_phase(s: Any) -> int:
    """E12: in the first phase of a round discs are placed, and nothing else is done."""
    return refusals.DISCS_FIRST if s.phase == Phase.PLACING else 0


@rule
def check_last_exchange(s: Any, action: int) -> int:
    """E55: after the last round there is only the exchange market."""
    return refusals.ONLY_EXCHANGES if s.phase == Phase.LAST_EXCHANGE and action != Action.MARKET else 0


@rule
def check_action(s: Any, action: int) -> int:
    """E15: what is done belongs to the disc that is carried out; a bonus disc may do any of it (E43)."""
    if s.phase == Phase.CHOOSING:
        return refusals.CHOOSE_FIRST
    return refusals.OTHER_ACTION if s.phase == Phase.ACTING and s.action != action else 0


@rule
def refusal_of_phase(s: Any, action: int) -> int:
    """The reason that forbids the seat to do something of this action now, or 0."""
    return check_first_phase(s) or check_last_exchange(s, action) or check_action(s, action)


@rule
def check_no_pass(s: Any) -> int:
    """R40: nobody passes a placement."""
    return refusals.NOBODY_PASSES if s.phase == Phase.PLACING else 0


@rule
def check_take_back(s: Any) -> int:
    """E16: who does not carry out an action takes the disc back."""
    return refusals.NO_ACTION_BEGUN if s.phase == Phase.CHOOSING else 0


@rule
def check_not_bonus_phase(s: Any) -> int:
    """E42: after the action disc it is only asked whether a bonus disc follows."""
    return refusals.USE_OR_KEEP if s.phase == Phase.BONUS else 0


@rule
def refusal_to_stop(s: Any) -> int:
    """The reason that forbids to do no more now, or 0."""
    return check_no_pass(s) or check_take_back(s) or check_not_bonus_phase(s)


@rule
def refusal_to_run(s: Any, c: Any, factory: int) -> int:
    """The reason that forbids taking the yield of one factory, or 0."""
    return (
        check_first_phase(s)
        or check_no_bonus_disc(s)
        or check_single_yield(s)
        or check_factory_owner(s, factory)
        or check_yield_in_supply(s, c, factory)
    )
