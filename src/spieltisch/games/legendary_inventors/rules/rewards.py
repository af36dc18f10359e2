"""The rules for complete inventions and their rewards (L10 to L14, S8, S13)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.legendary_inventors import log, pieces, refusals
from spieltisch.games.legendary_inventors.rules.ages import clear_slot, end_age
from spieltisch.games.legendary_inventors.rules.phases import next_turn
from spieltisch.games.legendary_inventors.rules.queries import total
from spieltisch.games.legendary_inventors.rules.scoring import count_runs
from spieltisch.games.legendary_inventors.state import (
    IS_POINTS,
    L17,
    MAX_OPEN,
    NOBODY,
    OPEN,
    PATENT,
    REWARDED,
    TOKENS,
    Phase,
)


@rule
def complete_invention(s: Any, w: Any, slot_number: int) -> None:
    """Give Leonardo to the seat that filled the last space, and queue the seats for the rewards (L10 to L13).

    The order is by cubes; ties are broken in seat order from Leonardo on.
    """
    slot = s.slots[slot_number]
    if s.leonardo != s.seat:
        emit(w, MOVED, s.seat, pieces.LEONARDO, 1, pieces.PLAYER + s.leonardo, pieces.PLAYER + s.seat)
    s.leonardo = s.seat
    s.phase = Phase.REWARDS
    s.slot = slot_number
    s.given = 0
    for r in range(REWARDED):
        most_cubes, chosen_seat = 0, NOBODY
        for n in range(s.seats):
            p = (s.leonardo + n) % s.seats
            is_queued = False
            for queue_place in range(r):
                if s.queue[queue_place] == p:
                    is_queued = True
            if not is_queued and total(slot.cubes[p]) > most_cubes:
                most_cubes, chosen_seat = total(slot.cubes[p]), p
        s.queue[r] = chosen_seat
    emit(w, log.COMPLETES, s.seat, slot.card, s.queue[0], s.queue[1], s.queue[2])
    s.seat = s.queue[0]


@rule
def refusal_to_take_patent(s: Any) -> int:
    """Return the reason that forbids taking the patent, or 0.

    No invention is complete (L10), or the patent has been taken (L13).
    """
    if s.phase != Phase.REWARDS:
        return refusals.NOTHING_COMPLETE
    return 0 if s.whereabouts[s.slots[s.slot].card] == OPEN else refusals.REWARD_TAKEN


@rule
def refusal_to_take_token(s: Any, kind: int) -> int:
    """Return the reason that forbids taking a token of the kind, or 0.

    No invention is complete (L10), or it has no such token (L13).
    """
    if s.phase != Phase.REWARDS:
        return refusals.NOTHING_COMPLETE
    for t in range(TOKENS):
        if s.slots[s.slot].tokens[t] == kind:
            return 0
    return refusals.REWARD_TAKEN


@rule
def take_patent(s: Any, c: Any, w: Any) -> None:
    """Give the card to the seat (L13, L25)."""
    card, player = s.slots[s.slot].card, s.players[s.seat]
    emit(w, log.TAKES_PATENT, s.seat, card)
    emit(w, MOVED, s.seat, pieces.CARD + card, 1, pieces.TABLE, pieces.PLAYER + s.seat)
    emit(w, POINTS, s.seat, c.points_of[card], log.FROM_PATENTS)
    s.whereabouts[card] = PATENT + s.seat
    player.printed += c.points_of[card]
    player.numbers[c.number_of[card]] += 1
    count_runs(s, c, w)
    next_reward(s, c, w)


@rule
def take_token(s: Any, c: Any, w: Any, kind: int) -> None:
    """Give one of the tokens to the seat (L13)."""
    slot = s.slots[s.slot]
    emit(w, log.TAKES_TOKEN, s.seat, kind)
    emit(w, MOVED, s.seat, pieces.TOKEN + kind, 1, pieces.INVENTION + slot.card, pieces.PLAYER + s.seat)
    if slot.tokens[0] == kind:
        slot.tokens[0] = NOBODY
    else:
        slot.tokens[1] = NOBODY
    s.players[s.seat].tokens[kind] += 1
    if c.front[kind] == IS_POINTS:
        emit(w, POINTS, s.seat, c.value[kind], log.FROM_TOKENS)
    if kind == c.number:
        count_runs(s, c, w)
    next_reward(s, c, w)


@rule
def next_reward(s: Any, c: Any, w: Any) -> None:
    """Let the next seat choose (L11, L13), or end the rewards after the last one (L14).

    At the end cubes go back, and the remaining card and tokens leave the game.
    """
    s.given += 1
    if s.given < REWARDED and s.queue[s.given] != NOBODY:
        s.seat = s.queue[s.given]
        return
    clear_slot(s, w, s.slot)
    s.slot = NOBODY
    s.given = 0
    for r in range(REWARDED):
        s.queue[r] = NOBODY
    s.seat = s.leonardo
    next_turn(s)
    open_count = 0
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card != NOBODY:
            open_count += 1
    if open_count <= 1:
        end_age(s, c, w, L17)
