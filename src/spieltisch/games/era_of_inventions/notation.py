"""The moves of Era of Inventions in words.

`place build factories`, `use build factories`, `take back build factories`; the steps of an action: `build coal mine
1`, `buy metal ship`, `produce telephone a`, `produce car counterfeit for 3 metal 1 tool`, `exchange wood coin for
tool`, `take stone`, `develop telephone gold`, `patent telephone gold`, `patent nothing`, `done`; after an action disc
any of these as a bonus disc, or `run coal mine 1`, or `keep bonus disc`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from spieltisch.core.moves import Word
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message
from spieltisch.games.era_of_inventions.amounts import amount, card_label, factory_label, one_good
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, Card, Works, words_of
from spieltisch.games.era_of_inventions.numbers import (
    BUILD_ONE,
    BUY_ONE,
    DEVELOP_ONE,
    DONE,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    KEEP,
    KINDS,
    PATENT_NOTHING,
    PATENT_ONE,
    PLACE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    RUN_ONE,
    SIDE,
    TAKE_BACK,
    TAKE_STONE,
    USE,
)
from spieltisch.games.era_of_inventions.state import (
    BONUS_DISC,
    BUILD,
    BUY,
    DEVELOP,
    FIRST_COUNTERFEIT,
    GOLD,
    INFLUENCE,
    MARKET,
    METAL,
    PRODUCE,
    START_FACTORIES,
    TECHNOLOGY,
    TOOL,
    YIELD,
)

GET_WORDS = (*KIND_WORDS, "influence", "bonus disc")


def mix_of(board: Board, number: int) -> tuple[int, int, int, int]:
    """The card, metal, technology and tools of producing a counterfeit; tools below zero: there is no such mix."""
    at = number - PRODUCE_MIX
    card = FIRST_COUNTERFEIT + at // (SIDE * SIDE)
    metal, technology = at // SIDE % SIDE, at % SIDE
    return card, metal, technology, board.cards[card].any - metal - technology


MARKET_STONE = "market-stone"
PATENT_TRACK = "patent-track"
"""Places on the board besides the cards, fields, stores and inventions, which are places by their ids."""


def market_place(board: Board, box: int) -> str:
    """A box of the market as a place on the board."""
    return f"market-{board.contents.market[box].id}"


def two_of(number: int) -> tuple[int, int, int]:
    """The two kinds given and the one received."""
    two = number - EXCHANGE_ANY
    return two // (KINDS * KINDS), two // KINDS % KINDS, two % KINDS


def words(setup: Setup, number: int) -> tuple[Word, ...]:
    """The words of a move; empty when it has none on this board."""
    board: Board = setup.board
    if number < BUILD_ONE:
        return _disc_words(board, number)
    if number < PRODUCE_ONE:
        return _factory_words(board, number)
    if number < EXCHANGE_LINE:
        return _card_words(board, number)
    if number < DEVELOP_ONE:
        return _market_words(board, number)
    return _field_words(board, number)


def turned(setup: Setup, number: int) -> tuple[tuple[Word, ...], ...]:
    """The words of an exchange with what is given in another order."""
    exchange = _exchange(setup.board, number)
    if exchange is None:
        return ()
    box, given, got = exchange
    orders = dict.fromkeys(permutations(given))
    return tuple(_exchange_words(setup.board, box, order, got) for order in orders if order != given)


def _disc_words(board: Board, number: int) -> tuple[Word, ...]:
    if number < USE:
        verb, index = Word("place", message("Place a disc")), number - PLACE
    elif number < TAKE_BACK:
        verb, index = Word("use", message("Carry out")), number - USE
    else:
        verb, index = Word("take back", message("Take the disc back unused")), number - TAKE_BACK
    action = board.contents.actions[index]
    return (verb, Word(words_of(action.id), action.name, place=action.id, mark=f"action-{action.id}"))


def _factory_words(board: Board, number: int) -> tuple[Word, ...]:
    if number < RUN_ONE:
        works = board.works[number - BUILD_ONE]
        if works.number < START_FACTORIES:
            return ()
        return (_verb(board, BUILD, "build", message("Build")), _factory(board, works))
    if number < BUY_ONE:
        works = board.works[number - RUN_ONE]
        return (_verb(board, YIELD, "run", message("Take the yield of")), _factory(board, works))
    if number - BUY_ONE >= len(board.contents.stores):
        return ()
    store = board.contents.stores[number - BUY_ONE]
    load = Word(words_of(store.id), store.name, place=store.id, mark=store.kind)
    return (_verb(board, BUY, "buy", message("Buy the load of")), load)


def _verb(board: Board, action: int, text: str, label: Message) -> Word:
    """What begins a step of an action, with the action's sign."""
    return Word(text, label, mark=f"action-{board.contents.actions[action].id}")


