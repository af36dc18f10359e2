"""Paying, receiving, the influence track, and whatever else all actions share."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.era_of_inventions import log, refusals
from spieltisch.games.era_of_inventions.pieces import PLAYER, SUPPLY
from spieltisch.games.era_of_inventions.state import BOXES, GOODS, INFLUENCE, Phase


@rule
def receive(s: Any, w: Any, p: int, kind: int, number: int) -> None:
    """Goods from the supply, a counter that may go below zero (R8); to it, where the number is below zero."""
    s.players[p].goods[kind] += number
    s.supply[kind] -= number
    if w.events.listening != 0 and number != 0:
        if number > 0:
            emit(w, MOVED, p, kind, number, SUPPLY, PLAYER + p)
        else:
            emit(w, MOVED, p, kind, -number, PLAYER + p, SUPPLY)


@rule
def has_all(s: Any, p: int, cost: Any) -> bool:
    """Whether a player holds what something costs."""
    goods = s.players[p].goods
    for kind in range(GOODS):  # noqa: SIM110 - compiled code knows no generators
        if goods[kind] < cost[kind]:
            return False
    return True


@rule
def pay(s: Any, w: Any, p: int, cost: Any) -> None:
    """Goods to the supply."""
    for kind in range(GOODS):
        if cost[kind] != 0:
            receive(s, w, p, kind, -cost[kind])


@rule
def available_from_supply(s: Any, c: Any, kind: int, number: int) -> int:
    """R8: how many of so many the supply gives: all, or at a table that plays with what the box holds those left."""
    if c.boxed == 0:
        return number
    return max(0, min(number, s.supply[kind]))  # type: ignore[no-any-return]  # a field of a record


@rule
def in_supply(s: Any, c: Any, kind: int, number: int) -> int:
    """R8: nobody receives what is not there."""
    return 0 if available_from_supply(s, c, kind, number) == number else refusals.SUPPLY_EMPTY


@rule
def receive_given(s: Any, c: Any, w: Any, p: int, kind: int, number: int) -> None:
    """R8: so many from the supply, or those it has left."""
    got = available_from_supply(s, c, kind, number)
    receive(s, w, p, kind, got)
    if got < number:
        emit(w, log.GOES_WITHOUT, p, kind, number - got)


@rule
def receive_all(s: Any, c: Any, w: Any, p: int, gain: Any) -> None:
    """The goods of a yield; its influence is another matter."""
    for kind in range(GOODS):
        if gain[kind] != 0:
            receive_given(s, c, w, p, kind, gain[kind])


@rule
def last_symbols(s: Any, c: Any) -> bool:
    """R10: symbols give something in this last exchange."""
    return s.phase == Phase.LAST_EXCHANGE and c.last_symbols != 0  # type: ignore[no-any-return]  # fields of records


@rule
def advance(s: Any, c: Any, w: Any, p: int, number: int, source: int) -> None:
    """E46: one gain of influence is one move of the pawn; a symbol where it ends gives a cube or coin to the player
    who carries out an action (R2: a table may give it to everybody), in the last exchange only where a table wants it
    and never for the bonuses (R10), modulo the track (R36).
    """
    if number == 0:
        return
    me = s.players[p]
    me.influence += number
    me.earned[source] += number
    emit(w, POINTS, p, number, source)
    if s.phase != Phase.ACTING and s.phase != Phase.BONUS and not last_symbols(s, c):
        return
    if p != s.seat and c.any_gain == 0:
        return
    kind = c.symbol[me.influence % c.spaces]
    if kind >= 0:
        if available_from_supply(s, c, kind, 1) > 0:
            emit(w, log.GETS_SYMBOL, p, me.influence, kind)
        receive_given(s, c, w, p, kind, 1)


@rule
def reward(s: Any, c: Any, w: Any, p: int, gain: Any, source: int) -> None:
    """Goods, then influence."""
    receive_all(s, c, w, p, gain)
    advance(s, c, w, p, gain[INFLUENCE], source)


@rule
def reset_action(s: Any) -> None:
    """Nothing has been done in the action that begins."""
    s.many = 0
    s.spent = 0
    s.way = 0
    for box in range(BOXES):
        s.used[box] = 0


@rule
def steps_done(s: Any, action: int) -> int:
    """How many things of this action the seat has done; what the disc did counts for its bonus disc, too, where limits
    hold for the turn (R24).
    """
    return s.many if s.action == action else 0


@rule
def insert_sorted(out: Any, begin: int, n: int, move: int) -> int:
    """Put a move among those of `out` from `begin` to `n`, which ascend; returns how many there are then."""
    i = n
    while i > begin and out[i - 1] > move:
        out[i] = out[i - 1]
        i -= 1
    out[i] = move
    return n + 1
