"""When something may be done at all: the phases of a round and the two phases of an action disc."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.factories import factory_owned
from spieltisch.games.era_of_inventions.numbers import E12, E15, E16, E42, E43, E55, R31, R40
from spieltisch.games.era_of_inventions.state import ACTING, BONUS, CHOOSING, LAST_EXCHANGE, MARKET, PLACING


@rule
def discs_are_placed(s: Any) -> int:
    """E12: discs are placed in the first phase of a round, and nothing else is done then."""
    return 0 if s.phase == PLACING else E12


@rule
def a_disc_is_chosen(s: Any) -> int:
    """E15: one disc after the other is carried out in the second phase."""
    return 0 if s.phase == CHOOSING else E15


@rule
def after_a_disc(s: Any) -> int:
    """E42: a bonus disc is used directly after an own action disc, and then it is decided whether to."""
    return 0 if s.phase == BONUS else E42


@rule
def one_factory_by_bonus_disc(s: Any) -> int:
    """E43: the yield of a single factory is taken with a bonus disc."""
    return E43 if s.phase != BONUS and s.phase != LAST_EXCHANGE else 0


@rule
def no_bonus_disc_in_last_exchange(s: Any) -> int:
    """R31: no bonus disc is used in the last exchange."""
    return R31 if s.phase == LAST_EXCHANGE else 0


@rule
def in_first_phase(s: Any) -> int:
    """E12: in the first phase of a round discs are placed, and nothing else is done."""
    return E12 if s.phase == PLACING else 0


@rule
def only_exchanges_at_the_end(s: Any, action: int) -> int:
    """E55: after the last round there is only the exchange market."""
    return E55 if s.phase == LAST_EXCHANGE and action != MARKET else 0


@rule
def in_action(s: Any, action: int) -> int:
    """E15: what is done belongs to the disc that is carried out; a bonus disc may do any of it (E43)."""
    if s.phase == CHOOSING or (s.phase == ACTING and s.action != action):
        return E15
    return 0


@rule
def refusal_of_time(s: Any, action: int) -> int:
    """The rule that forbids the seat to do something of this action now, or 0."""
    no = in_first_phase(s)
    if no == 0:
        no = only_exchanges_at_the_end(s, action)
    if no == 0:
        no = in_action(s, action)
    return no


@rule
def no_placement_passed(s: Any) -> int:
    """R40: nobody passes a placement."""
    return R40 if s.phase == PLACING else 0


@rule
def disc_taken_back(s: Any) -> int:
    """E16: who does not carry out an action takes the disc back."""
    return E16 if s.phase == CHOOSING else 0


@rule
def not_after_a_disc(s: Any) -> int:
    """E42: after the action disc it is only asked whether a bonus disc follows."""
    return E42 if s.phase == BONUS else 0


@rule
def refusal_to_stop(s: Any) -> int:
    """The rule that forbids to do no more now, or 0."""
    no = no_placement_passed(s)
    if no == 0:
        no = disc_taken_back(s)
    if no == 0:
        no = not_after_a_disc(s)
    return no


@rule
def refusal_to_run(s: Any, factory: int) -> int:
    """The rule that forbids taking the yield of one factory, or 0."""
    no = no_bonus_disc_in_last_exchange(s)
    if no == 0:
        no = one_factory_by_bonus_disc(s)
    if no == 0:
        no = factory_owned(s, factory)
    return no
