"""Whose decision it is: placing discs (E12 to E14), carrying them out (E15 to E17), bonus discs (E42 to E45).

A seat with nothing to decide is not asked: the only field left for a disc is taken, a last disc that can do nothing is
taken back, an action ends when nothing more can be done in it.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, refusals
from spieltisch.games.era_of_inventions.pieces import ACTION_FIELD, DISC, PLAYER, SUPPLY
from spieltisch.games.era_of_inventions.rules.ending import finish_game, last_exchange
from spieltisch.games.era_of_inventions.rules.factories import can_build, has_output, yield_all
from spieltisch.games.era_of_inventions.rules.goods import reset_action
from spieltisch.games.era_of_inventions.rules.inventing import can_develop, refusal_to_step
from spieltisch.games.era_of_inventions.rules.market import can_exchange
from spieltisch.games.era_of_inventions.rules.producing import can_produce
from spieltisch.games.era_of_inventions.rules.rounds import end_round
from spieltisch.games.era_of_inventions.rules.stores import can_buy
from spieltisch.games.era_of_inventions.state import ACTIONS, BONUS_DISC, NOBODY, NONE, SPACES, Action, Phase, Way


@rule
def check_space_free(s: Any, action: int) -> int:
    """E13: an action field has two spaces, one disc each."""
    for i in range(SPACES):
        if s.discs[action][i] == NOBODY:
            return 0
    return refusals.BOTH_SPACES_TAKEN


@rule
def check_other_space(s: Any, action: int) -> int:
    """E14: a player never holds both spaces of one action field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return refusals.OWN_DISC_THERE
    return 0


@rule
def refusal_to_place(s: Any, action: int) -> int:
    """The reason that forbids a disc there, or 0."""
    return check_other_space(s, action) or check_space_free(s, action)


@rule
def check_own_disc(s: Any, action: int) -> int:
    """E15: an own disc lies on the field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return 0
    return refusals.NO_DISC_THERE


@rule
def check_possible(s: Any, c: Any, action: int) -> int:
    """R40: who can do nothing in an action takes the disc back unused."""
    return 0 if possible(s, c, action) else refusals.NOTHING_TO_DO


@rule
def refusal_to_use(s: Any, c: Any, action: int) -> int:
    """The reason that forbids carrying out the disc there, or 0."""
    return check_own_disc(s, action) or check_possible(s, c, action)


@rule
def possible(s: Any, c: Any, action: int) -> bool:
    """Whether the seat can do anything, or anything more, in this action."""
    if action == Action.BUILD:
        return can_build(s, c)
    if action == Action.YIELD:
        return has_output(s, c)
    if action == Action.BUY:
        return can_buy(s, c)
    if action == Action.PRODUCE:
        return can_produce(s, c)
    if action == Action.MARKET:
        return can_exchange(s, c)
    return can_develop(s, c) or refusal_to_step(s, c) == 0


@rule
def offer_bonus(s: Any, c: Any) -> bool:
    """E42, E45, R25: the seat may use a bonus disc, if it has one it did not just buy and something can be done."""
    me = s.players[s.seat]
    if me.bonus <= me.bought:
        return False
    s.phase = Phase.BONUS
    if has_output(s, c):
        return True
    for action in range(ACTIONS):  # noqa: SIM110 - compiled code knows no generators
        if action != Action.YIELD and possible(s, c, action):
            return True
    return False


@rule
def take_off(s: Any, w: Any, action: int) -> None:
    """E15: the seat takes its disc back from the field."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            s.discs[action][i] = NOBODY
            s.players[s.seat].hand += 1
            emit(w, MOVED, s.seat, DISC + s.seat, 1, ACTION_FIELD + action, PLAYER + s.seat)


@rule
def put_on(s: Any, w: Any, action: int) -> None:
    """E12: the seat puts a disc on the field."""
    i = 0 if s.discs[action][0] == NOBODY else 1
    s.discs[action][i] = s.seat
    s.players[s.seat].hand -= 1
    emit(w, MOVED, s.seat, DISC + s.seat, 1, PLAYER + s.seat, ACTION_FIELD + action)


