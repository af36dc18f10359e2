"""The moves of Era of Inventions.

`place build factories`, `use build factories`, `take back build factories`; the steps of an action: `build coal mine
1`, `buy metal ship`, `produce telephone a`, `produce car counterfeit for 3 metal 1 tool`, `exchange wood coin for
tool`, `take stone`, `develop telephone gold`, `patent telephone gold`, `patent nothing`, `done`; after an action disc
any of these as a bonus disc, or `run coal mine 1`, or `keep bonus disc`.
"""

from collections.abc import Callable, Sequence
from itertools import permutations

from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter
from spieltisch.core.moves import MoveWord
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, Card, FactoryTile, words_of
from spieltisch.games.era_of_inventions.goods_text import amount, card_label, factory_label, one_good, output_label
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
    MAX_LINES,
    MAX_STORES,
    METAL,
    START_FACTORIES,
    TECHNOLOGY,
    TOOL,
    Action,
)

MAX_MIX_CUBES = 7
"""The largest number of metal, and of technology, in a mix for "?"; the rest are tools."""

GET_WORDS = (*KIND_WORDS, "influence", "bonus disc")
"""The words for what an exchange gives, by number."""

MARKET_STONE = "market-stone"
PATENT_TRACK = "patent-track"
"""The element ids of the stone on the market and of the patent track.

Cards, fields, stores and inventions use their ids in the component file as element ids.
"""


def market_place(board: Board, box: int) -> str:
    """Return the element id of a box of the market."""
    return f"market-{board.contents.market[box].id}"


# --- Words for actions, factories, loads, cards and fields. ---


def _action(setup: Setup, action: int) -> MoveWord:
    field = setup.board.contents.actions[action]
    return MoveWord(words_of(field.id), field.name, element_id=field.id, icon=f"action-{field.id}")


def _verb(action: int, text: str, label: Message) -> Callable[[Setup], MoveWord]:
    """Return the first word of a step of an action, with the icon of the action."""
    return lambda setup: MoveWord(text, label, icon=f"action-{setup.board.contents.actions[action].id}")


def _factory(works: FactoryTile, label: Message) -> MoveWord:
    return MoveWord(works.word, label, element_id=works.id, icon="factory")


def _to_run(setup: Setup, factory: int) -> MoveWord:
    works = setup.board.works[factory]
    return _factory(works, output_label(setup.board, works))


def _to_build(setup: Setup, factory: int) -> MoveWord | None:
    works = setup.board.works[factory]
    return _factory(works, factory_label(setup.board, works)) if factory >= START_FACTORIES else None


def _load(setup: Setup, store: int) -> MoveWord | None:
    stores = setup.board.contents.stores
    if store >= len(stores):
        return None
    return MoveWord(
        words_of(stores[store].id), stores[store].name, element_id=stores[store].id, icon=stores[store].kind
    )


def _card(setup: Setup, number: int) -> MoveWord:
    board: Board = setup.board
    card = board.cards[number]
    return MoveWord(card.word, card_label(board, card), element_id=card.id, icon=card_icon(board, card))


def card_icon(board: Board, card: Card) -> str:
    """Return the icon of the invention on a card."""
    return f"start-card-{card.id}" if card.kind == "start" else f"invention-{board.inventions[card.invention].id}"


def _invention(setup: Setup, number: int) -> MoveWord:
    invention = setup.board.inventions[number]
    return MoveWord(words_of(invention.id), invention.name, element_id=invention.id, icon=f"invention-{invention.id}")


def _field(setup: Setup, field: int) -> MoveWord:
    if field == GOLD:
        return MoveWord("gold", message("gold field"), icon="field-gold")
    return MoveWord("silver", message("silver field"), icon="field-silver")


# --- Counterfeits, with a mix of cubes for "?". ---

_PRODUCE = _verb(Action.PRODUCE, "produce", message("Produce"))


def _mix_words(setup: Setup, number: int, metal: int, technology: int) -> Sequence[MoveWord]:
    tool = tools(setup.board.cards[number], metal, technology)
    if tool < 0:
        return ()
    mix = [(kind, n) for kind, n in ((METAL, metal), (TECHNOLOGY, technology), (TOOL, tool)) if n]
    paid = [
        MoveWord(
            f"{'' if i else 'for '}{n} {KIND_WORDS[kind]}",
            _mix_part_label(amount(setup.board, kind, n), first=i == 0, last=i == len(mix) - 1),
            icon=f"good-{KIND_WORDS[kind]}",
            question=message("What will you pay with?"),
        )
        for i, (kind, n) in enumerate(mix)
    ]
    card = _CARD.word(setup, number)
    assert card is not None  # noqa: S101 - every number has a card
    return (_PRODUCE(setup), card, *paid)


def tools(card: Card, metal: int, technology: int) -> int:
    """Return the number of tools in the mix of a counterfeit; negative if there is no such mix."""
    return card.any - metal - technology


def _mix_part_label(goods: Message, *, first: bool, last: bool) -> Message:
    """Return the label of a part of a mix.

    A part that others must follow ends with "…", because it would look like a lower price otherwise.
    """
    if first:
        return message("for {goods}", goods=goods) if last else message("for {goods} and …", goods=goods)
    return goods if last else message("{goods} and …", goods=goods)


# --- Exchanges; the kinds given may be named in any order. ---

_EXCHANGE = _verb(Action.MARKET, "exchange", message("Exchange"))

Exchanged = tuple[int, Sequence[int], Sequence[int]]
"""A box of the market, and the kinds given and received, piece by piece."""


def _exchange_line(setup: Setup, line: int) -> Exchanged | None:
    if line >= len(setup.board.exchanges):
        return None
    exchange = setup.board.exchanges[line]
    return (
        exchange.box,
        tuple(exchange.pieces),
        tuple(kind for kind, number in enumerate(exchange.get) for _ in range(number)),
    )


