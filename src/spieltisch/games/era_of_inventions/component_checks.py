"""Checks of a component file of Era of Inventions, beyond the bounds of single values.

They find cards that do not match each other and ids with two meanings.
"""

from collections import Counter
from typing import Final

from spieltisch.core.component_checks import Problems, check_distinct, check_player_counts, check_range
from spieltisch.core.words import LANGUAGES, message
from spieltisch.games.era_of_inventions.board import GOODS, row
from spieltisch.games.era_of_inventions.component_file import SEATS, Contents
from spieltisch.games.era_of_inventions.state import MAX_LINES


def _ids(contents: Contents) -> Problems:
    """Check that no id has two meanings and that the goods are in their order."""
    seen: dict[str, str] = {}
    for table in ("colours", "actions", "market", "stores", "inventions", "invention_cards", "start_cards",
                  "start_factories", "factories"):  # fmt: skip
        for index, entry in enumerate(getattr(contents, table)):
            if table != "inventions" and seen.setdefault(entry.id, table) != table:
                yield (table, index, "id"), message("{id} is already used for something else.", id=entry.id)
    for index, good in enumerate(contents.goods):
        if index < len(GOODS) and good.id != GOODS[index]:
            yield ("goods", index, "id"), message("{id} belongs here: the kinds have a fixed order.", id=GOODS[index])


def _numbers(contents: Contents) -> Problems:
    """Check the numbers of players, discs, steps of the patent track and spaces of symbols."""
    yield from check_player_counts(contents.players, SEATS)
    for i, count in enumerate(contents.players):
        seats = max(count.players, 1)
        yield from check_range(("players", i, "action_discs"), count.action_discs, 1, 12 // seats)
        yield from check_range(("players", i, "bonus_discs"), count.bonus_discs, 0, contents.box.bonus_discs // seats)
    for i, step in enumerate(contents.patent_steps):
        yield from check_range(("patent_steps", i, "step"), step.step, i + 1, i + 1)
    for i, symbol in enumerate(contents.symbols):
        yield from check_range(("symbols", i, "space"), symbol.space, 0, contents.track.spaces - 1)


def _supply(contents: Contents) -> Problems:
    """Check that the box holds what the set-up deals to the most players and into the stores."""
    for i, (good, start) in enumerate(zip(contents.goods, row(contents.start.goods), strict=True)):
        dealt = SEATS[-1] * start + sum(store.fill for store in contents.stores if store.good == good.id)
        if dealt > good.total:
            yield (
                ("goods", i, "total"),
                message(
                    "The set-up deals up to {dealt}, but the box holds only {total}.", dealt=dealt, total=good.total
                ),
            )


def _names_of_goods(contents: Contents) -> Problems:
    """Check that symbols and stores name kinds of goods and cubes."""
    for i, symbol in enumerate(contents.symbols):
        if symbol.good not in GOODS:
            yield ("symbols", i, "good"), message("{id} is not one of the goods.", id=symbol.good)
    for i, store in enumerate(contents.stores):
        if store.good not in GOODS[:5]:
            yield ("stores", i, "good"), message("{id} is not a kind of cube.", id=store.good)


def _cards(contents: Contents) -> Problems:
    """Check the cards of each invention, their costs, and the start factories of the colours."""
    known = {invention.id for invention in contents.inventions}
    kinds = Counter((card.invention, card.kind) for card in contents.invention_cards)
    for i, card in enumerate(contents.invention_cards):
        if card.invention not in known:
            yield ("invention_cards", i, "invention"), message("Unknown invention: {id}.", id=card.invention)
        elif kinds[card.invention, card.kind] != (2 if card.kind == "official" else 1):
            yield (
                ("invention_cards", i, "kind"),
                message("Each invention needs two official cards and one counterfeit."),
            )
        if card.kind == "official" and card.cost.any:
            yield ("invention_cards", i, "cost", "any"), message("Only a counterfeit can cost cubes of your choice.")
        if card.kind == "counterfeit" and (not card.cost.any or sum(row(card.cost)) != card.cost.coal):
            yield (
                ("invention_cards", i, "cost"),
                message("A counterfeit costs cubes of your choice and coal, nothing else."),
            )
    colours = [colour.id for colour in contents.colours]
    if sorted(factory.colour for factory in contents.start_factories) != sorted(colours):
        yield ("start_factories",), message("Each colour needs exactly one start factory.")


def _market(contents: Contents) -> Problems:
    """Check that one line exchanges any two goods, and that the other lines are valid and distinct."""
    lines = [((i, j), line) for i, box in enumerate(contents.market) for j, line in enumerate(box.lines)]
    free = [location for location, line in lines if line.give.any or line.get.other]
    if len(free) != 1:
        yield ("market",), message("Exactly one line must exchange any two goods for another.")
    if len(lines) - len(free) > MAX_LINES:
        yield ("market",), message("Too many lines: at most {most} are allowed.", most=MAX_LINES)
    seen: set[tuple[int, ...]] = set()
    for (i, j), line in lines:
        steps = ("market", i, "lines", j)
        give, get = row(line.give), (*row(line.get), line.get.influence, line.get.bonus_disc)
        if (i, j) in free:
            if (line.give.any, line.get.other) != (2, 1) or any(give) or any(get):
                yield steps, message("This line must exchange any two goods for one other.")
        elif not 1 <= sum(give) <= 9 or not 1 <= sum(get) <= 9:
            yield steps, message("Each side of an exchange must have 1 to {most} pieces.", most=9)
        elif (*give, *get) in seen or (sum(give) == 2 and not give[6] and sum(get) == 1 and sum(get[:6]) == 1):
            yield steps, message("This exchange is listed twice.")
        seen.add((*give, *get))


def _marks(contents: Contents) -> Problems:
    """Check that no colours need to be recognised.

    Each kind of goods has its own letter; each colour has its own letter and pattern.
    """
    for table in ("goods", "colours"):
        for i, entry in enumerate(getattr(contents, table)):
            for language in LANGUAGES:
                letter = entry.short.text(language)
                if len(letter) != 1 or not letter.isupper():
                    yield (
                        (table, i, "short", language),
                        message("The letter on an icon must be a single capital letter."),
                    )
    yield from check_distinct("goods", contents.goods, "short")
    yield from check_distinct("colours", contents.colours, "short", "pattern")


CHECKS: Final = ((_ids, _numbers, _supply, _names_of_goods, _cards, _market, _marks),)
