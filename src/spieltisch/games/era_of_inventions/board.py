"""The components in a form for rules, moves and drawing: numbered, as rows of numbers, with their words."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.games.era_of_inventions.component_file import Contents, Goods, Invention

GOODS: Final = ("wood", "coal", "metal", "technology", "tool", "coin", "stone")
"""The kinds of goods in the order of their numbers: cubes first, then coins and development stones."""

Row: TypeAlias = tuple[int, ...]
"""A number of pieces for each kind of goods; a gain continues with influence, an exchange also with bonus discs."""

CARDS: Final = "ab"
"""The letters of the two official cards of an invention."""


@dataclass(frozen=True)
class Card:
    """A card of the invention row.

    Start cards have the first numbers, then official cards, then counterfeits.
    """

    number: int
    id: str
    kind: Literal["start", "official", "counterfeit"]
    name: Name
    """The name of a start card; for other cards the name of their invention."""
    letter: str
    """The letter that distinguishes the two official cards, "a" or "b"; empty for other cards."""
    invention: int
    """The number of the invention; -1 for a start card."""
    cost: Row
    any: int
    """The number of cubes marked "?" in the cost."""
    gain: Row
    """The goods, then the influence."""

    @property
    def word(self) -> str:
        """The text that names the card in moves.

        >>> import spieltisch
        >>> board(spieltisch.game("era-of-inventions").components).cards[12].word
        'cash register a'
        """
        return words_of(self.id)


@dataclass(frozen=True)
class FactoryTile:
    """A factory.

    The start factories have the first numbers, in the order of the colours.
    """

    number: int
    id: str
    name: Name
    cost: Row
    output: Row
    influence: int

    @property
    def word(self) -> str:
        """The text of the factory in moves."""
        return words_of(self.id)


@dataclass(frozen=True)
class Exchange:
    """A line of the market other than "any two for another".

    `give` are the goods given, `get` the goods, influence and bonus discs received.
    """

    number: int
    box: int
    give: Row
    get: Row

    @property
    def pieces(self) -> list[int]:
        """The kinds of the pieces given, one entry for each piece."""
        return [kind for kind, count in enumerate(self.give) for _ in range(count)]


@dataclass(frozen=True)
class Board:
    """The contents of a component file, made by `board`."""

    contents: Contents
    cards: tuple[Card, ...]
    works: tuple[FactoryTile, ...]
    exchanges: tuple[Exchange, ...]
    free_box: int
    """The box in which any two pieces are exchanged for another (E33)."""

    @cached_property
    def inventions(self) -> tuple[Invention, ...]:
        """The inventions by number."""
        return self.contents.inventions

    @cached_property
    def kinds(self) -> tuple[Name, ...]:
        """The names of the goods by number."""
        return tuple(good.name for good in self.contents.goods)


def words_of(id: str) -> str:  # noqa: A002 - the field is named so in the file
    """Return an id as it is written in moves."""
    return id.replace("-", " ")


def row(goods: Goods) -> Row:
    """Return the numbers of pieces in the order of `GOODS`."""
    return tuple(getattr(goods, kind) for kind in GOODS)


def board(components: Components[Contents]) -> Board:
    """Return the board for components that `components.read` has checked."""
    contents = components.contents
    lines = [(b, line) for b, box in enumerate(contents.market) for line in box.lines]
    fixed = [(b, line) for b, line in lines if not line.give.any]
    return Board(
        contents=contents,
        cards=_cards(contents),
        works=_works(contents),
        exchanges=tuple(
            Exchange(n, b, row(line.give), (*row(line.get), line.get.influence, line.get.bonus_disc))
            for n, (b, line) in enumerate(fixed)
        ),
        free_box=next(b for b, line in lines if line.give.any),
    )


def _cards(contents: Contents) -> tuple[Card, ...]:
    """Return the cards by number."""
    names = {invention.id: (n, invention.name) for n, invention in enumerate(contents.inventions)}
    cards = [
        Card(n, card.id, "start", card.name, "", -1, row(card.cost), 0, (*row(card.gain), card.gain.influence))
        for n, card in enumerate(contents.start_cards)
    ]
    official_counts: dict[int, int] = {}
    for kind in ("official", "counterfeit"):
        for card in contents.invention_cards:
            if card.kind != kind:
                continue
            invention, name = names[card.invention]
            letter = ""
            if kind == "official":
                letter = CARDS[official_counts.get(invention, 0)]
                official_counts[invention] = official_counts.get(invention, 0) + 1
            gain, cost = (*row(card.gain), card.gain.influence), card.cost
            cards.append(Card(len(cards), card.id, card.kind, name, letter, invention, row(cost), cost.any, gain))
    return tuple(cards)


def _works(contents: Contents) -> tuple[FactoryTile, ...]:
    """Return the factories by number."""
    colours = [colour.id for colour in contents.colours]
    start_factories = sorted(contents.start_factories, key=lambda factory: colours.index(factory.colour))
    tiles = [
        FactoryTile(n, factory.id, factory.name, (0,) * len(GOODS), row(factory.output), 0)
        for n, factory in enumerate(start_factories)
    ]
    for card in contents.factories:
        tiles.append(FactoryTile(len(tiles), card.id, card.name, row(card.cost), row(card.output), card.influence))
    return tuple(tiles)
