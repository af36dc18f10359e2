"""The numbers of pieces and locations in the events of Legendary Inventors, and the amounts of pieces by location."""

from collections.abc import Iterator, Sequence
from typing import Any

from spieltisch.core.words import Message, Name, message, messages
from spieltisch.games.legendary_inventors import state
from spieltisch.games.legendary_inventors.board import Board

# Pieces: Leonardo; the other numbers are offsets for a seat, a kind of token and an invention.
LEONARDO = 0
CUBE = LEONARDO + 1
TOKEN = CUBE + state.MAX_SEATS
CARD = TOKEN + state.KINDS

# Locations: out of the game, the bag of tokens, the piles of inventions, face up on the table; the other numbers are
# offsets for a seat, an invention and a field of an invention.
BOX, BAG, PILE, TABLE = 0, 1, 2, 3
PLAYER = TABLE + 1
INVENTION = PLAYER + state.MAX_SEATS
FIELD = INVENTION + state.INVENTIONS


def piece_names(board: Board) -> Sequence[str]:
    """Return the ids of the pieces, by their numbers."""
    cubes, tokens = (
        [f"cube of seat {p + 1}" for p in range(state.MAX_SEATS)],
        [f"token {token.id}" for token in board.tokens],
    )
    unused = ["-"] * (state.KINDS - len(tokens))
    return ["leonardo", *cubes, *tokens, *unused, *(card.id for card in board.inventions)]


def amount(board: Board, piece: int, count: int) -> Message | Name:
    """Return a number of pieces of a kind in words."""
    if piece == LEONARDO:
        return message("Leonardo")
    if piece < TOKEN:
        return messages("{count} cube", "{count} cubes", count)
    if piece >= CARD:
        return message("the patent {invention}", invention=board.inventions[piece - CARD].name)
    token = board.tokens[piece - TOKEN].name
    return token if count == 1 else message("{count} × {token}", count=count, token=token)


def lying(s: Any, c: Any) -> Iterator[tuple[int, int, int]]:
    """Yield a piece, a location and the amount there, for all pieces and locations of a state."""
    yield LEONARDO, BOX if s.leonardo == state.NOBODY else PLAYER + s.leonardo, 1
    for p in range(s.seats):
        yield CUBE + p, PLAYER + p, s.players[p].cubes
    for kind in range(c.kinds):
        yield TOKEN + kind, BAG, c.box[kind] - s.drawn[kind]
        yield TOKEN + kind, BOX, s.gone[kind]
        for p in range(s.seats):
            yield TOKEN + kind, PLAYER + p, s.players[p].tokens[kind]
    places = {state.UNSEEN: PILE, state.OPEN: TABLE, state.GONE: BOX} | {
        state.PATENT + p: PLAYER + p for p in range(s.seats)
    }
    for card in range(c.inventions):
        yield CARD + card, places[s.whereabouts[card]], 1
    for slot in s.slots:
        if slot.card != state.NOBODY:
            for kind in slot.tokens:
                yield TOKEN + kind, INVENTION + slot.card, int(kind != state.NOBODY)
            for p in range(s.seats):
                for f in range(state.FIELDS):
                    yield CUBE + p, FIELD + slot.card * state.FIELDS + f, slot.cubes[p][f]
