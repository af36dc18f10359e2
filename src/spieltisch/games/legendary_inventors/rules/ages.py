"""The rules for ages: the beginning (L3 to L5), the layout (L16), the end of an age and the game (L15, L17, S1, S2).

The order of draws: at the setup the teams by seat (unless they are chosen, S7), the start player (L5), then for each
age its inventions (L3, L16), and for each of these, by ascending number, two tokens (L4).
"""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.legendary_inventors import log, moves, pieces
from spieltisch.games.legendary_inventors.rules.tokens import can_upgrade
from spieltisch.games.legendary_inventors.state import (
    AGES,
    FIELDS,
    GONE,
    INVENTIONS,
    KINDS,
    MAX_OPEN,
    MAX_SEATS,
    NOBODY,
    OPEN,
    REWARDED,
    S2,
    TOKENS,
    Phase,
)


@rule
def lay_empty(s: Any, c: Any) -> None:
    """Initialise a state in which no seat has a team and nothing is laid out."""
    s.seats = c.seats
    s.inventor = NOBODY
    s.slot = NOBODY
    s.leonardo = NOBODY
    for r in range(REWARDED):
        s.queue[r] = NOBODY
    for slot_number in range(MAX_OPEN):
        s.slots[slot_number].card = NOBODY
        for t in range(TOKENS):
            s.slots[slot_number].tokens[t] = NOBODY
    for p in range(MAX_SEATS):
        s.players[p].team = NOBODY
        if p < c.seats:
            s.players[p].cubes = c.cubes


@rule
def begin(s: Any, c: Any, w: Any) -> None:
    """Draw the start player, who gets the figure; then lay out the first age (L5)."""
    for p in range(c.seats):
        w.pile[p] = 1
    s.leonardo = draw(s, w.draws, w.pile, c.seats, moves.DRAWN_SEAT)
    emit(w, MOVED, s.leonardo, pieces.LEONARDO, 1, pieces.BOX, pieces.PLAYER + s.leonardo)
    s.seat = s.leonardo
    lay_out(s, c, w)


@rule
def lay_out(s: Any, c: Any, w: Any) -> None:
    """Lay out the next age: inventions from its pile, two tokens from the bag on each (L3, L4, L16)."""
    s.age += 1
    s.phase = Phase.TURN
    for card in range(INVENTIONS):
        w.pile[card] = 1 if card < c.inventions and c.age_of[card] == s.age else 0
    for _ in range(c.laid_out):
        drawn = draw(s, w.draws, w.pile, c.inventions, moves.DRAWN_INVENTION)
        s.whereabouts[drawn] = OPEN
        emit(w, MOVED, NOBODY, pieces.CARD + drawn, 1, pieces.PILE, pieces.TABLE)
    for kind in range(KINDS):
        w.bag[kind] = c.box[kind] - s.drawn[kind]
    k = 0
    for card in range(c.inventions):
        if s.whereabouts[card] == OPEN:
            slot = s.slots[k]
            slot.card = card
            for field in range(FIELDS):
                slot.free[field] = c.spaces[card][field]
            for t in range(TOKENS):
                token = draw(s, w.draws, w.bag, c.kinds, moves.DRAWN_TOKEN)
                slot.tokens[t] = token
                s.drawn[token] += 1
                emit(w, MOVED, NOBODY, pieces.TOKEN + token, 1, pieces.BAG, pieces.INVENTION + card)
            k += 1
    emit(w, log.AGE_BEGINS, s.seat, s.age)


@rule
def clear_slot(s: Any, w: Any, slot_number: int) -> None:
    """Give the cubes on an invention back; remove the card and its tokens, if still there, from the game."""
    slot = s.slots[slot_number]
    card = slot.card
    for p in range(s.seats):
        for field in range(FIELDS):
            cubes = slot.cubes[p][field]
            if cubes > 0:
                emit(w, MOVED, p, pieces.CUBE + p, cubes, pieces.FIELD + card * FIELDS + field, pieces.PLAYER + p)
                s.players[p].cubes += cubes
                slot.cubes[p][field] = 0
    for field in range(FIELDS):
        slot.free[field] = 0
    for t in range(TOKENS):
        token = slot.tokens[t]
        if token != NOBODY:
            emit(w, MOVED, NOBODY, pieces.TOKEN + token, 1, pieces.INVENTION + card, pieces.BOX)
            s.gone[token] += 1
            slot.tokens[t] = NOBODY
    if s.whereabouts[card] == OPEN:
        emit(w, MOVED, NOBODY, pieces.CARD + card, 1, pieces.TABLE, pieces.BOX)
        s.whereabouts[card] = GONE
    slot.card = NOBODY


@rule
def end_age(s: Any, c: Any, w: Any, rule_number: int) -> None:
    """End the age: open inventions leave the game (L15, L17, S2).

    The next age is laid out, or the last upgrades begin (S1). In both cases the seat left of Leonardo begins (L16).
    """
    emit(w, log.AGE_PASSED if rule_number == S2 else log.AGE_COMPLETE, NOBODY, s.age)
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card != NOBODY:
            clear_slot(s, w, slot_number)
    s.passes = 0
    if s.age < AGES:
        s.seat = (s.leonardo + 1) % s.seats
        lay_out(s, c, w)
    else:
        s.ended_by = rule_number
        s.phase = Phase.LAST_UPGRADES
        ask_next(s, c, w)


@rule
def ask_next(s: Any, c: Any, w: Any) -> None:
    """Ask the next seat, from the left of Leonardo on, that can still upgrade before the scoring (S1).

    After the last seat the game is over.
    """
    while s.given < s.seats:
        s.seat = (s.leonardo + 1 + s.given) % s.seats
        if can_upgrade(s, c):
            return
        s.given += 1
    s.seat = NOBODY
    s.phase = Phase.OVER
    s.given = 0
    emit(w, log.ENDS_PASSED if s.ended_by == S2 else log.ENDS_COMPLETE, NOBODY)
