"""The last exchange, the bonuses and the end of the game (E54 to E58)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.era_of_inventions import log, refusals
from spieltisch.games.era_of_inventions.log import BONUSES
from spieltisch.games.era_of_inventions.rules.goods import advance, reset_action
from spieltisch.games.era_of_inventions.rules.market import can_exchange
from spieltisch.games.era_of_inventions.state import INVENTIONS, MOST_PATENTS, NOBODY, NONE, Action, Phase


@rule
def last_exchange(s: Any, c: Any, w: Any, p: int) -> None:
    """Continue the last exchange with seat p, or finish the game (E55, R33).

    The turn passes clockwise up to the seat before the start player. A seat that can exchange nothing is skipped. The
    bonuses follow the last seat.
    """
    s.phase = Phase.LAST_EXCHANGE
    s.action = Action.MARKET
    while True:
        reset_action(s)
        s.seat = p
        if can_exchange(s, c):
            return
        p = (p + 1) % s.seats
        if p == s.first:
            break
    finish_game(s, c, w)


@rule
def invested(s: Any, c: Any, p: int) -> int:
    """Return the sum of the blue numbers on a player's fields (E56)."""
    total = 0
    for i in range(INVENTIONS):
        for grade in range(2):
            if s.holder[i][grade] == p:
                total += c.price[i][grade]
    return total


@rule
def inventions_of(s: Any, p: int) -> int:
    """Return the number of fields that a player holds (E58)."""
    total = 0
    for i in range(INVENTIONS):
        for grade in range(2):
            if s.holder[i][grade] == p:
                total += 1
    return total


@rule
def capacity(s: Any, c: Any, p: int) -> int:
    """Return the sum of what a player's factories yield (E56), all of it or cubes only (R12)."""
    total = 0
    for kind in range(c.counted):
        total += s.players[p].output[kind]
    return total


@rule
def bonus_measure(s: Any, c: Any, p: int, bonus: int) -> int:
    """Return a player's figure for one of the three bonuses (E56).

    The bonuses are, in this order: steps on the patent track, stones invested, capacity.
    """
    if bonus == 0:
        return s.players[p].steps
    if bonus == 1:
        return invested(s, c, p)
    return capacity(s, c, p)


@rule
def leaders(s: Any, c: Any, bonus: int) -> int:
    """Return the seats with the highest figure for one of the three bonuses, as bits (E56).

    No bit is set if every figure is 0.
    """
    highest, leading = 0, 0
    for p in range(s.seats):
        figure = bonus_measure(s, c, p, bonus)
        if figure > highest:
            highest, leading = figure, 1 << p
        elif figure == highest and figure > 0:
            leading |= 1 << p
    return leading


@rule
def share(s: Any, c: Any, p: int, leading: int) -> int:
    """Return the influence that a player gains from a bonus with these leaders (E57, R11)."""
    if leading >> p & 1 == 0:
        return 0
    leader_count = 0
    for other_seat in range(s.seats):
        leader_count += leading >> other_seat & 1
    return c.bonus_points[leader_count]


@rule
def bonus_for(s: Any, c: Any, p: int, bonus: int) -> int:
    """Return the influence that a player would gain from one of the three bonuses now (E56, E57, R11)."""
    return share(s, c, p, leaders(s, c, bonus))


@rule
def finish_game(s: Any, c: Any, w: Any) -> None:
    """Award the bonuses and end the game (E56, E57); `ended_by` becomes refusals.E54."""
    reset_action(s)
    s.phase = Phase.OVER
    s.action = NONE
    s.seat = NOBODY
    s.ended_by = refusals.E54
    for p in range(s.seats):
        for bonus in range(len(BONUSES)):
            gained = bonus_for(s, c, p, bonus)
            if gained > 0:
                emit(w, BONUSES[bonus], p, gained)
            advance(s, c, w, p, gained, MOST_PATENTS + bonus)
    emit(w, log.GAME_ENDS, NOBODY, s.round_number)


@rule
def points(s: Any, c: Any, p: int) -> int:
    """Return a player's influence (E58)."""
    return s.players[p].influence