def _exchange_two(setup: Setup, first: int, second: int, received: int) -> Exchanged | None:
    return (setup.board.free_box, (first, second), (received,)) if first <= second else None


def _exchange(name: str, exchange: Callable[..., Exchanged | None], *parameters: Parameter) -> MoveKind:
    def words(setup: Setup, *args: int) -> Sequence[MoveWord]:
        exchanged = exchange(setup, *args)
        return _exchange_words(setup, *exchanged) if exchanged is not None else ()

    def orders(setup: Setup, *args: int) -> Sequence[tuple[MoveWord, ...]]:
        exchanged = exchange(setup, *args)
        if exchanged is None:
            return ()
        box, given_kinds, received_kinds = exchanged
        orderings = dict.fromkeys(permutations(given_kinds))
        return [_exchange_words(setup, box, order, received_kinds) for order in orderings if order != given_kinds]

    return MoveKind(name, None, *parameters, words=words, orders=orders)


def _exchange_words(
    setup: Setup, box: int, given_kinds: Sequence[int], received_kinds: Sequence[int]
) -> tuple[MoveWord, ...]:
    board: Board = setup.board
    pieces = [
        MoveWord(
            KIND_WORDS[kind],
            message("and {good}", good=one_good(board, kind)) if i else one_good(board, kind),
            element_id=f"own-{KIND_WORDS[kind]}",
            icon=f"good-{KIND_WORDS[kind]}",
            question=message("What else will you give?") if i else message("What will you give?"),
        )
        for i, kind in enumerate(given_kinds)
    ]
    kind = received_kinds[0]
    label = message("for {goods}", goods=amount(board, kind, len(received_kinds)))
    icon = {INFLUENCE: "influence", BONUS_DISC: "bonus-disc"}.get(kind) or f"good-{KIND_WORDS[kind]}"
    element_id = market_place(board, box)
    text = "for " + " ".join(GET_WORDS[kind] for kind in received_kinds)
    last = MoveWord(text, label, element_id=element_id, icon=icon, question=message("What will you get?"))
    return (_EXCHANGE(setup), *pieces, last)


# --- The move space. ---

_ACTION = Parameter("action", ACTIONS, _action, message("Which action field?"))
_WHICH_CARD = message("Which card will you produce?")
_CARD = Parameter("card", CARDS, _card, _WHICH_CARD)
_FACTORY = message("Which factory?")
_MIX = [Parameter("metal", MAX_MIX_CUBES + 1), Parameter("technology", MAX_MIX_CUBES + 1)]
_FIELD = [
    Parameter("invention", INVENTIONS, _invention, message("Which invention?")),
    Parameter("field", 2, _field, message("Gold or silver?")),
]
_BOTH = ("invention", "field")
_PATENT = MoveWord("patent", message("Register a patent"), element_id=PATENT_TRACK, icon="patent")

SPACE = MoveSpace(
    MoveKind("place", message("Place a disc"), _ACTION),
    MoveKind("use", message("Carry out"), _ACTION),
    MoveKind("take back", message("Take the disc back unused"), _ACTION, rare=True),
    MoveKind(
        "build", _verb(Action.BUILD, "build", message("Build")), Parameter("factory", FACTORIES, _to_build, _FACTORY)
    ),
    MoveKind(
        "run",
        _verb(Action.YIELD, "run", message("Produce with one factory:")),
        Parameter("factory", FACTORIES, _to_run, _FACTORY),
    ),
    MoveKind(
        "buy",
        _verb(Action.BUY, "buy", message("Buy a load:")),
        Parameter("store", MAX_STORES, _load, message("Which load?")),
    ),
    MoveKind("produce", _PRODUCE, Parameter("card", FIRST_COUNTERFEIT, _card, _WHICH_CARD)),
    MoveKind(
        "produce counterfeit", None, Parameter("card", range(FIRST_COUNTERFEIT, CARDS), _card), *_MIX, words=_mix_words
    ),
    _exchange("exchange", _exchange_line, Parameter("line", MAX_LINES)),
    _exchange("exchange two", _exchange_two, *(Parameter(name, EXCHANGEABLE) for name in ("one", "two", "got"))),
    MoveKind(
        "take stone",
        MoveWord("take stone", message("Take a development stone"), element_id=MARKET_STONE, icon="good-stone"),
    ),
    MoveKind("develop", _verb(Action.DEVELOP, "develop", message("Develop")), *_FIELD, counted=[_BOTH]),
    MoveKind("patent", _PATENT, *_FIELD, counted=[_BOTH]),
    MoveKind("patent nothing", None, words=lambda setup: (_PATENT, MoveWord("nothing", message("without a marker")))),
    MoveKind("done", message("Done")),
    MoveKind("keep", MoveWord("keep bonus disc", message("Skip the bonus disc"))),
)
(
    PLACE, USE, TAKE_BACK, BUILD_FACTORY, TAKE_YIELD, BUY_LOAD, PRODUCE_CARD, PRODUCE_COUNTERFEIT, EXCHANGE_LINE,
    EXCHANGE_TWO, TAKE_STONE, DEVELOP_FIELD, PATENT_FIELD, PATENT_NOTHING, DONE, KEEP,
) = SPACE.codes  # fmt: skip
kind_of, part, number = SPACE.kind_of, SPACE.part, SPACE.number


def draw_words(setup: Setup) -> Sequence[str]:
    """Return the texts of the draws: an invention card, a factory card, the start player."""
    board: Board = setup.board
    cards, works = [card.word for card in board.cards], [works.word for works in board.works]
    return [*cards, *works, *(f"seat {p + 1}" for p in range(setup.seats))]
