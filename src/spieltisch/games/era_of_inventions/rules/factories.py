"""Actions A and B: building factories (E18, E19), and their yield (E20)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, moves, refusals
from spieltisch.games.era_of_inventions.moves import number
from spieltisch.games.era_of_inventions.pieces import FACTORY, ON_FACTORY_ROW, PLAYER
from spieltisch.games.era_of_inventions.rules.goods import (
    advance,
    available_from_supply,
    has_all,
    insert_sorted,
    pay,
    receive_all,
    steps_done,
)
from spieltisch.games.era_of_inventions.state import BUILT, FACTORY_ROW, GOODS, NONE, Action, Phase


@rule
def check_factory_limit(s: Any, c: Any) -> int:
    """Return 0, or the refusal if an action (E18), or a turn with its bonus disc (R24), has built all its factories."""
    if steps_done(s, Action.BUILD) < c.most_factories:
        return 0
    return refusals.FACTORIES_IN_TURN if s.phase == Phase.BONUS else refusals.MANY_FACTORIES


@rule
def check_factory_available(s: Any, factory: int) -> int:
    """Check that the card is in the factory row (E18)."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] == factory:
            return 0
    return refusals.NO_SUCH_FACTORY


@rule
def check_factory_payment(s: Any, c: Any, factory: int) -> int:
    """Check that the seat can pay the cost of the factory (E18)."""
    return 0 if has_all(s, s.seat, c.factory_cost[factory]) else refusals.FACTORY_UNPAID


@rule
def refusal_to_build(s: Any, c: Any, factory: int) -> int:
    """Return the reason that forbids the seat to build this factory, or 0."""
    return check_factory_limit(s, c) or check_factory_available(s, factory) or check_factory_payment(s, c, factory)


@rule
def build(s: Any, c: Any, w: Any, factory: int) -> None:
    """Pay for a factory, take the card, and gain its influence, if any (E18, E19).

    The row is not refilled.
    """
    emit(w, log.BUILDS, s.seat, factory)
    pay(s, w, s.seat, c.factory_cost[factory])
    for i in range(FACTORY_ROW):
        if s.factory_row[i] == factory:
            s.factory_row[i] = NONE
    emit(w, MOVED, s.seat, FACTORY + factory, 1, ON_FACTORY_ROW, PLAYER + s.seat)
    give_factory(s, c, s.seat, factory)
    advance(s, c, w, s.seat, c.factory_influence[factory], BUILT)


@rule
def give_factory(s: Any, c: Any, p: int, factory: int) -> None:
    """Give a factory to a player and add its yield to the player's output."""
    s.owner[factory] = p
    for kind in range(GOODS):
        s.players[p].output[kind] += c.factory_output[factory][kind]


@rule
def can_build(s: Any, c: Any) -> bool:
    """Return True if the seat may build a factory of the row."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE and refusal_to_build(s, c, s.factory_row[i]) == 0:
            return True
    return False


@rule
def list_factories(s: Any, c: Any, out: Any, n: int) -> int:
    """Append the factories that the seat may build to `out` and return the new count."""
    start = n
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE and refusal_to_build(s, c, s.factory_row[i]) == 0:
            n = insert_sorted(out, start, n, number(moves.BUILD_FACTORY, s.factory_row[i]))
    return n


@rule
def has_output(s: Any, c: Any) -> bool:
    """Return True if the supply has any goods that the seat's factories yield."""
    for kind in range(GOODS):
        if available_from_supply(s, c, kind, s.players[s.seat].output[kind]) > 0:
            return True
    return False


@rule
def yield_all(s: Any, c: Any, w: Any) -> None:
    """Take the yield of all factories of the seat, and of no other seat (E20)."""
    output = s.players[s.seat].output
    if w.events.listening != 0:
        for kind in range(GOODS):
            emit(w, log.FACTORIES_YIELD, s.seat, kind, output[kind])
    receive_all(s, c, w, s.seat, output)


@rule
def check_factory_owner(s: Any, factory: int) -> int:
    """Check that the seat owns the factory (E20)."""
    return 0 if s.owner[factory] == s.seat else refusals.NOT_YOURS


@rule
def check_yield_in_supply(s: Any, c: Any, factory: int) -> int:
    """Check that the supply has some of the goods that the factory yields (R8)."""
    if c.boxed == 0:
        return 0
    reason = 0
    for kind in range(GOODS):
        number = c.factory_output[factory][kind]
        if available_from_supply(s, c, kind, number) > 0:
            return 0
        if number > 0:
            reason = refusals.SUPPLY_EMPTY
    return reason


@rule
def yield_one(s: Any, c: Any, w: Any, factory: int) -> None:
    """Take the yield of one factory of the seat with a bonus disc (E43)."""
    emit(w, log.TAKES_YIELD, s.seat, factory)
    receive_all(s, c, w, s.seat, c.factory_output[factory])
