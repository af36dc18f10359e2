"""What a component file of Era of Inventions holds; `components.toml` beside this file is the one we play with."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Pattern
from spieltisch.core.words import Name
from spieltisch.games.era_of_inventions import state

SEATS: Final = range(3, state.MOST_SEATS + 1)
COLOURS: Final = state.MOST_SEATS
OF_INVENTIONS: Final = state.CARDS - state.START_CARDS
FACTORY_CARDS: Final = state.FACTORIES - state.START_FACTORIES

SmallCount: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
PositiveCount: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
ChoiceCount: TypeAlias = Annotated[int, Meta(ge=0, le=7)]
"""Cubes of choice: a mix of them is part of a move's number."""


class Goods(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many of each kind: five kinds of cubes, coins and development stones; what is left out is none."""

    wood: SmallCount = 0
    coal: SmallCount = 0
    metal: SmallCount = 0
    technology: SmallCount = 0
    tool: SmallCount = 0
    coin: SmallCount = 0
    stone: SmallCount = 0


class Gain(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card or a field gives: goods and influence."""

    influence: SmallCount = 0


class Cost(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card costs. `any`: cubes marked "?", metal, technology or tool (E27)."""

    any: ChoiceCount = 0


class ExchangeCost(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exchange takes. `any`: cubes or coins of any kind (E33)."""

    any: ChoiceCount = 0


class ExchangeGain(Gain, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exchange gives. `other`: a cube or coin of a kind that was not given; `bonus_disc` (E33)."""

    other: SmallCount = 0
    bonus_disc: SmallCount = 0


class Good(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of goods: `id` is its word in moves, `total` how many the box holds, `many` its name in the plural,
    `short` a letter for it, which older files have; its sign is told by its shape.
    """

    id: str
    short: Name
    total: Annotated[int, Meta(ge=0, le=999)]
    name: Name
    many: Name


class Colour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's colour, with the pattern of its plate; `short` is a letter for it, which older files have."""

    id: Id
    short: Name
    pattern: Pattern
    ink: HexColour
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: HexColour
    name: Name


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bonus discs in all (R8), invention markers of each player (E5)."""

    bonus_discs: SmallCount
    invention_markers: PositiveCount


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: each one's action discs (E2) and bonus discs (E4), and the rounds (E54)."""

    players: Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
    action_discs: int
    bonus_discs: int
    rounds: Annotated[int, Meta(ge=1, le=20)]


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What each player begins with (E3)."""

    goods: Goods


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most that one action may do: E18, E21, E22, E30, E34, E38; and the coins for one load (E21)."""

    factories: PositiveCount
    loads: PositiveCount
    load_price: SmallCount
    cards: PositiveCount
    exchanges: PositiveCount
    stones: PositiveCount
    patents: PositiveCount


class Rows(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many spaces at the far end of each row carry the arrow (E8, E48, E51)."""

    inventions_leave: Annotated[int, Meta(ge=0, le=state.ROW)]
    factories_leave: Annotated[int, Meta(ge=0, le=state.FACTORY_ROW)]


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the six action fields, by its word in moves, its letter in the rules and its name."""

    id: Id
    letter: str
    name: Name


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a box of the market (E31 to E33)."""

    id: str
    give: ExchangeCost
    get: ExchangeGain


class MarketBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A box of the market, its lines used at most `most` times together in one action (E30)."""

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
    """The spaces of the influence track, from 0 (R36)."""

    spaces: Annotated[int, Meta(ge=1, le=state.MOST_SPACES)]


class Symbol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A space of the influence track that gives one of a kind (E46)."""

    space: int
    good: str


class Store(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ship or warehouse of one kind of cube: filled anew with `fill` when empty, else `add` more (E10, E52)."""

    id: Id
    kind: Literal["ship", "warehouse"]
    good: str
    fill: SmallCount
    add: SmallCount
    name: Name


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gold or silver field of an invention: what it costs, gives at once (E36) and pays its holder (E24)."""

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
    """The factory that a colour begins with (E6)."""

    id: Id
    colour: str
    output: Goods
    name: Name


class Factory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A factory card: cost, yield, and the influence of those that show the symbol (E18 to E20)."""

    id: Id
    cost: Goods
    output: Goods
    influence: SmallCount
    name: Name


class Bonuses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Influence for each of the three bonuses, by how many share the lead (E56, E57)."""

    alone: SmallCount
    of_two: SmallCount
    of_three: SmallCount
    of_more: SmallCount


class Contents(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

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
    patent_steps: Annotated[tuple[PatentStep, ...], Meta(min_length=1, max_length=state.MOST_STEPS)]
    track: Track
    symbols: tuple[Symbol, ...]
    stores: Annotated[tuple[Store, ...], Meta(min_length=1, max_length=state.MOST_STORES)]
    inventions: Annotated[tuple[Invention, ...], Meta(min_length=state.INVENTIONS, max_length=state.INVENTIONS)]
    invention_cards: Annotated[tuple[InventionCard, ...], Meta(min_length=OF_INVENTIONS, max_length=OF_INVENTIONS)]
    start_cards: Annotated[tuple[StartCard, ...], Meta(min_length=state.START_CARDS, max_length=state.START_CARDS)]
    start_factories: Annotated[tuple[StartFactory, ...], Meta(min_length=COLOURS, max_length=COLOURS)]
    factories: Annotated[tuple[Factory, ...], Meta(min_length=FACTORY_CARDS, max_length=FACTORY_CARDS)]
    bonuses: Bonuses
