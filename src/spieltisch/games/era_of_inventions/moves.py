"""The moves of Era of Inventions.

`place build factories`, `use build factories`, `take back build factories`; the steps of an action: `build coal mine
1`, `buy metal ship`, `produce telephone a`, `produce car counterfeit for 3 metal 1 tool`, `exchange wood coin for
tool`, `take stone`, `develop telephone gold`, `patent telephone gold`, `patent nothing`, `done`; after an action disc
any of these as a bonus disc, or `run coal mine 1`, or `keep bonus disc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from spieltisch.core.moves import Word
from spieltisch.core.setup import Setup
from spieltisch.core.spaces import Kind, Parameter, Space
from spieltisch.core.words import Message, message
from spieltisch.games.era_of_inventions.amounts import amount, card_label, factory_label, one_good
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, Card, words_of
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    BONUS_DISC,
    CARDS,
    EXCHANGEABLE,
    FACTORIES,
    FIRST_COUNTERFEIT,
    GOLD,
    INFLUENCE,
    INVENTIONS,
    METAL,
    MOST_LINES,
    MOST_STORES,
    START_FACTORIES,
    TECHNOLOGY,
    TOOL,
    Action,
)

MOST_OF_A_MIX = 7
"""The most metal and the most technology in a mix for "?"; the rest are tools."""

GET_WORDS = (*KIND_WORDS, "influence", "bonus disc")

MARKET_STONE = "market-stone"
PATENT_TRACK = "patent-track"
"""Places on the board besides the cards, fields, stores and inventions, which are places by their ids."""


def market_place(board: Board, box: int) -> str:
    """A box of the market as a place on the board."""
    return f"market-{board.contents.market[box].id}"


# --- What the words name. ---


def _action(setup: Setup, action: int) -> Word:
    its = setup.board.contents.actions[action]
    return Word(words_of(its.id), its.name, place=its.id, mark=f"action-{its.id}")


def _verb(action: int, text: str, label: Message) -> Callable[[Setup], Word]:
    """What begins a step of an action, with the action's sign."""
    return lambda setup: Word(text, label, mark=f"action-{setup.board.contents.actions[action].id}")


def _factory(setup: Setup, factory: int) -> Word:
    works = setup.board.works[factory]
    return Word(works.word, factory_label(setup.board, works), place=works.id, mark="factory")


def _to_build(setup: Setup, factory: int) -> Word | None:
    return _factory(setup, factory) if factory >= START_FACTORIES else None


def _load(setup: Setup, store: int) -> Word | None:
    stores = setup.board.contents.stores
    if store >= len(stores):
        return None
    return Word(words_of(stores[store].id), stores[store].name, place=stores[store].id, mark=stores[store].kind)


def _card(setup: Setup, number: int) -> Word:
    board: Board = setup.board
    card = board.cards[number]
    mark = "start-card" if card.kind == "start" else f"invention-{board.inventions[card.invention].id}"
    return Word(card.word, card_label(board, card), place=card.id, mark=mark)


def _invention(setup: Setup, its: int) -> Word:
    invention = setup.board.inventions[its]
    return Word(words_of(invention.id), invention.name, place=invention.id, mark=f"invention-{invention.id}")


def _field(setup: Setup, field: int) -> Word:
    if field == GOLD:
        return Word("gold", message("gold field"), mark="field-gold")
    return Word("silver", message("silver field"), mark="field-silver")


# --- Counterfeits, with a mix for their "?". ---

_PRODUCE = _verb(Action.PRODUCE, "produce", message("Produce"))


def _mixed(setup: Setup, number: int, metal: int, technology: int) -> Sequence[Word]:
    tool = tools(setup.board.cards[number], metal, technology)
    if tool < 0:
        return ()
    mix = [(kind, n) for kind, n in ((METAL, metal), (TECHNOLOGY, technology), (TOOL, tool)) if n]
    paid = [
        Word(
            f"{'' if i else 'for '}{n} {KIND_WORDS[kind]}",
            _paid(amount(setup.board, kind, n), first=i == 0, last=i == len(mix) - 1),
            mark=f"good-{KIND_WORDS[kind]}",
            asks=message("Pay with what?"),
        )
        for i, (kind, n) in enumerate(mix)
    ]
    card = _CARD.word(setup, number)
    assert card is not None  # noqa: S101 - every number has a card
    return (_PRODUCE(setup), card, *paid)


def tools(card: Card, metal: int, technology: int) -> int:
    """The tools in the mix of a counterfeit; below zero: there is no such mix."""
    return card.any - metal - technology


def _paid(goods: Message, *, first: bool, last: bool) -> Message:
    """A part of a mix; one that more must follow says so, or it would look like a lower price."""
    if first:
        return message("for {goods}", goods=goods) if last else message("for {goods} and …", goods=goods)
    return goods if last else message("{goods} and …", goods=goods)


# --- Exchanges, whose kinds given may be named in any order. ---

_EXCHANGE = _verb(Action.MARKET, "exchange", message("Exchange"))

Exchanged = tuple[int, Sequence[int], Sequence[int]]
"""A box of the market, and the kinds given and received, piece by piece."""


