"""Whose decision it is: placing discs (E12 to E14), carrying them out (E15 to E17), bonus discs (E42 to E45).

A seat with nothing to decide is not asked: the only field left for a disc is taken, a last disc that can do nothing is
taken back, an action ends when nothing more can be done in it.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.factories import can_build
from spieltisch.games.era_of_inventions.inventing import can_develop, refusal_to_step
from spieltisch.games.era_of_inventions.market import can_exchange
from spieltisch.games.era_of_inventions.numbers import E13, E14, E15, R40
from spieltisch.games.era_of_inventions.producing import can_produce
from spieltisch.games.era_of_inventions.rounds import end_round, finish, last_exchange, reset
from spieltisch.games.era_of_inventions.state import (
    ACTING,
    ACTIONS,
    BONUS,
    BUILD,
    BUY,
    CHOOSING,
    GOODS,
    LAST_EXCHANGE,
    MARKET,
    NOBODY,
    NONE,
    PRODUCE,
    SPACES,
    YIELD,
)
from spieltisch.games.era_of_inventions.stores import can_buy


@rule
def room_on_field(s: Any, action: int) -> int:
    """E13: an action field has two spaces, one disc each."""
    for i in range(SPACES):
        if s.discs[action][i] == NOBODY:
            return 0
    return E13


@rule
def other_space_not_own(s: Any, action: int) -> int:
    """E14: a player never holds both spaces of one action field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return E14
    return 0


@rule
def refusal_to_place(s: Any, action: int) -> int:
    """The rule that forbids a disc there, or 0."""
    no = other_space_not_own(s, action)
    if no == 0:
        no = room_on_field(s, action)
    return no


@rule
def own_disc(s: Any, action: int) -> int:
    """E15: an own disc lies on the field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return 0
    return E15


@rule
def something_to_do(s: Any, c: Any, action: int) -> int:
    """R40: who can do nothing in an action takes the disc back unused."""
    return 0 if possible(s, c, action) else R40


@rule
def refusal_to_use(s: Any, c: Any, action: int) -> int:
    """The rule that forbids carrying out the disc there, or 0."""
    no = own_disc(s, action)
    if no == 0:
        no = something_to_do(s, c, action)
    return no


@rule
def has_output(s: Any) -> bool:
    """Whether the seat's factories yield anything."""
    for kind in range(GOODS):  # noqa: SIM110 - compiled code knows no generators
        if s.players[s.seat].output[kind] > 0:
            return True
    return False


@rule
def possible(s: Any, c: Any, action: int) -> bool:
    """Whether the seat can do anything, or anything more, in this action."""
    if action == BUILD:
        return can_build(s, c)
    if action == YIELD:
        return has_output(s)
    if action == BUY:
        return can_buy(s, c)
    if action == PRODUCE:
        return can_produce(s, c)
    if action == MARKET:
        return can_exchange(s, c)
    return can_develop(s, c) or refusal_to_step(s, c) == 0


@rule
def offer_bonus(s: Any, c: Any) -> bool:
    """E42, E45, R25: the seat may use a bonus disc, if it has one it did not just buy and something can be done."""
    me = s.players[s.seat]
    if me.bonus <= me.bought:
        return False
    s.phase = BONUS
    if has_output(s):
        return True
    for action in range(ACTIONS):  # noqa: SIM110 - compiled code knows no generators
        if action != YIELD and possible(s, c, action):
            return True
    return False


@rule
def take_off(s: Any, action: int) -> None:
    """E15: the seat takes its disc back from the field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            s.discs[action][i] = NOBODY
            s.players[s.seat].hand += 1


@rule
def place(s: Any, c: Any, w: Any, action: int) -> None:
    """E12: a disc on the field, then the next player; R40: a disc for which one field is left goes there."""
    while True:
        i = 0 if s.discs[action][0] == NOBODY else 1
        s.discs[action][i] = s.seat
        s.players[s.seat].hand -= 1
        p = s.seat
        k = 0
        while k < s.seats:
            p = (p + 1) % s.seats
            if s.players[p].hand > 0:
                break
            k += 1
        if k == s.seats:
            next_turn(s, c, w, (s.first + s.seats - 1) % s.seats)
            return
        s.seat = p
        open_fields = 0
        for a in range(ACTIONS):
            if refusal_to_place(s, a) == 0:
                open_fields += 1
                action = a
        if open_fields != 1:
            return


@rule
def next_turn(s: Any, c: Any, w: Any, p: int) -> None:
    """E15: the next seat after p with a disc on the board chooses; when none is left the round ends. A last disc that
    can do nothing is taken back (R40).
    """
    while True:
        reset(s)
        discs, field = 0, NONE
        for _ in range(s.seats):
            p = (p + 1) % s.seats
            for action in range(ACTIONS):
                for i in range(SPACES):
                    if s.discs[action][i] == p:
                        discs += 1
                        field = action
            if discs > 0:
                break
        if discs == 0:
            end_round(s, c, w)
            return
        s.seat = p
        s.phase = CHOOSING
        if discs > 1 or possible(s, c, field):
            return
        take_off(s, field)
        if offer_bonus(s, c):
            return


@rule
def end_turn(s: Any, c: Any, w: Any) -> None:
    """The turn of the seat is over: what it bought may be used from now on, or from the next round (R1)."""
    if c.wait_round == 0:
        s.players[s.seat].bought = 0
    next_turn(s, c, w, s.seat)


@rule
def end_action(s: Any, c: Any, w: Any, action: int) -> None:
    """The disc comes back; a bonus disc may follow (E42), also after a disc taken back unused (R7)."""
    take_off(s, action)
    s.action = NONE
    reset(s)
    if not offer_bonus(s, c):
        end_turn(s, c, w)


@rule
def use_disc(s: Any, c: Any, action: int) -> None:
    """E15: the seat begins to carry out its disc on the field."""
    s.phase = ACTING
    s.action = action


@rule
def stop(s: Any, c: Any, w: Any) -> None:
    """E17: the seat does no more in this action, or in the last exchange."""
    if s.phase == ACTING:
        end_action(s, c, w, s.action)
    else:
        end_last_exchange(s, c)


@rule
def end_last_exchange(s: Any, c: Any) -> None:
    """E55: the next seat exchanges, or the game ends."""
    p = (s.seat + 1) % s.seats
    if p == s.first:
        finish(s, c)
    else:
        last_exchange(s, c, p)


@rule
def step_done(s: Any, c: Any, w: Any, over: bool) -> None:
    """Something was done: in an action that is `over` or can go no further, the disc comes back; a bonus disc goes to
    the supply (E44).
    """
    if s.phase == BONUS:
        s.players[s.seat].bonus -= 1
        s.bonus_supply += 1
        end_turn(s, c, w)
        return
    s.many += 1
    if s.phase == LAST_EXCHANGE:
        if not can_exchange(s, c):
            end_last_exchange(s, c)
    elif over or not possible(s, c, s.action):
        end_action(s, c, w, s.action)
