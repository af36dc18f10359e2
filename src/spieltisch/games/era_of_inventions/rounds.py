"""The end of a round (E47 to E53) and the end of the game (E54 to E57)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import advance, capacity, invested
from spieltisch.games.era_of_inventions.market import can_exchange
from spieltisch.games.era_of_inventions.numbers import DRAWN_CARD, DRAWN_FACTORY, E54
from spieltisch.games.era_of_inventions.state import (
    BOXES,
    CARDS,
    FACTORIES,
    FACTORY_ROW,
    LAST_EXCHANGE,
    MARKET,
    MOST_PATENTS,
    NOBODY,
    NONE,
    OVER,
    PLACING,
    ROW,
    START_CARDS,
)
from spieltisch.games.era_of_inventions.stores import fill_stores


@rule
def reset(s: Any) -> None:
    """Nothing has been done in the action that begins."""
    s.many = 0
    s.spent = 0
    s.way = 0
    for box in range(BOXES):
        s.used[box] = 0


@rule
def some(cards: Any, number: int) -> bool:
    """Whether a set of cards holds any."""
    for card in range(number):  # noqa: SIM110 - compiled code knows no generators
        if cards[card] != 0:
            return True
    return False


@rule
def turn_over(pile: Any, discards: Any, number: int) -> None:
    """R26: the discard pile becomes part of the draw pile."""
    for card in range(number):
        pile[card] += discards[card]
        discards[card] = 0


@rule
def start_cards_leave(s: Any) -> None:
    """E47: start invention cards still on the row leave the game."""
    for i in range(ROW):
        if NONE < s.row[i] < START_CARDS:
            s.gone[s.row[i]] = 1
            s.row[i] = NONE


@rule
def cards_slide(s: Any, c: Any) -> None:
    """E48, R15: cards on the arrow spaces are discarded, the others close up to the far end of the path."""
    for i in range(ROW - c.cards_leave, ROW):
        if s.row[i] != NONE:
            s.discards[s.row[i]] = 1
            s.row[i] = NONE
    target = ROW - 1
    for k in range(ROW):
        i = ROW - 1 - k
        if s.row[i] != NONE:
            card = s.row[i]
            s.row[i] = NONE
            s.row[target] = card
            target -= 1


@rule
def new_cards_enter(s: Any) -> None:
    """E49, R27: if an original was developed, draw pile, discards and new cards become the draw pile."""
    if s.new_original == 0:
        return
    turn_over(s.pile, s.discards, CARDS)
    turn_over(s.pile, s.fresh, CARDS)
    s.new_original = 0


@rule
def fill_row(s: Any, w: Any) -> None:
    """E49, E50, R15, R26: free spaces are filled in path order; when a card is needed and none is there, the discard
    pile is turned over; if both are empty the space stays empty.
    """
    for i in range(ROW):
        if s.row[i] != NONE:
            continue
        if not some(s.pile, CARDS):
            turn_over(s.pile, s.discards, CARDS)
        if some(s.pile, CARDS):
            s.row[i] = draw(s, w.draws, s.pile, CARDS, DRAWN_CARD)


@rule
def factories_slide(s: Any, c: Any) -> None:
    """E51: factories on the three rightmost spaces are discarded, the others slide to the right."""
    for i in range(FACTORY_ROW - c.factories_leave, FACTORY_ROW):
        if s.factory_row[i] != NONE:
            s.factory_discards[s.factory_row[i]] = 1
            s.factory_row[i] = NONE
    target = FACTORY_ROW - 1
    for k in range(FACTORY_ROW):
        i = FACTORY_ROW - 1 - k
        if s.factory_row[i] != NONE:
            factory = s.factory_row[i]
            s.factory_row[i] = NONE
            s.factory_row[target] = factory
            target -= 1


@rule
def fill_factory_row(s: Any, w: Any) -> None:
    """E51, R15, R26: the factory row is filled from the left."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE:
            continue
        if not some(s.factory_pile, FACTORIES):
            turn_over(s.factory_pile, s.factory_discards, FACTORIES)
        if some(s.factory_pile, FACTORIES):
            s.factory_row[i] = draw(s, w.draws, s.factory_pile, FACTORIES, DRAWN_FACTORY)


@rule
def end_round(s: Any, c: Any, w: Any) -> None:
    """E53, E54: the next start player and round; after the last round the last exchange instead."""
    for p in range(s.seats):
        s.players[p].bought = 0
    if s.round_number == c.rounds:
        last_exchange(s, c, s.first)
        return
    start_cards_leave(s)
    cards_slide(s, c)
    new_cards_enter(s)
    fill_row(s, w)
    factories_slide(s, c)
    fill_factory_row(s, w)
    fill_stores(s, c)
    s.first = (s.first + 1) % s.seats
    s.round_number += 1
    s.seat = s.first
    s.phase = PLACING


@rule
def last_exchange(s: Any, c: Any, p: int) -> None:
    """E55, R33: the last exchange goes on with seat p, clockwise to the seat before the start player; who has nothing
    to exchange is not asked. Then the bonuses.
    """
    s.phase = LAST_EXCHANGE
    s.action = MARKET
    while True:
        reset(s)
        s.seat = p
        if can_exchange(s, c):
            return
        p = (p + 1) % s.seats
        if p == s.first:
            break
    finish(s, c)


@rule
def standing(s: Any, c: Any, p: int, which: int) -> int:
    """E56: how far a player is in one of the three bonuses: steps on the patent track, stones invested, capacity."""
    if which == 0:
        return s.players[p].steps  # type: ignore[no-any-return]  # a field of a record
    if which == 1:
        return invested(s, c, p)
    return capacity(s, c, p)


@rule
def bonus_for(s: Any, c: Any, p: int, which: int) -> int:
    """E56, E57, R11: the influence that a player has from one of the three bonuses as things stand."""
    mine = standing(s, c, p, which)
    if mine <= 0:
        return 0
    share = 0
    for q in range(s.seats):
        its = standing(s, c, q, which)
        if its > mine:
            return 0
        if its == mine:
            share += 1
    return c.bonus_points[share]  # type: ignore[no-any-return]  # a field of a record


@rule
def finish(s: Any, c: Any) -> None:
    """E56, E57: the bonuses; the game is over (E54)."""
    reset(s)
    s.phase = OVER
    s.action = NONE
    s.seat = NOBODY
    s.ended_by = E54
    for which in range(3):
        for p in range(s.seats):
            advance(s, c, p, bonus_for(s, c, p, which), MOST_PATENTS + which)
