"""Actions A and B: building factories (E18, E19), and what they yield (E20)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import advance, has_all, own_factory, pay, receive_all
from spieltisch.games.era_of_inventions.numbers import BUILD_ONE, E18, E20, insert
from spieltisch.games.era_of_inventions.state import BUILT, FACTORY_ROW, NONE


@rule
def few_factories(s: Any, c: Any) -> int:
    """E18: one action builds up to 3 factories."""
    return E18 if s.many >= c.most_factories else 0


@rule
def factory_lies_open(s: Any, factory: int) -> int:
    """E18: the card lies in the factory row."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] == factory:
            return 0
    return E18


@rule
def factory_paid(s: Any, c: Any, factory: int) -> int:
    """E18: its cost is paid."""
    return 0 if has_all(s, s.seat, c.factory_cost[factory]) else E18


@rule
def refusal_to_build(s: Any, c: Any, factory: int) -> int:
    """The rule that forbids this factory to the seat, or 0."""
    no = few_factories(s, c)
    if no == 0:
        no = factory_lies_open(s, factory)
    if no == 0:
        no = factory_paid(s, c, factory)
    return no


@rule
def build(s: Any, c: Any, factory: int) -> None:
    """E18, E19: pay, take the card, and the influence it may show; the row is not refilled."""
    pay(s, s.seat, c.factory_cost[factory])
    for i in range(FACTORY_ROW):
        if s.factory_row[i] == factory:
            s.factory_row[i] = NONE
    own_factory(s, c, s.seat, factory)
    advance(s, c, s.seat, c.factory_influence[factory], BUILT)


@rule
def can_build(s: Any, c: Any) -> bool:
    """Whether the seat may build a factory of the row."""
    for i in range(FACTORY_ROW):  # noqa: SIM110 - compiled code knows no generators
        if s.factory_row[i] != NONE and refusal_to_build(s, c, s.factory_row[i]) == 0:
            return True
    return False


@rule
def list_factories(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the factories that the seat may build."""
    begin = n
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE and refusal_to_build(s, c, s.factory_row[i]) == 0:
            n = insert(out, begin, n, BUILD_ONE + s.factory_row[i])
    return n


@rule
def yield_all(s: Any, c: Any) -> None:
    """E20: all own factories yield, nobody else's do."""
    receive_all(s, s.seat, s.players[s.seat].output)


@rule
def factory_owned(s: Any, factory: int) -> int:
    """E20: only an own factory yields."""
    return 0 if s.owner[factory] == s.seat else E20


@rule
def yield_one(s: Any, c: Any, factory: int) -> None:
    """E43: a bonus disc takes the yield of one own factory."""
    receive_all(s, s.seat, c.factory_output[factory])
