"""Rules that all actions share: paying, receiving and the influence track."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.era_of_inventions import log, refusals
from spieltisch.games.era_of_inventions.pieces import PLAYER, SUPPLY
from spieltisch.games.era_of_inventions.state import BOXES, GOODS, INFLUENCE, Phase


@rule
def receive(s: Any, w: Any, p: int, kind: int, number: int) -> None:
    """Move pieces from the supply to a player, or to the supply if `number` is negative.

    The counter of the supply may go below zero (R8).
    """
    s.players[p].goods[kind] += number
    s.supply[kind] -= number
    if w.events.listening != 0 and number != 0:
        if number > 0:
            emit(w, MOVED, p, kind, number, SUPPLY, PLAYER + p)
        else:
            emit(w, MOVED, p, kind, -number, PLAYER + p, SUPPLY)


@rule
def has_all(s: Any, p: int, cost: Any) -> bool:
    """Return True if a player has the goods of a cost."""
    goods = s.players[p].goods
    for kind in range(GOODS):
        if goods[kind] < cost[kind]:
            return False
    return True


@rule
def pay(s: Any, w: Any, p: int, cost: Any) -> None:
    """Move the goods of a cost from a player to the supply."""
    for kind in range(GOODS):
        if cost[kind] != 0:
            receive(s, w, p, kind, -cost[kind])


@rule
def available_from_supply(s: Any, c: Any, kind: int, number: int) -> int:
    """Return the number of pieces that the supply can give of `number` requested ones (R8).

    These are all of them, or at a table that plays with the contents of the box at most those left.
    """
    if c.boxed == 0:
        return number
    return max(0, min(number, s.supply[kind]))


@rule
def in_supply(s: Any, c: Any, kind: int, number: int) -> int:
    """Check that the supply has this number of pieces (R8)."""
    return 0 if available_from_supply(s, c, kind, number) == number else refusals.SUPPLY_EMPTY


@rule
def receive_given(s: Any, c: Any, w: Any, p: int, kind: int, number: int) -> None:
    """Give a player this number of pieces, or those that the supply has left (R8)."""
    received = available_from_supply(s, c, kind, number)
    receive(s, w, p, kind, received)
    if received < number:
        emit(w, log.GOES_WITHOUT, p, kind, number - received)


@rule
def receive_all(s: Any, c: Any, w: Any, p: int, gain: Any) -> None:
    """Give a player the goods of a yield, without its influence."""
    for kind in range(GOODS):
        if gain[kind] != 0:
            receive_given(s, c, w, p, kind, gain[kind])


@rule
def last_symbols(s: Any, c: Any) -> bool:
    """Return True if symbols have an effect in this last exchange (R10)."""
    return s.phase == Phase.LAST_EXCHANGE and c.last_symbols != 0


@rule
def advance(s: Any, c: Any, w: Any, p: int, number: int, source: int) -> None:
    """Advance a player's pawn by one gain of influence and apply the symbol where it ends (E46).

    A symbol gives a cube or coin to the player who carries out an action, or at a table with that option to any player
    who gains influence (R2). In the last exchange it does so only with that option, and never for the bonuses (R10).
    The track is counted modulo its length (R36).
    """
    if number == 0:
        return
    player = s.players[p]
    player.influence += number
    player.earned[source] += number
    emit(w, POINTS, p, number, source)
    if s.phase != Phase.ACTING and s.phase != Phase.BONUS and not last_symbols(s, c):
        return
    if p != s.seat and c.any_gain == 0:
        return
    kind = c.symbol[player.influence % c.spaces]
    if kind >= 0:
        if available_from_supply(s, c, kind, 1) > 0:
            emit(w, log.GETS_SYMBOL, p, player.influence, kind)
        receive_given(s, c, w, p, kind, 1)


@rule
def reward(s: Any, c: Any, w: Any, p: int, gain: Any, source: int) -> None:
    """Give a player the goods of a gain, then its influence."""
    receive_all(s, c, w, p, gain)
    advance(s, c, w, p, gain[INFLUENCE], source)


@rule
def reset_action(s: Any) -> None:
    """Clear the counters of the action."""
    s.done_steps = 0
    s.spent = 0
    s.way = 0
    for box in range(BOXES):
        s.used[box] = 0


@rule
def steps_done(s: Any, action: int) -> int:
    """Return the number of steps of this action that the seat has done.

    Where limits apply to the whole turn, the steps of the action disc also count for its bonus disc (R24).
    """
    return s.done_steps if s.action == action else 0


@rule
def insert_sorted(out: Any, start: int, n: int, move: int) -> int:
    """Insert a move into the ascending moves of `out` from `begin` to `n` and return the new count."""
    i = n
    while i > start and out[i - 1] > move:
        out[i] = out[i - 1]
        i -= 1
    out[i] = move
    return n + 1
