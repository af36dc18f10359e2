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
def has_cards(cards: Any, number: int) -> bool:
    """Return True if a set of cards is not empty."""
    for card in range(number):
        if cards[card] != 0:
            return True
    return False


@rule
def turn_over(w: Any, discards: Any, pile: Any, number: int, piece: int, source: int, target: int) -> None:
    """Move all cards of one pile into another (R26).

    `piece` is the number of the first card in events; `source` and `target` are those of the piles.
    """
    for card in range(number):
        if discards[card] != 0:
            pile[card] += discards[card]
            discards[card] = 0
            emit(w, MOVED, NOBODY, piece + card, 1, source, target)


@rule
def start_cards_leave(s: Any, w: Any) -> None:
    """Remove the start invention cards that are still in the row from the game (E47)."""
    for i in range(ROW):
        if NONE < s.row[i] < START_CARDS:
            s.gone[s.row[i]] = 1
            emit(w, MOVED, NOBODY, CARD + s.row[i], 1, ON_ROW, GONE)
            s.row[i] = NONE


@rule
def slide(row: Any, spaces: int, leaving: int, discards: Any, w: Any, piece: int, source: int, target: int) -> None:
    """Discard the cards on the last `leaving` spaces of a row and move the others to its far end, in their order."""
    for i in range(spaces - leaving, spaces):
        if row[i] != NONE:
            discards[row[i]] = 1
            emit(w, MOVED, NOBODY, piece + row[i], 1, source, target)
            row[i] = NONE
    next_space = spaces - 1
    for k in range(spaces):
        card = row[spaces - 1 - k]
        if card != NONE:
            row[spaces - 1 - k] = NONE
            row[next_space] = card
            next_space -= 1


@rule
def cards_slide(s: Any, c: Any, w: Any) -> None:
    """Discard the cards on the arrow spaces and move the others to the far end of the path (E48, R15)."""
    slide(s.row, ROW, c.cards_leave, s.discards, w, CARD, ON_ROW, DISCARDS)


@rule
def cards_return(s: Any, w: Any) -> None:
    """Move the discarded cards into the draw pile (R26)."""
    turn_over(w, s.discards, s.pile, CARDS, CARD, DISCARDS, PILE)


@rule
def factories_return(s: Any, w: Any) -> None:
    """Move the discarded factories into their draw pile (R26)."""
    turn_over(w, s.factory_discards, s.factory_pile, FACTORIES, FACTORY, FACTORY_DISCARDS, FACTORY_PILE)


@rule
def new_cards_enter(s: Any, w: Any) -> None:
    """Move discards and new cards into the draw pile if an original was developed (E49, R27)."""
    if s.new_original == 0:
        return
    cards_return(s, w)
    turn_over(w, s.fresh, s.pile, CARDS, CARD, FRESH, PILE)
    s.new_original = 0


@rule
def fill_row(s: Any, c: Any, w: Any) -> None:
    """Fill the free spaces of the invention row in path order (E49, E50, R15, R26).

    When a card is needed and the pile is empty, the discard pile becomes the draw pile; with an option of the table it
    does so as soon as the last card is drawn. If both are empty, the space stays empty.
    """
    for i in range(ROW):
        if s.row[i] != NONE:
            continue
        if not has_cards(s.pile, CARDS):
            cards_return(s, w)
        if has_cards(s.pile, CARDS):
            card = draw(s, w.draws, s.pile, CARDS, DRAWN_CARD)
            s.row[i] = card
            emit(w, MOVED, NOBODY, CARD + card, 1, PILE, ON_ROW)
            emit(w, log.NEW_CARD, NOBODY, card)
            if c.turn_at_once != 0 and not has_cards(s.pile, CARDS):
                cards_return(s, w)


@rule
def factories_slide(s: Any, c: Any, w: Any) -> None:
    """Discard the factories on the three rightmost spaces and move the others to the right (E51)."""
    slide(s.factory_row, FACTORY_ROW, c.factories_leave, s.factory_discards, w, FACTORY, ON_FACTORY_ROW,
          FACTORY_DISCARDS)  # fmt: skip


@rule
def fill_factory_row(s: Any, c: Any, w: Any) -> None:
    """Fill the factory row from the left (E51, R15, R26)."""
    for i in range(FACTORY_ROW):
        if s.factory_row[i] != NONE:
            continue
        if not has_cards(s.factory_pile, FACTORIES):
            factories_return(s, w)
        if has_cards(s.factory_pile, FACTORIES):
            factory = draw(s, w.draws, s.factory_pile, FACTORIES, DRAWN_FACTORY)
            s.factory_row[i] = factory
            emit(w, MOVED, NOBODY, FACTORY + factory, 1, FACTORY_PILE, ON_FACTORY_ROW)
            emit(w, log.NEW_FACTORY, NOBODY, factory)
            if c.turn_at_once != 0 and not has_cards(s.factory_pile, FACTORIES):
                factories_return(s, w)


@rule
def end_round(s: Any, c: Any, w: Any) -> None:
    """Begin the next round with the next start player, or after the last round the last exchange (E53, E54)."""
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
