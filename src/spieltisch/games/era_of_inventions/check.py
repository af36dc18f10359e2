"""What Era of Inventions cannot be played with: numbers out of bounds, cards too few, words that mean two things."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from spieltisch.core.components import Components, Finding
from spieltisch.core.toml_lines import Steps
from spieltisch.core.words import LANGUAGES, Message, message
from spieltisch.games.era_of_inventions.board import GOODS, row
from spieltisch.games.era_of_inventions.contents import Contents, Goods

SEATS: Final = range(3, 6)
FIELDS: Final = ("gold", "silver")
MOST_ANY: Final = 7
MOST_STORES: Final = 8
MOST_LINES: Final = 8
MOST_STEPS: Final = 8
MOST_SPACES: Final = 200
COUNTS: Final = {
    "goods": 7,
    "colours": 5,
    "players": 3,
    "actions": 6,
    "market": 3,
    "inventions": 9,
    "invention_cards": 27,
    "start_cards": 12,
    "start_factories": 5,
    "factories": 24,
}
"""Tables of which there are always as many."""

Wrong: TypeAlias = Iterator[tuple[Steps, Message]]
"""Steps to a value of the file, and what is wrong with it."""


def check(components: Components[Contents]) -> list[Finding]:
    """Everything that keeps a game from being played with these components; empty when all is well."""
    contents = components.contents
    wrong = [found for look in _LOOKS for found in look(contents)]
    return [components.finding(steps, what) for steps, what in wrong]


def _counts(contents: Contents) -> Wrong:
    for table, wanted in COUNTS.items():
        number = len(getattr(contents, table))
        if number != wanted:
            yield (
                (table,),
                message("There must be {wanted} of these, and there are {number}.", wanted=wanted, number=number),
            )
    for table, most in (("stores", MOST_STORES), ("patent_steps", MOST_STEPS)):
        number = len(getattr(contents, table))
        if not 1 <= number <= most:
            yield (
                (table,),
                message("There must be 1 to {most} of these, and there are {number}.", most=most, number=number),
            )


def _ids(contents: Contents) -> Wrong:
    seen: dict[str, str] = {}
    for table in ("colours", "actions", "market", "stores", "inventions", "invention_cards", "start_cards",
                  "start_factories", "factories"):  # fmt: skip
        for index, its in enumerate(getattr(contents, table)):
            steps = (table, index, "id")
            if not re.fullmatch(r"[a-z0-9-]+", its.id):
                yield steps, message("{id} may hold small letters a to z, digits and hyphens only.", id=its.id)
            elif table != "inventions" and seen.setdefault(its.id, table) != table:
                yield steps, message("{id} is the word for something else, too.", id=its.id)
    for index, good in enumerate(contents.goods):
        if index < len(GOODS) and good.id != GOODS[index]:
            yield ("goods", index, "id"), message("Here stands {id}; the kinds come in their order.", id=GOODS[index])


def _numbers(contents: Contents) -> Wrong:
    for steps, number, least, most in _bounds(contents):
        if not least <= number <= most:
            yield steps, message("{number} is not from {least} to {most}.", number=number, least=least, most=most)


def _bounds(contents: Contents) -> Iterator[tuple[Steps, int, int, int]]:
    for i, good in enumerate(contents.goods):
        yield ("goods", i, "total"), good.total, 0, 999
    yield ("box", "bonus_discs"), contents.box.bonus_discs, 0, 99
    yield ("box", "invention_markers"), contents.box.invention_markers, 1, 99
    for i, count in enumerate(contents.players):
        yield ("players", i, "players"), count.players, SEATS.start, SEATS.stop - 1
        yield ("players", i, "action_discs"), count.action_discs, 1, 12 // max(count.players, 1)
        yield ("players", i, "bonus_discs"), count.bonus_discs, 0, contents.box.bonus_discs // max(count.players, 1)
        yield ("players", i, "rounds"), count.rounds, 1, 20
    yield from _goods(("start", "goods"), contents.start.goods)
    for name in type(contents.limits).__struct_fields__:
        yield ("limits", name), getattr(contents.limits, name), 0 if name == "load_price" else 1, 99
    yield ("rows", "inventions_leave"), contents.rows.inventions_leave, 0, 7
    yield ("rows", "factories_leave"), contents.rows.factories_leave, 0, 5
    for i, box in enumerate(contents.market):
        yield ("market", i, "most"), box.most, 1, 99
        for j, line in enumerate(box.lines):
            yield from _goods(("market", i, "lines", j, "give"), line.give)
            yield from _goods(("market", i, "lines", j, "get"), line.get)
    for i, step in enumerate(contents.patent_steps):
        yield ("patent_steps", i, "step"), step.step, i + 1, i + 1
        yield ("patent_steps", i, "coins"), step.coins, 0, 99
        yield ("patent_steps", i, "influence"), step.influence, 0, 99
    yield ("track", "spaces"), contents.track.spaces, 1, MOST_SPACES
    for i, symbol in enumerate(contents.symbols):
        yield ("symbols", i, "space"), symbol.space, 0, contents.track.spaces - 1
    for i, store in enumerate(contents.stores):
        yield ("stores", i, "fill"), store.fill, 0, 99
        yield ("stores", i, "add"), store.add, 0, 99
    yield from _card_bounds(contents)
    for name in type(contents.bonuses).__struct_fields__:
        yield ("bonuses", name), getattr(contents.bonuses, name), 0, 99


def _card_bounds(contents: Contents) -> Iterator[tuple[Steps, int, int, int]]:
    for i, invention in enumerate(contents.inventions):
        for name in FIELDS:
            field = getattr(invention, name)
            yield ("inventions", i, name, "stones"), field.stones, 0, 99
            yield ("inventions", i, name, "influence"), field.influence, 0, 99
            yield from _goods(("inventions", i, name, "reward"), field.reward)
    for i, card in enumerate(contents.invention_cards):
        yield from _goods(("invention_cards", i, "cost"), card.cost)
        yield from _goods(("invention_cards", i, "gain"), card.gain)
    for i, start in enumerate(contents.start_cards):
        yield from _goods(("start_cards", i, "cost"), start.cost)
        yield from _goods(("start_cards", i, "gain"), start.gain)
    for i, begun in enumerate(contents.start_factories):
        yield from _goods(("start_factories", i, "output"), begun.output)
    for i, works in enumerate(contents.factories):
        yield from _goods(("factories", i, "cost"), works.cost)
        yield from _goods(("factories", i, "output"), works.output)
        yield ("factories", i, "influence"), works.influence, 0, 99


def _goods(steps: Steps, goods: Goods) -> Iterator[tuple[Steps, int, int, int]]:
    for kind in type(goods).__struct_fields__:
        most = MOST_ANY if kind == "any" else 99
        yield (*steps, kind), getattr(goods, kind), 0, most


def _players(contents: Contents) -> Wrong:
    for seats in SEATS:
        if all(count.players != seats for count in contents.players):
            yield ("players",), message("The numbers for {seats} players are missing.", seats=seats)


def _names_of_goods(contents: Contents) -> Wrong:
    for i, symbol in enumerate(contents.symbols):
        if symbol.good not in GOODS:
            yield ("symbols", i, "good"), message("{id} is no kind of goods.", id=symbol.good)
    for i, store in enumerate(contents.stores):
        if store.good not in GOODS[:5]:
            yield ("stores", i, "good"), message("{id} is no kind of cubes.", id=store.good)


def _cards(contents: Contents) -> Wrong:
    known = {its.id for its in contents.inventions}
    kinds = Counter((card.invention, card.kind) for card in contents.invention_cards)
    for i, card in enumerate(contents.invention_cards):
        if card.invention not in known:
            yield ("invention_cards", i, "invention"), message("There is no invention {id}.", id=card.invention)
        elif kinds[card.invention, card.kind] != (2 if card.kind == "official" else 1):
            yield (
                ("invention_cards", i, "kind"),
                message("Each invention has two official cards and one counterfeit."),
            )
        if card.kind == "official" and card.cost.any:
            yield ("invention_cards", i, "cost", "any"), message("Only a counterfeit leaves the choice of cubes.")
        if card.kind == "counterfeit" and (not card.cost.any or sum(row(card.cost)) != card.cost.coal):
            yield ("invention_cards", i, "cost"), message("A counterfeit costs cubes of choice, and coal.")
    colours = [colour.id for colour in contents.colours]
    if sorted(its.colour for its in contents.start_factories) != sorted(colours):
        yield ("start_factories",), message("Each colour has one factory to begin with.")


def _market(contents: Contents) -> Wrong:
    lines = [((i, j), line) for i, box in enumerate(contents.market) for j, line in enumerate(box.lines)]
    free = [place for place, line in lines if line.give.any or line.get.other]
    if len(free) != 1:
        yield ("market",), message("One line exchanges any two goods for another one, and only one.")
    if len(lines) - len(free) > MOST_LINES:
        yield ("market",), message("There are more than {most} lines.", most=MOST_LINES)
    seen: set[tuple[int, ...]] = set()
    for (i, j), line in lines:
        steps = ("market", i, "lines", j)
        give, get = row(line.give), (*row(line.get), line.get.influence, line.get.bonus_disc)
        if (i, j) in free:
            if (line.give.any, line.get.other) != (2, 1) or any(give) or any(get):
                yield steps, message("This line gives any two and gets one other.")
        elif not 1 <= sum(give) <= 9 or not 1 <= sum(get) <= 9:
            yield steps, message("An exchange gives something and gets something, at most {most} pieces.", most=9)
        elif (*give, *get) in seen or (sum(give) == 2 and not give[6] and sum(get) == 1 and sum(get[:6]) == 1):
            yield steps, message("This exchange is there twice.")
        seen.add((*give, *get))


def _marks(contents: Contents) -> Wrong:
    """Each kind of goods has a letter of its own, each colour a letter and a pattern: nobody has to see colours."""
    for table in ("goods", "colours"):
        for language in LANGUAGES:
            seen: set[str] = set()
            for i, its in enumerate(getattr(contents, table)):
                letter, steps = its.short.text(language), (table, i, "short", language)
                if len(letter) != 1 or not letter.isupper():
                    yield steps, message("The letter on a sign is one capital letter.")
                elif letter in seen:
                    yield steps, message("The sign of something else bears {mark}.", mark=letter)
                seen.add(letter)
    for i, colour in enumerate(contents.colours):
        if any(other.pattern == colour.pattern for other in contents.colours[:i]):
            yield ("colours", i, "pattern"), message("The sign of something else bears {mark}.", mark=colour.pattern)
        for key, ink in (("ink", colour.ink), ("ink_dark", colour.ink_dark)):
            if not re.fullmatch(r"#[0-9a-fA-F]{6}", ink):
                yield ("colours", i, key), message("A colour is written like {example}.", example="#a7373a")


_LOOKS: Final[tuple[Callable[[Contents], Wrong], ...]] = (
    _counts,
    _ids,
    _numbers,
    _players,
    _names_of_goods,
    _cards,
    _market,
    _marks,
)