@rule
def place(s: Any, c: Any, w: Any, action: int) -> None:
    """E12: a disc on the field, then the next player; R40: a disc for which one field is left goes there."""
    emit(w, log.PLACES, s.seat, action)
    while True:
        put_on(s, w, action)
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
        emit(w, log.PLACES_LAST, s.seat, action)


@rule
def next_turn(s: Any, c: Any, w: Any, p: int) -> None:
    """E15: the next seat after p with a disc on the board chooses; when none is left the round ends. A last disc that
    can do nothing is taken back (R40).
    """
    while True:
        reset_action(s)
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
        s.phase = Phase.CHOOSING
        if discs > 1 or possible(s, c, field):
            return
        emit(w, log.CAN_DO_NOTHING, p, field)
        take_off(s, w, field)
        if c.after_action == 0 and offer_bonus(s, c):
            return


@rule
def end_turn(s: Any, c: Any, w: Any) -> None:
    """The turn of the seat is over: what it bought may be used from now on, or from the next round (R1)."""
    s.action = NONE
    if c.wait_round == 0:
        s.players[s.seat].bought = 0
    next_turn(s, c, w, s.seat)


@rule
def end_action(s: Any, c: Any, w: Any, action: int) -> None:
    """The disc comes back; a bonus disc may follow (E42), also after a disc with which nothing was done, unless the
    table wants it otherwise (R7). Where limits hold for the turn, factories and patents count on (R24).
    """
    waived = s.many == 0
    take_off(s, w, action)
    counts = c.turn_limits != 0 and (action == Action.BUILD or s.way == Way.PATENTING)
    many = s.many if counts else 0
    reset_action(s)
    s.many = many
    s.action = action if many > 0 else NONE
    if (waived and c.after_action != 0) or not offer_bonus(s, c):
        end_turn(s, c, w)


@rule
def begin(s: Any, action: int) -> None:
    """E15: the seat is carrying out an action."""
    s.phase = Phase.ACTING
    s.action = action


@rule
def use_disc(s: Any, c: Any, w: Any, action: int) -> None:
    """E15: the seat carries out its disc on the field; E20: all factories yield at once."""
    begin(s, action)
    if action == Action.YIELD:
        yield_all(s, c, w)
        step_done(s, c, w, True)
    else:
        emit(w, log.CARRIES_OUT, s.seat, action)


@rule
def take_back(s: Any, c: Any, w: Any, action: int) -> None:
    """E16: the seat takes a disc back unused."""
    emit(w, log.TAKES_BACK, s.seat, action)
    end_action(s, c, w, action)


@rule
def stop(s: Any, c: Any, w: Any) -> None:
    """E17: the seat does no more in this action, or in the last exchange."""
    if s.phase == Phase.ACTING:
        emit(w, log.FINISHES, s.seat, s.action)
        end_action(s, c, w, s.action)
    else:
        emit(w, log.EXCHANGES_NO_MORE, s.seat)
        end_last_exchange(s, c, w)


@rule
def end_last_exchange(s: Any, c: Any, w: Any) -> None:
    """E55: the next seat exchanges, or the game ends."""
    p = (s.seat + 1) % s.seats
    if p == s.first:
        finish_game(s, c, w)
    else:
        last_exchange(s, c, w, p)


@rule
def step_done(s: Any, c: Any, w: Any, over: bool) -> None:
    """Something was done: in an action that is `over` or can go no further, the disc comes back; a bonus disc goes to
    the supply (E44).
    """
    if s.phase == Phase.BONUS:
        s.players[s.seat].bonus -= 1
        s.bonus_supply += 1
        emit(w, MOVED, s.seat, BONUS_DISC, 1, PLAYER + s.seat, SUPPLY)
        end_turn(s, c, w)
        return
    s.many += 1
    if s.phase == Phase.LAST_EXCHANGE:
        if not can_exchange(s, c):
            end_last_exchange(s, c, w)
    elif over or not possible(s, c, s.action):
        end_action(s, c, w, s.action)
