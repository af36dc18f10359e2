"""Paying, receiving and the influence track: what all actions share."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.state import (
    ACTING,
    BONUS,
    FACTORIES,
    GOODS,
    INFLUENCE,
    INVENTIONS,
)


@rule
def receive(s: Any, p: int, kind: int, number: int) -> None:
    """Goods from the supply, which is a counter without an end (R8)."""
    s.players[p].goods[kind] += number
    s.supply[kind] -= number


@rule
def has_all(s: Any, p: int, cost: Any) -> bool:
    """Whether a player holds what something costs."""
    goods = s.players[p].goods
    for kind in range(GOODS):  # noqa: SIM110 - compiled code knows no generators
        if goods[kind] < cost[kind]:
            return False
    return True


@rule
def pay(s: Any, p: int, cost: Any) -> None:
    """Goods to the supply."""
    for kind in range(GOODS):
        if cost[kind] != 0:
            receive(s, p, kind, -cost[kind])


@rule
def receive_all(s: Any, p: int, gain: Any) -> None:
    """The goods of a yield; its influence is another matter."""
    for kind in range(GOODS):
        if gain[kind] != 0:
            receive(s, p, kind, gain[kind])


@rule
def advance(s: Any, c: Any, p: int, number: int, source: int) -> None:
    """E46: one gain of influence is one move of the pawn; a symbol where it ends gives a cube or coin to the player
    who carries out an action (R2: a table may give it to everybody), not in the last exchange (R10), modulo the track
    (R36).
    """
    if number == 0:
        return
    me = s.players[p]
    me.influence += number
    me.earned[source] += number
    if s.phase != ACTING and s.phase != BONUS:
        return
    if p != s.seat and c.any_gain == 0:
        return
    kind = c.symbol[me.influence % c.spaces]
    if kind >= 0:
        receive(s, p, kind, 1)


@rule
def reward(s: Any, c: Any, p: int, gain: Any, source: int) -> None:
    """Goods, then influence."""
    receive_all(s, p, gain)
    advance(s, c, p, gain[INFLUENCE], source)


@rule
def invested(s: Any, c: Any, p: int) -> int:
    """E56: the sum of the blue numbers of a player's fields."""
    total = 0
    for i in range(INVENTIONS):
        for k in range(2):
            if s.holder[i][k] == p:
                total += c.price[i][k]
    return total


@rule
def inventions_of(s: Any, p: int) -> int:
    """E58: how many fields a player holds."""
    total = 0
    for i in range(INVENTIONS):
        for k in range(2):
            if s.holder[i][k] == p:
                total += 1
    return total


@rule
def capacity(s: Any, c: Any, p: int) -> int:
    """E56: the sum of what a player's factories yield (R12: all of it, or cubes only)."""
    total = 0
    for kind in range(c.counted):
        total += s.players[p].output[kind]
    return total


@rule
def own_factory(s: Any, c: Any, p: int, factory: int) -> None:
    """A factory lies before a player from now on."""
    s.owner[factory] = p
    for kind in range(GOODS):
        s.players[p].output[kind] += c.factory_output[factory][kind]


@rule
def factories_of(s: Any, p: int) -> int:
    """How many factories a player owns."""
    total = 0
    for f in range(FACTORIES):
        if s.owner[f] == p:
            total += 1
    return total
