"""Action C: buying the loads of ships and warehouses (E21), and filling these (E10, E52)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, moves, refusals
from spieltisch.games.era_of_inventions.moves import number
from spieltisch.games.era_of_inventions.pieces import PLAYER, STORE, SUPPLY
from spieltisch.games.era_of_inventions.rules.goods import available_from_supply, receive, steps_done
from spieltisch.games.era_of_inventions.state import COIN, NOBODY, Action


@rule
def check_load_limit(s: Any, c: Any) -> int:
    """Check the limit of 3 loads bought by one action (E21)."""
    return refusals.MANY_LOADS if steps_done(s, Action.BUY) >= c.most_loads else 0


@rule
def check_load_available(s: Any, store: int) -> int:
    """Check that the ship or warehouse is not empty (R30)."""
    return refusals.NOTHING_THERE if s.load[store] == 0 else 0


@rule
def check_load_payment(s: Any, c: Any) -> int:
    """Check that the seat can pay a load, which costs one coin (E21)."""
    return refusals.LOAD_UNPAID if s.players[s.seat].goods[COIN] < c.load_price else 0


@rule
def refusal_to_buy(s: Any, c: Any, store: int) -> int:
    """Return the reason that forbids the seat to buy this load, or 0."""
    return check_load_limit(s, c) or check_load_available(s, store) or check_load_payment(s, c)


@rule
def buy(s: Any, c: Any, w: Any, store: int) -> None:
    """Buy all cubes of a ship or warehouse for a coin (E21)."""
    kind, cubes = c.store_good[store], s.load[store]
    emit(w, log.BUYS, s.seat, store, cubes)
    receive(s, w, s.seat, COIN, -c.load_price)
    s.players[s.seat].goods[kind] += cubes
    s.load[store] = 0
    emit(w, MOVED, s.seat, kind, cubes, STORE + store, PLAYER + s.seat)


@rule
def can_buy(s: Any, c: Any) -> bool:
    """Return True if the seat may buy a load."""
    for store in range(c.stores):
        if refusal_to_buy(s, c, store) == 0:
            return True
    return False


@rule
def list_loads(s: Any, c: Any, out: Any, n: int) -> int:
    """Append the loads that the seat may buy to `out` and return the new count."""
    for store in range(c.stores):
        if refusal_to_buy(s, c, store) == 0:
            out[n] = number(moves.BUY_LOAD, store)
            n += 1
    return n


@rule
def fill_stores(s: Any, c: Any, w: Any) -> None:
    """Fill the empty ships and warehouses and add one cube to each of the others (E10, E52).

    There is no upper limit (R30). They are filled in order, as long as the supply lasts (R8).
    """
    for store in range(c.stores):
        kind = c.store_good[store]
        cubes = available_from_supply(s, c, kind, c.store_fill[store] if s.load[store] == 0 else c.store_add[store])
        s.load[store] += cubes
        s.supply[kind] -= cubes
        if cubes > 0:
            emit(w, MOVED, NOBODY, kind, cubes, SUPPLY, STORE + store)
