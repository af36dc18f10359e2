"""The order of decisions: placing discs (E12 to E14), carrying them out (E15 to E17), bonus discs (E42 to E45).

A seat with nothing to decide is skipped: a disc goes to the only field left for it, a last disc that can do nothing is
taken back, and an action ends when it has no further step.
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
    """Check that one of the two spaces of an action field is free (E13)."""
    for i in range(SPACES):
        if s.discs[action][i] == NOBODY:
            return 0
    return refusals.BOTH_SPACES_TAKEN


@rule
def check_other_space(s: Any, action: int) -> int:
    """Check that the seat has no disc on the action field yet (E14)."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return refusals.OWN_DISC_THERE
    return 0


@rule
def refusal_to_place(s: Any, action: int) -> int:
    """Return the reason that forbids placing a disc on the field, or 0."""
    return check_other_space(s, action) or check_space_free(s, action)


@rule
def check_own_disc(s: Any, action: int) -> int:
    """Check that the seat has a disc on the field (E15)."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            return 0
    return refusals.NO_DISC_THERE


@rule
def check_possible(s: Any, c: Any, action: int) -> int:
    """Check that the action has a possible step; otherwise the disc is taken back unused (R40)."""
    return 0 if is_possible(s, c, action) else refusals.NOTHING_TO_DO


@rule
def refusal_to_use(s: Any, c: Any, action: int) -> int:
    """Return the reason that forbids carrying out the disc on the field, or 0."""
    return check_own_disc(s, action) or check_possible(s, c, action)


@rule
def is_possible(s: Any, c: Any, action: int) -> bool:
    """Return True if the seat can take a step, or a further step, of this action."""
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
    """Offer the seat a bonus disc and return True, if it has one to use (E42, E45, R25).

    A bonus disc bought too recently does not count, and something must be possible with it.
    """
    player = s.players[s.seat]
    if player.bonus <= player.bought:
        return False
    s.phase = Phase.BONUS
    if has_output(s, c):
        return True
    for action in range(ACTIONS):
        if action != Action.YIELD and is_possible(s, c, action):
            return True
    return False


@rule
def take_off_disc(s: Any, w: Any, action: int) -> None:
    """Take the seat's disc back from the field (E15)."""
    for i in range(SPACES):
        if s.discs[action][i] == s.seat:
            s.discs[action][i] = NOBODY
            s.players[s.seat].hand += 1
            emit(w, MOVED, s.seat, DISC + s.seat, 1, ACTION_FIELD + action, PLAYER + s.seat)


@rule
def put_on_disc(s: Any, w: Any, action: int) -> None:
    """Put a disc of the seat on the field (E12)."""
    i = 0 if s.discs[action][0] == NOBODY else 1
    s.discs[action][i] = s.seat
    s.players[s.seat].hand -= 1
    emit(w, MOVED, s.seat, DISC + s.seat, 1, PLAYER + s.seat, ACTION_FIELD + action)


@rule
def place(s: Any, c: Any, w: Any, action: int) -> None:
    """Place a disc on the field and pass the turn to the next player (E12).

    A disc for which only one field is left goes there automatically (R40).
    """
    emit(w, log.PLACES, s.seat, action)
    while True:
        put_on_disc(s, w, action)
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
    """Let the next seat after p with a disc on the board choose one, or end the round (E15).

    A last disc that can do nothing is taken back (R40).
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
        if discs > 1 or is_possible(s, c, field):
            return
        emit(w, log.CAN_DO_NOTHING, p, field)
        take_off_disc(s, w, field)
        if c.after_action == 0 and offer_bonus(s, c):
            return


@rule
def end_turn(s: Any, c: Any, w: Any) -> None:
    """End the turn of the seat.

    Bonus discs that it bought can be used from now on, or from the next round on (R1).
    """
    s.action = NONE
    if c.wait_round == 0:
        s.players[s.seat].bought = 0
    next_turn(s, c, w, s.seat)


@rule
def end_action(s: Any, c: Any, w: Any, action: int) -> None:
    """Take the disc back and offer a bonus disc (E42).

    It is also offered after a disc that did nothing, unless the table has the other option (R7). Where limits apply to
    the whole turn, the count of factories and patents continues (R24).
    """
    is_waived = s.done_steps == 0
    take_off_disc(s, w, action)
    counts = c.turn_limits != 0 and (action == Action.BUILD or s.way == Way.PATENTING)
    steps = s.done_steps if counts else 0
    reset_action(s)
    s.done_steps = steps
    s.action = action if steps > 0 else NONE
    if (is_waived and c.after_action != 0) or not offer_bonus(s, c):
        end_turn(s, c, w)


@rule
def begin(s: Any, action: int) -> None:
    """Begin an action of the seat (E15)."""
    s.phase = Phase.ACTING
    s.action = action


@rule
def use_disc(s: Any, c: Any, w: Any, action: int) -> None:
    """Carry out the seat's disc on the field (E15); all factories yield immediately (E20)."""
    begin(s, action)
    if action == Action.YIELD:
        yield_all(s, c, w)
        step_done(s, c, w, True)
    else:
        emit(w, log.CARRIES_OUT, s.seat, action)


@rule
def take_back(s: Any, c: Any, w: Any, action: int) -> None:
    """Take a disc of the seat back unused (E16)."""
    emit(w, log.TAKES_BACK, s.seat, action)
    end_action(s, c, w, action)


@rule
def stop(s: Any, c: Any, w: Any) -> None:
    """End the seat's action or its last exchange (E17)."""
    if s.phase == Phase.ACTING:
        emit(w, log.FINISHES, s.seat, s.action)
        end_action(s, c, w, s.action)
    else:
        emit(w, log.EXCHANGES_NO_MORE, s.seat)
        end_last_exchange(s, c, w)


@rule
def end_last_exchange(s: Any, c: Any, w: Any) -> None:
    """Pass the last exchange to the next seat, or end the game (E55)."""
    p = (s.seat + 1) % s.seats
    if p == s.first:
        finish_game(s, c, w)
    else:
        last_exchange(s, c, w, p)


@rule
def step_done(s: Any, c: Any, w: Any, is_over: bool) -> None:
    """Continue after a step: end the action if it is `over` or has no further step.

    A bonus disc returns to the supply after its step (E44).
    """
    if s.phase == Phase.BONUS:
        s.players[s.seat].bonus -= 1
        s.bonus_supply += 1
        emit(w, MOVED, s.seat, BONUS_DISC, 1, PLAYER + s.seat, SUPPLY)
        end_turn(s, c, w)
        return
    s.done_steps += 1
    if s.phase == Phase.LAST_EXCHANGE:
        if not can_exchange(s, c):
            end_last_exchange(s, c, w)
    elif is_over or not is_possible(s, c, s.action):
        end_action(s, c, w, s.action)
