"""The form of a component file of Era of Inventions; `components.toml` next to this module is the default one."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Pattern
from spieltisch.core.words import Name
from spieltisch.games.era_of_inventions import state

SEATS: Final = range(3, state.MAX_SEATS + 1)
"""The supported numbers of players."""
COLOURS: Final = state.MAX_SEATS
"""The number of players' colours in a file."""
OF_INVENTIONS: Final = state.CARDS - state.START_CARDS
"""The number of cards of inventions in a file: official cards and counterfeits."""
FACTORY_CARDS: Final = state.FACTORIES - state.START_FACTORIES
"""The number of factory cards in a file, without the start factories."""

SmallCount: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
PositiveCount: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
ChoiceCount: TypeAlias = Annotated[int, Meta(ge=0, le=7)]
"""A number of cubes of choice; it is limited because a mix of them is part of a move's number."""


class Goods(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of pieces of each kind: five kinds of cubes, coins and development stones; 0 for an omitted kind."""

    wood: SmallCount = 0
    coal: SmallCount = 0
    metal: SmallCount = 0
    technology: SmallCount = 0
    tool: SmallCount = 0
    coin: SmallCount = 0
    stone: SmallCount = 0


class Gain(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gain from a card or a field: goods and influence."""

    influence: SmallCount = 0


class Cost(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cost of a card.

    `any` is the number of cubes marked "?": metal, technology or tool (E27).
    """

    any: ChoiceCount = 0


class ExchangeCost(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pieces given in an exchange.

    `any` is the number of cubes or coins of any kind (E33).
    """

    any: ChoiceCount = 0


class ExchangeGain(Gain, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pieces received in an exchange (E33).

    `other` is the number of cubes or coins of a kind that was not given; `bonus_disc` is the number of bonus discs.
    """

    other: SmallCount = 0
    bonus_disc: SmallCount = 0


class Good(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of goods.

    `id` is its word in moves, `total` the number of pieces in the box, `many` its name in the plural, `short` a letter
    for it, which older files contain. Its icon is recognised by its shape.
    """

    id: str
    short: Name
    total: Annotated[int, Meta(ge=0, le=999)]
    name: Name
    many: Name


class Colour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's colour, with the pattern of its plate.

    `short` is a letter for it, which older files contain.
    """

    id: Id
    short: Name
    pattern: Pattern
    ink: HexColour
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: HexColour
    name: Name


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of the box: bonus discs in total (R8), invention markers of each player (E5)."""

    bonus_discs: SmallCount
    invention_markers: PositiveCount


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings for a number of players: each player's action discs (E2), bonus discs (E4), and the rounds (E54)."""

    players: Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
    action_discs: int
    bonus_discs: int
    rounds: Annotated[int, Meta(ge=1, le=20)]


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The goods with which each player begins (E3)."""

    goods: Goods


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of one action (E18, E21, E22, E30, E34, E38), and the price of a load in coins (E21)."""

    factories: PositiveCount
    loads: PositiveCount
    load_price: SmallCount
    cards: PositiveCount
    exchanges: PositiveCount
    stones: PositiveCount
    patents: PositiveCount


class Rows(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of spaces with an arrow at the far end of each row (E8, E48, E51)."""

    inventions_leave: Annotated[int, Meta(ge=0, le=state.ROW)]
    factories_leave: Annotated[int, Meta(ge=0, le=state.FACTORY_ROW)]


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the six action fields, with its word in moves, its letter in the rules and its name."""

    id: Id
    letter: str
    name: Name


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a box of the market (E31 to E33)."""

    id: str
    give: ExchangeCost
    get: ExchangeGain


class MarketBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A box of the market; one action may use its lines at most `most` times together (E30)."""

    id: Id
    most: PositiveCount
    name: Name
    lines: tuple[Line, ...]


class PatentStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of the patent track (E38)."""

    step: int
    coins: SmallCount
    influence: SmallCount


class Track(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The influence track, with the number of its spaces, which count from 0 (R36)."""

    spaces: Annotated[int, Meta(ge=1, le=state.MAX_SPACES)]


class Symbol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A space of the influence track that gives one piece of a kind (E46)."""

    space: int
    good: str


class Store(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ship or warehouse for one kind of cube.

    An empty one is filled with `fill` cubes, any other with `add` more (E10, E52).
    """

    id: Id
    kind: Literal["ship", "warehouse"]
    good: str
    fill: SmallCount
    add: SmallCount
    name: Name


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gold or silver field of an invention: its cost, its influence (E36), and the reward of its holder (E24)."""

    stones: SmallCount
    influence: SmallCount
    reward: Gain


class Invention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invention: the original in the gold field, the improved one in the silver field."""

    id: Id
    name: Name
    gold: Field
    silver: Field


class InventionCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of an invention (E9): official, or a counterfeit with "?"."""

    id: Id
    invention: str
    kind: Literal["official", "counterfeit"]
    cost: Cost
    gain: Gain


class StartCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A start invention card (E8)."""

    id: Id
    name: Name
    cost: Goods
    gain: Gain


class StartFactory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The factory with which a colour begins (E6)."""

    id: Id
    colour: str
    output: Goods
    name: Name


class Factory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A factory card with its cost, its yield, and its influence if it has the symbol (E18 to E20)."""

    id: Id
    cost: Goods
    output: Goods
    influence: SmallCount
    name: Name


class Bonuses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The influence from each of the three bonuses, by the number of players in the lead (E56, E57)."""

    alone: SmallCount
    of_two: SmallCount
    of_three: SmallCount
    of_more: SmallCount


class Contents(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A complete component file."""

    game: Literal["era-of-inventions"]
    goods: Annotated[tuple[Good, ...], Meta(min_length=state.GOODS, max_length=state.GOODS)]
    colours: Annotated[tuple[Colour, ...], Meta(min_length=COLOURS, max_length=COLOURS)]
    box: Box
    players: Annotated[tuple[Players, ...], Meta(min_length=len(SEATS), max_length=len(SEATS))]
    start: Start
    limits: Limits
    rows: Rows
    actions: Annotated[tuple[Action, ...], Meta(min_length=state.ACTIONS, max_length=state.ACTIONS)]
    market: Annotated[tuple[MarketBox, ...], Meta(min_length=state.BOXES, max_length=state.BOXES)]
    patent_steps: Annotated[tuple[PatentStep, ...], Meta(min_length=1, max_length=state.MAX_STEPS)]
    track: Track
    symbols: tuple[Symbol, ...]
    stores: Annotated[tuple[Store, ...], Meta(min_length=1, max_length=state.MAX_STORES)]
    inventions: Annotated[tuple[Invention, ...], Meta(min_length=state.INVENTIONS, max_length=state.INVENTIONS)]
    invention_cards: Annotated[tuple[InventionCard, ...], Meta(min_length=OF_INVENTIONS, max_length=OF_INVENTIONS)]
    start_cards: Annotated[tuple[StartCard, ...], Meta(min_length=state.START_CARDS, max_length=state.START_CARDS)]
    start_factories: Annotated[tuple[StartFactory, ...], Meta(min_length=COLOURS, max_length=COLOURS)]
    factories: Annotated[tuple[Factory, ...], Meta(min_length=FACTORY_CARDS, max_length=FACTORY_CARDS)]
    bonuses: Bonuses