def _line(setup: Setup, line: int) -> Exchanged | None:
    if line >= len(setup.board.exchanges):
        return None
    its = setup.board.exchanges[line]
    return its.box, tuple(its.pieces), tuple(kind for kind, number in enumerate(its.get) for _ in range(number))


def _two(setup: Setup, one: int, two: int, got: int) -> Exchanged | None:
    return (setup.board.free_box, (one, two), (got,)) if one <= two else None


def _exchange(name: str, exchange: Callable[..., Exchanged | None], *parameters: Parameter) -> Kind:
    def words(setup: Setup, *parts: int) -> Sequence[Word]:
        found = exchange(setup, *parts)
        return _exchange_words(setup, *found) if found is not None else ()

    def orders(setup: Setup, *parts: int) -> Sequence[tuple[Word, ...]]:
        found = exchange(setup, *parts)
        if found is None:
            return ()
        box, given, got = found
        turned = dict.fromkeys(permutations(given))
        return [_exchange_words(setup, box, order, got) for order in turned if order != given]

    return Kind(name, None, *parameters, words=words, orders=orders)


def _exchange_words(setup: Setup, box: int, given: Sequence[int], got: Sequence[int]) -> tuple[Word, ...]:
    board: Board = setup.board
    pieces = [
        Word(
            KIND_WORDS[kind],
            message("and {good}", good=one_good(board, kind)) if i else one_good(board, kind),
            place=f"own-{KIND_WORDS[kind]}",
            mark=f"good-{KIND_WORDS[kind]}",
            asks=message("Give what else?") if i else message("Give what?"),
        )
        for i, kind in enumerate(given)
    ]
    kind = got[0]
    label = message("for {goods}", goods=amount(board, kind, len(got)))
    mark = {INFLUENCE: "influence", BONUS_DISC: "bonus-disc"}.get(kind) or f"good-{KIND_WORDS[kind]}"
    place = market_place(board, box)
    text = "for " + " ".join(GET_WORDS[kind] for kind in got)
    last = Word(text, label, place=place, mark=mark, asks=message("Receive what?"))
    return (_EXCHANGE(setup), *pieces, last)


# --- The move space. ---

_ACTION = Parameter("action", ACTIONS, _action, message("Which action field?"))
_WHICH_CARD = message("Produce which?")
_CARD = Parameter("card", CARDS, _card, _WHICH_CARD)
_FACTORY = message("Which factory?")
_MIX = [Parameter("metal", MOST_OF_A_MIX + 1), Parameter("technology", MOST_OF_A_MIX + 1)]
_FIELD = [
    Parameter("invention", INVENTIONS, _invention, message("Which invention?")),
    Parameter("field", 2, _field, message("Gold or silver?")),
]
_PATENT = Word("patent", message("Register a patent"), place=PATENT_TRACK, mark="patent")

SPACE = Space(
    Kind("place", message("Place a disc"), _ACTION),
    Kind("use", message("Carry out"), _ACTION),
    Kind("take back", message("Take the disc back unused"), _ACTION, rare=True),
    Kind("build", _verb(Action.BUILD, "build", message("Build")), Parameter("factory", FACTORIES, _to_build, _FACTORY)),
    Kind(
        "run",
        _verb(Action.YIELD, "run", message("Take the yield of")),
        Parameter("factory", FACTORIES, _factory, _FACTORY),
    ),
    Kind(
        "buy",
        _verb(Action.BUY, "buy", message("Buy the load of")),
        Parameter("store", MOST_STORES, _load, message("Which load?")),
    ),
    Kind("produce", _PRODUCE, Parameter("card", FIRST_COUNTERFEIT, _card, _WHICH_CARD)),
    Kind("produce counterfeit", None, Parameter("card", range(FIRST_COUNTERFEIT, CARDS)), *_MIX, words=_mixed),
    _exchange("exchange", _line, Parameter("line", MOST_LINES)),
    _exchange("exchange two", _two, *(Parameter(name, EXCHANGEABLE) for name in ("one", "two", "got"))),
    Kind("take stone", Word("take stone", message("Take a development stone"), place=MARKET_STONE, mark="good-stone")),
    Kind("develop", _verb(Action.DEVELOP, "develop", message("Develop")), *_FIELD),
    Kind("patent", _PATENT, *_FIELD),
    Kind("patent nothing", None, words=lambda setup: (_PATENT, Word("nothing", message("without a marker")))),
    Kind("done", message("Done")),
    Kind("keep", Word("keep bonus disc", message("Use no bonus disc"))),
)
(
    PLACE, USE, TAKE_BACK, BUILD_FACTORY, TAKE_YIELD, BUY_LOAD, PRODUCE_CARD, PRODUCE_COUNTERFEIT, EXCHANGE_LINE,
    EXCHANGE_TWO, TAKE_STONE, DEVELOP_FIELD, PATENT_FIELD, PATENT_NOTHING, DONE, KEEP,
) = SPACE.codes  # fmt: skip
kind_of, part, number = SPACE.kind_of, SPACE.part, SPACE.number


def draw_words(setup: Setup) -> Sequence[str]:
    """What chance can give: an invention card, a factory card, the start player."""
    board: Board = setup.board
    cards, works = [card.word for card in board.cards], [works.word for works in board.works]
    return [*cards, *works, *(f"seat {p + 1}" for p in range(setup.seats))]
