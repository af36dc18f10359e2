"""Action C: buying the loads of ships and warehouses (E21), and filling these (E10, E52)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import receive
from spieltisch.games.era_of_inventions.numbers import BUY_ONE, E21, R30
from spieltisch.games.era_of_inventions.state import COIN


@rule
def few_loads(s: Any, c: Any) -> int:
    """E21: one action buys up to 3 loads."""
    return E21 if s.many >= c.most_loads else 0


@rule
def load_lies_there(s: Any, store: int) -> int:
    """R30: an empty ship or warehouse is not for sale."""
    return R30 if s.load[store] == 0 else 0


@rule
def load_paid(s: Any, c: Any) -> int:
    """E21: a load costs a coin."""
    return E21 if s.players[s.seat].goods[COIN] < c.load_price else 0


@rule
def refusal_to_buy(s: Any, c: Any, store: int) -> int:
    """The rule that forbids this load to the seat, or 0."""
    no = few_loads(s, c)
    if no == 0:
        no = load_lies_there(s, store)
    if no == 0:
        no = load_paid(s, c)
    return no


@rule
def buy(s: Any, c: Any, store: int) -> None:
    """E21: a coin for all cubes lying there."""
    receive(s, s.seat, COIN, -c.load_price)
    s.players[s.seat].goods[c.store_good[store]] += s.load[store]
    s.load[store] = 0


@rule
def can_buy(s: Any, c: Any) -> bool:
    """Whether the seat may buy a load."""
    for store in range(c.stores):  # noqa: SIM110 - compiled code knows no generators
        if refusal_to_buy(s, c, store) == 0:
            return True
    return False


@rule
def list_loads(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the loads that the seat may buy."""
    for store in range(c.stores):
        if refusal_to_buy(s, c, store) == 0:
            out[n] = BUY_ONE + store
            n += 1
    return n


@rule
def fill_stores(s: Any, c: Any) -> None:
    """E10, E52: empty ones are filled, the others get one cube more, without an upper limit (R30)."""
    for store in range(c.stores):
        number = c.store_fill[store] if s.load[store] == 0 else c.store_add[store]
        s.load[store] += number
        s.supply[c.store_good[store]] -= number
