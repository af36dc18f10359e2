"""The end of a round (E47 to E54)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log
from spieltisch.games.era_of_inventions.pieces import (
    CARD,
    DISCARDS,
    FACTORY,
    FACTORY_DISCARDS,
    FACTORY_PILE,
    FRESH,
    GONE,
    ON_FACTORY_ROW,
    ON_ROW,
    PILE,
)
from spieltisch.games.era_of_inventions.rules.ending import last_exchange
from spieltisch.games.era_of_inventions.rules.stores import fill_stores
from spieltisch.games.era_of_inventions.state import (
    CARDS,
    DRAWN_CARD,
    DRAWN_FACTORY,
    FACTORIES,
    FACTORY_ROW,
    NOBODY,
    NONE,
    ROW,
    START_CARDS,
    Phase,
)


@rule
def some(cards: Any, number: int) -> bool:
    """Whether a set of cards holds any."""
    for card in range(number):  # noqa: SIM110 - compiled code knows no generators
        if cards[card] != 0:
            return True
    return False


@rule
def turn_over(w: Any, discards: Any, pile: Any, number: int, thing: int, source: int, target: int) -> None:
    """R26: one pile becomes part of another. `thing` is the first card's number in events, `source` and `target` are
    those of the piles.
    """
    for card in range(number):
        if discards[card] != 0:
            pile[card] += discards[card]
            discards[card] = 0
            emit(w, MOVED, NOBODY, thing + card, 1, source, target)


@rule
def start_cards_leave(s: Any, w: Any) -> None:
    """E47: start invention cards still on the row leave the game."""
    for i in range(ROW):
        if NONE < s.row[i] < START_CARDS:
            s.gone[s.row[i]] = 1
            emit(w, MOVED, NOBODY, CARD + s.row[i], 1, ON_ROW, GONE)
            s.row[i] = NONE


@rule
def slide(row: Any, spaces: int, leave: int, discards: Any, w: Any, thing: int, source: int, target: int) -> None:
    """What lies on the last `leave` spaces of a row is discarded; the rest moves to its far end, in its order."""
    for i in range(spaces - leave, spaces):
        if row[i] != NONE:
            discards[row[i]] = 1
            emit(w, MOVED, NOBODY, thing + row[i], 1, source, target)
            row[i] = NONE
    to = spaces - 1
    for k in range(spaces):
        one = row[spaces - 1 - k]
        if one != NONE:
            row[spaces - 1 - k] = NONE
            row[to] = one
            to -= 1


@rule
def cards_slide(s: Any, c: Any, w: Any) -> None:
    """E48, R15: cards on the arrow spaces are discarded, the others close up to the far end of the path."""
    slide(s.row, ROW, c.cards_leave, s.discards, w, CARD, ON_ROW, DISCARDS)


@rule
def cards_return(s: Any, w: Any) -> None:
    """R26: the discarded cards become part of the draw pile."""
    turn_over(w, s.discards, s.pile, CARDS, CARD, DISCARDS, PILE)


@rule
def factories_return(s: Any, w: Any) -> None:
    """R26: the discarded factories become part of their draw pile."""
    turn_over(w, s.factory_discards, s.factory_pile, FACTORIES, FACTORY, FACTORY_DISCARDS, FACTORY_PILE)


@rule
def new_cards_enter(s: Any, w: Any) -> None:
    """E49, R27: if an original was developed, draw pile, discards and new cards become the draw pile."""
    if s.new_original == 0:
        return
    cards_return(s, w)
    turn_over(w, s.fresh, s.pile, CARDS, CARD, FRESH, PILE)
    s.new_original = 0


@rule
def fill_row(s: Any, c: Any, w: Any) -> None:
    """E49, E50, R15, R26: free spaces are filled in path order; when a card is needed and none is there, the discard
    pile is turned over (a table may do so as soon as the last is drawn); if both are empty the space stays empty.
    """
    for i in range(ROW):
        if s.row[i] != NONE:
            continue
        if not some(s.pile, CARDS):
            cards_return(s, w)
        if some(s.pile, CARDS):
            card = draw(s, w.draws, s.pile, CARDS, DRAWN_CARD)
            s.row[i] = card
            emit(w, MOVED, NOBODY, CARD + card, 1, PILE, ON_ROW)
            emit(w, log.NEW_CARD, NOBODY, card)
            if c.turn_at_once != 0 and not some(s.pile, CARDS):
                cards_return(s, w)


@rule
def factories_slide(s: Any, c: Any, w: Any) -> None:
    """E51: factories on the three rightmost spaces are discarded, the others slide to the right."""
    slide(s.factory_row, FACTORY_ROW, c.factories_leave, s.factory_discards, w, FACTORY, ON_FACTORY_ROW,
          FACTORY_DISCARDS)  # fmt: skip


@rule
def fill_factory_row(s: Any, c: Any, w: Any) -> None:
    """E51, R15, R26: the factory row is filled from the left."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE:
            continue
        if not some(s.factory_pile, FACTORIES):
            factories_return(s, w)
        if some(s.factory_pile, FACTORIES):
            factory = draw(s, w.draws, s.factory_pile, FACTORIES, DRAWN_FACTORY)
            s.factory_row[i] = factory
            emit(w, MOVED, NOBODY, FACTORY + factory, 1, FACTORY_PILE, ON_FACTORY_ROW)
            emit(w, log.NEW_FACTORY, NOBODY, factory)
            if c.turn_at_once != 0 and not some(s.factory_pile, FACTORIES):
                factories_return(s, w)


@rule
def end_round(s: Any, c: Any, w: Any) -> None:
    """E53, E54: the next start player and round; after the last round the last exchange instead."""
    for p in range(s.seats):
        s.players[p].bought = 0
    if s.round_number == c.rounds:
        last_exchange(s, c, w, s.first)
        if s.phase == Phase.LAST_EXCHANGE:
            emit(w, log.LAST_EXCHANGE_BEGINS, NOBODY)
        return
    s.first = (s.first + 1) % s.seats
    s.round_number += 1
    emit(w, log.ROUND_BEGINS, s.first, s.round_number)
    start_cards_leave(s, w)
    cards_slide(s, c, w)
    new_cards_enter(s, w)
    fill_row(s, c, w)
    factories_slide(s, c, w)
    fill_factory_row(s, c, w)
    fill_stores(s, c, w)
    s.seat = s.first
    s.phase = Phase.PLACING
