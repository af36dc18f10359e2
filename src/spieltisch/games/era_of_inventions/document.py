"""A state of Era of Inventions as JSON in the game's own words, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.core import twin
from spieltisch.core.refusal import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.era_of_inventions import state
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.refusals import E54, RULES
from spieltisch.games.era_of_inventions.rules.factories import own_factory
from spieltisch.games.era_of_inventions.state import NOBODY, NONE, Action

PHASES: Mapping[int, str] = {
    state.Phase.PLACING: "placing",
    state.Phase.CHOOSING: "choosing",
    state.Phase.ACTING: "acting",
    state.Phase.BONUS: "bonus",
    state.Phase.LAST_EXCHANGE: "last exchange",
    state.Phase.OVER: "over",
}
WAYS: Mapping[int, str] = {
    state.Way.UNDECIDED: "undecided",
    state.Way.DEVELOPING: "developing",
    state.Way.PATENTING: "patenting",
}
SOURCES = (
    "inventing",
    "patents",
    "production",
    "paid by others",
    "factories",
    "market",
    "most patents",
    "most invested",
    "most capacity",
)
PILES = ("pile", "discards", "fresh", "aside", "gone")
FACTORY_PILES = ("factory_pile", "factory_discards")
NUMBERS = ("influence", "hand", "bonus", "bought", "markers", "steps")
FIELDS = ("gold", "silver")


def describe(setup: Setup, s: Any) -> dict[str, Any]:
    """The document of a state (a twin)."""
    board = setup.board
    cards, works = [card.id for card in board.cards], [works.id for works in board.works]
    actions = [action.id for action in board.contents.actions]
    found: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "seat": s.seat + 1 if s.seat >= 0 else None,
        "ended_by": RULES[s.ended_by] if s.ended_by else None,
        "round": s.round_number,
        "start_player": s.first + 1,
        "action": None
        if s.action == NONE
        else {
            "field": actions[s.action],
            "done": s.many,
            "stones": s.spent,
            "way": WAYS[s.way],
            "boxes": dict(zip([box.id for box in board.contents.market], s.used, strict=True)),
        },
        "new_original": bool(s.new_original),
        "discs": {actions[a]: [_seat(p) for p in s.discs[a]] for a in range(state.ACTIONS)},
        "inventions": {
            its.id: {FIELDS[k]: {"holder": _seat(s.holder[i][k]), "patented": bool(s.patented[i][k])} for k in range(2)}
            for i, its in enumerate(board.inventions)
        },
        "row": [None if card == NONE else cards[card] for card in s.row],
        "factory_row": [None if factory == NONE else works[factory] for factory in s.factory_row],
        "stores": {store.id: s.load[n] for n, store in enumerate(board.contents.stores)},
        "supply": {**dict(zip(KIND_WORDS, s.supply, strict=True)), "bonus disc": s.bonus_supply},
        "players": [_player(setup, s, p) for p in range(setup.seats)],
    }
    for name in PILES:
        found[name] = [cards[card] for card, there in enumerate(getattr(s, name)) if there]
    for name in FACTORY_PILES:
        found[name] = [works[factory] for factory, there in enumerate(getattr(s, name)) if there]
    return found


def _seat(p: int) -> int | None:
    return None if p == NOBODY else p + 1


def _player(setup: Setup, s: Any, p: int) -> dict[str, Any]:
    one = s.players[p]
    return {
        "goods": dict(zip(KIND_WORDS, one.goods, strict=True)),
        "earned": dict(zip(SOURCES, one.earned, strict=True)),
        "factories": [works.id for works in setup.board.works if s.owner[works.number] == p],
        **{name: getattr(one, name) for name in NUMBERS},
    }


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """The twin a document describes; what is derived is worked out anew. Raises DocumentError naming the field."""
    read, s, board = _Reader(setup), twin.new(state.State), setup.board
    s.seats = setup.seats
    s.phase = read.key(document, "phase", PHASES)
    s.seat = read.seat(document, "seat")
    if (s.seat == NOBODY) != (s.phase == state.Phase.OVER):
        raise DocumentError("seat: somebody decides until the game is over")
    s.ended_by = E54 if s.phase == state.Phase.OVER else 0
    if document.get("ended_by") != (RULES[E54] if s.ended_by else None):
        raise DocumentError(f"ended_by: {document.get('ended_by')!r} does not fit the phase")
    s.round_number = read.number(document, "round", 1, setup.plain_params.rounds)
    s.first = read.number(document, "start_player", 1, setup.seats) - 1
    s.new_original = int(read.flag(document, "new_original"))
    _restore_action(read, s, document)
    _restore_board(read, s, document)
    _restore_cards(read, s, document)
    stores = read.table(document, "stores")
    for n, store in enumerate(board.contents.stores):
        s.load[n] = read.number(stores, store.id, 0, 9999)
    supply = read.table(document, "supply")
    s.supply[:] = [read.number(supply, kind, -9999, 9999) for kind in KIND_WORDS]
    s.bonus_supply = read.number(supply, "bonus disc", 0, 999)
    _check_turn(read, s)
    return s


def _restore_action(read: _Reader, s: Any, document: Mapping[str, Any]) -> None:
    s.action = NONE
    if document.get("action") is None:
        return
    action = read.table(document, "action")
    s.action = read.index(action, "field", read.actions)
    s.many = read.number(action, "done", 0, 99)
    s.spent = read.number(action, "stones", 0, 99)
    s.way = read.key(action, "way", WAYS)
    boxes = read.table(action, "boxes")
    s.used[:] = [read.number(boxes, box.id, 0, 99) for box in read.setup.board.contents.market]


def _restore_board(read: _Reader, s: Any, document: Mapping[str, Any]) -> None:
    discs = read.table(document, "discs")
    for a, action in enumerate(read.actions):
        there = read.items(discs, action, state.SPACES)
        s.discs[a][:] = [read.as_seat(f"discs.{action}", p) for p in there]
    inventions = read.table(document, "inventions")
    for i, its in enumerate(read.setup.board.inventions):
        fields = read.table(inventions, its.id)
        for k, name in enumerate(FIELDS):
            field = read.table(fields, name)
            s.holder[i][k] = read.seat(field, "holder")
            s.patented[i][k] = int(read.flag(field, "patented"))
    players = read.items(document, "players", read.setup.seats)
    s.owner[:] = [NOBODY] * state.FACTORIES
    for p, described in enumerate(players):
        if not isinstance(described, Mapping):
            raise DocumentError(f"players.{p + 1}: a table is needed")
        goods, earned, one = read.table(described, "goods"), read.table(described, "earned"), s.players[p]
        one.goods[:] = [read.number(goods, kind, 0, 9999) for kind in KIND_WORDS]
        one.earned[:] = [read.number(earned, source, 0, 9999) for source in SOURCES]
        for name in NUMBERS:
            setattr(one, name, read.number(described, name, 0, 9999))
        for factory in read.each(described, "factories", read.works):
            if s.owner[factory] != NOBODY:
                raise DocumentError(f"players.{p + 1}.factories: {read.works[factory]} is somebody else's")
            own_factory(s, read.setup.plain_params, p, factory)


def _restore_cards(read: _Reader, s: Any, document: Mapping[str, Any]) -> None:
    s.row[:] = read.spaces(document, "row", state.ROW, read.cards)
    s.factory_row[:] = read.spaces(document, "factory_row", state.FACTORY_ROW, read.works)
    where = [0] * state.CARDS
    for name in PILES:
        for card in read.each(document, name, read.cards):
            getattr(s, name)[card] = 1
            where[card] += 1
    for card in s.row:
        if card != NONE:
            where[card] += 1
    for card, places in enumerate(where):
        if places != 1:
            raise DocumentError(f"{read.cards[card]}: the card lies in {places} places")
    factories = [int(owner != NOBODY) for owner in s.owner]
    for name in FACTORY_PILES:
        for factory in read.each(document, name, read.works):
            getattr(s, name)[factory] = 1
            factories[factory] += 1
    for factory in s.factory_row:
        if factory != NONE:
            factories[factory] += 1
    for factory, places in enumerate(factories):
        if places != 1 and not (factory < state.START_FACTORIES and places == 0):
            raise DocumentError(f"{read.works[factory]}: the factory lies in {places} places")


def _check_turn(read: _Reader, s: Any) -> None:
    """Whether discs and action are such that the seat can go on."""
    on_board = [p for there in s.discs for p in there if p != NOBODY]
    for a, (one, other) in enumerate(s.discs):
        if one == other != NOBODY:
            raise DocumentError(f"discs.{read.actions[a]}: both spaces are one player's")
    for p in range(read.setup.seats):
        if s.players[p].hand + on_board.count(p) > read.setup.plain_params.action_discs:
            raise DocumentError(f"players.{p + 1}.hand: more action discs than a player has")
    fits = {
        state.Phase.ACTING: s.action != NONE and s.seat in s.discs[s.action],
        state.Phase.LAST_EXCHANGE: s.action == Action.MARKET,
    }
    if not fits.get(s.phase, s.action == NONE):
        raise DocumentError("action: it does not fit the phase and the discs")
    if s.phase == state.Phase.PLACING and s.players[s.seat].hand == 0:
        raise DocumentError("seat: no disc is left to be placed")
    if s.phase == state.Phase.CHOOSING and s.seat not in on_board:
        raise DocumentError("seat: no disc lies on the board")


class _Reader:
    """Reads fields of a document, or says which one is wrong."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.cards = [card.id for card in setup.board.cards]
        self.works = [works.id for works in setup.board.works]
        self.actions = [action.id for action in setup.board.contents.actions]

    def table(self, document: Mapping[str, Any], field: str) -> Mapping[str, Any]:
        found = document.get(field)
        if not isinstance(found, Mapping):
            raise DocumentError(f"{field}: a table is needed")
        return found

    def items(self, document: Mapping[str, Any], field: str, many: int | None = None) -> Sequence[Any]:
        found = document.get(field)
        if not isinstance(found, list) or (many is not None and len(found) != many):
            raise DocumentError(f"{field}: a list is needed" if many is None else f"{field}: {many} are needed")
        return found

    def number(self, document: Mapping[str, Any], field: str, least: int, most: int) -> int:
        found = document.get(field)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise DocumentError(f"{field}: {found!r} is no number from {least} to {most}")
        return found

    def flag(self, document: Mapping[str, Any], field: str) -> bool:
        found = document.get(field)
        if not isinstance(found, bool):
            raise DocumentError(f"{field}: {found!r} is neither true nor false")
        return found

    def key(self, document: Mapping[str, Any], field: str, names: Mapping[int, str]) -> int:
        return list(names)[self.index(document, field, list(names.values()))]

    def index(self, document: Mapping[str, Any], field: str, names: Sequence[str]) -> int:
        found = document.get(field)
        if found not in names:
            raise DocumentError(f"{field}: {found!r} is none of {', '.join(names)}")
        return names.index(found)

    def seat(self, document: Mapping[str, Any], field: str) -> int:
        return self.as_seat(field, document.get(field))

    def as_seat(self, field: str, found: Any) -> int:
        if found is None:
            return NOBODY
        return self.number({field: found}, field, 1, self.setup.seats) - 1

    def each(self, document: Mapping[str, Any], field: str, names: Sequence[str]) -> list[int]:
        found = [self.index({field: name}, field, names) for name in self.items(document, field)]
        if len(set(found)) != len(found):
            raise DocumentError(f"{field}: something stands there twice")
        return found

    def spaces(self, document: Mapping[str, Any], field: str, many: int, names: Sequence[str]) -> list[int]:
        found = self.items(document, field, many)
        return [NONE if name is None else self.index({field: name}, field, names) for name in found]
