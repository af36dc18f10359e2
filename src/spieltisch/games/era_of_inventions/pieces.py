"""The numbers of pieces and places in MOVED events of Era of Inventions, and all pieces of a state by place."""

from collections.abc import Iterator
from typing import Any

from spieltisch.core.words import Message, Name
from spieltisch.games.era_of_inventions import state
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.goods_text import amount as amount_of_goods
from spieltisch.games.era_of_inventions.moves import GET_WORDS

# Kinds of piece: goods, bonus discs, and these offsets, to which a seat, a card or a factory is added.
DISC = state.BONUS_DISC + 1
MARKER = DISC + state.MAX_SEATS
CARD = MARKER + state.MAX_SEATS
FACTORY = CARD + state.CARDS

# Places: the supply, and these offsets, to which a seat, a store, an action or an invention's field is added.
SUPPLY, PLAYER, STORE, ACTION_FIELD, FIELD = 0, 10, 20, 30, 40
PILE, DISCARDS, FRESH, ASIDE, GONE, ON_ROW = range(60, 66)
FACTORY_PILE, FACTORY_DISCARDS, ON_FACTORY_ROW = range(70, 73)


def piece_names(board: Board) -> list[str]:
    """Return the words for the kinds of piece, by their numbers."""
    seats = range(1, state.MAX_SEATS + 1)
    discs, markers = [f"disc of seat {p}" for p in seats], [f"marker of seat {p}" for p in seats]
    return [*GET_WORDS, *discs, *markers, *(card.word for card in board.cards), *(works.word for works in board.works)]


def amount(board: Board, piece: int, count: int) -> Message | Name | None:
    """Return a number of pieces of a kind in words; None for discs and markers."""
    if piece >= FACTORY:
        return board.works[piece - FACTORY].name
    return amount_of_goods(board, piece, count) if piece <= state.BONUS_DISC else None


def lying(s: Any, c: Any) -> Iterator[tuple[int, int, int]]:
    """Yield triples of a kind of piece, a place and a count: all pieces in a state."""
    for kind in range(state.GOODS):
        yield kind, SUPPLY, s.supply[kind]
    yield state.BONUS_DISC, SUPPLY, s.bonus_supply
    for store in range(c.stores):
        yield c.store_good[store], STORE + store, s.load[store]
    for p in range(s.seats):
        me = s.players[p]
        for kind in range(state.GOODS):
            yield kind, PLAYER + p, me.goods[kind]
        yield state.BONUS_DISC, PLAYER + p, me.bonus
        yield DISC + p, PLAYER + p, me.hand
        yield MARKER + p, PLAYER + p, me.markers
        for action in range(state.ACTIONS):
            yield DISC + p, ACTION_FIELD + action, s.discs[action].count(p)
    for invention in range(state.INVENTIONS):
        for k in range(2):
            if s.holder[invention][k] != state.NOBODY:
                yield MARKER + s.holder[invention][k], FIELD + 2 * invention + k, 1 + s.patented[invention][k]
    piles = ((PILE, s.pile), (DISCARDS, s.discards), (FRESH, s.fresh), (ASIDE, s.aside), (GONE, s.gone))
    for place, cards in piles:
        for card in range(state.CARDS):
            yield CARD + card, place, cards[card]
    for card in s.row:
        yield CARD + card, ON_ROW, int(card != state.NONE)
    for factory in range(state.FACTORIES):
        yield FACTORY + factory, FACTORY_PILE, s.factory_pile[factory]
        yield FACTORY + factory, FACTORY_DISCARDS, s.factory_discards[factory]
        yield FACTORY + factory, PLAYER + s.owner[factory], int(s.owner[factory] != state.NOBODY)
    for factory in s.factory_row:
        yield FACTORY + factory, ON_FACTORY_ROW, int(factory != state.NONE)