def _factory(board: Board, works: Works) -> Word:
    return Word(works.word, factory_label(board, works), place=works.id, mark="factory")


def _card_words(board: Board, number: int) -> tuple[Word, ...]:
    verb = _verb(board, PRODUCE, "produce", message("Produce"))
    if number < PRODUCE_MIX:
        card = board.cards[number - PRODUCE_ONE]
        return (verb, _card(board, card))
    index, metal, technology, tool = mix_of(board, number)
    if tool < 0:
        return ()
    card = board.cards[index]
    mix = [(kind, n) for kind, n in ((METAL, metal), (TECHNOLOGY, technology), (TOOL, tool)) if n]
    paid = [
        Word(
            f"{'' if i else 'for '}{n} {KIND_WORDS[kind]}",
            _paid(amount(board, kind, n), first=i == 0, last=i == len(mix) - 1),
            mark=f"good-{KIND_WORDS[kind]}",
        )
        for i, (kind, n) in enumerate(mix)
    ]
    return (verb, _card(board, card), *paid)


def _card(board: Board, card: Card) -> Word:
    mark = "start-card" if card.kind == "start" else f"invention-{board.inventions[card.invention].id}"
    return Word(card.word, card_label(board, card), place=card.id, mark=mark)


def _paid(goods: Message, *, first: bool, last: bool) -> Message:
    """A part of a mix; one that more must follow says so, or it would look like a lower price."""
    if first:
        return message("for {goods}", goods=goods) if last else message("for {goods} and …", goods=goods)
    return goods if last else message("{goods} and …", goods=goods)


def _market_words(board: Board, number: int) -> tuple[Word, ...]:
    if number == TAKE_STONE:
        return (Word("take stone", message("Take a development stone"), place=MARKET_STONE, mark="good-stone"),)
    exchange = _exchange(board, number)
    return _exchange_words(board, *exchange) if exchange is not None else ()


def _exchange(board: Board, number: int) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """The box of an exchange and what it gives and gets, piece by piece; None when it is none on this board."""
    if EXCHANGE_LINE <= number < EXCHANGE_ANY and number - EXCHANGE_LINE < len(board.exchanges):
        line = board.exchanges[number - EXCHANGE_LINE]
        return line.box, tuple(line.pieces), tuple(kind for kind, many in enumerate(line.get) for _ in range(many))
    if EXCHANGE_ANY <= number < TAKE_STONE:
        one, two, third = two_of(number)
        return (board.free_box, (one, two), (third,)) if one <= two else None
    return None


def _exchange_words(board: Board, box: int, given: Sequence[int], got: Sequence[int]) -> tuple[Word, ...]:
    pieces = [
        Word(
            KIND_WORDS[kind],
            message("and {good}", good=one_good(board, kind)) if i else one_good(board, kind),
            mark=f"good-{KIND_WORDS[kind]}",
        )
        for i, kind in enumerate(given)
    ]
    kind = got[0]
    label = message("for {goods}", goods=amount(board, kind, len(got)))
    mark = {INFLUENCE: "influence", BONUS_DISC: "bonus-disc"}.get(kind) or f"good-{KIND_WORDS[kind]}"
    place = market_place(board, box)
    last = Word("for " + " ".join(GET_WORDS[kind] for kind in got), label, place=place, mark=mark)
    return (_verb(board, MARKET, "exchange", message("Exchange")), *pieces, last)


def _field_words(board: Board, number: int) -> tuple[Word, ...]:
    if number == DONE:
        return (Word("done", message("Done")),)
    if number == KEEP:
        return (Word("keep bonus disc", message("Use no bonus disc")),)
    patents = Word("patent", message("Register a patent"), place=PATENT_TRACK, mark="patent")
    if number == PATENT_NOTHING:
        return (patents, Word("nothing", message("without a marker")))
    if number > KEEP:
        return ()
    verb = patents if number >= PATENT_ONE else _verb(board, DEVELOP, "develop", message("Develop"))
    its, k = divmod(number - (PATENT_ONE if number >= PATENT_ONE else DEVELOP_ONE), 2)
    invention = board.inventions[its]
    gold = Word("gold", message("gold field"), mark="field-gold")
    field = gold if k == GOLD else Word("silver", message("silver field"), mark="field-silver")
    name = Word(words_of(invention.id), invention.name, place=invention.id, mark=f"invention-{invention.id}")
    return (verb, name, field)


def draw_words(setup: Setup) -> Sequence[str]:
    """What chance can give: an invention card, a factory card, the start player."""
    board: Board = setup.board
    cards, works = [card.word for card in board.cards], [works.word for works in board.works]
    return [*cards, *works, *(f"seat {p + 1}" for p in range(setup.seats))]
