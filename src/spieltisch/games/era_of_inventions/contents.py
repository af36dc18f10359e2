"""What a component file of Era of Inventions holds; `components.toml` beside this file is the one we play with."""

from __future__ import annotations

from typing import Literal

import msgspec

from spieltisch.core import components
from spieltisch.core.words import Name


class Goods(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many of each kind: five kinds of cubes, coins and development stones; what is left out is none."""

    wood: int = 0
    coal: int = 0
    metal: int = 0
    technology: int = 0
    tool: int = 0
    coin: int = 0
    stone: int = 0


class Gain(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card or a field gives: goods and influence."""

    influence: int = 0


class Cost(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card costs. `any`: cubes marked "?", metal, technology or tool (E27)."""

    any: int = 0


class Given(Goods, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exchange takes. `any`: cubes or coins of any kind (E33)."""

    any: int = 0


class Got(Gain, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exchange gives. `other`: a cube or coin of a kind that was not given; `bonus_disc` (E33)."""

    other: int = 0
    bonus_disc: int = 0


class Good(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of goods: `id` is its word in moves, `total` how many the box holds, `many` its name in the plural,
    `short` the letter on its sign.
    """

    id: str
    short: Name
    total: int
    name: Name
    many: Name


class Colour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's colour, with the letter (`short`) and the pattern of its plate; colour comes third."""

    id: str
    short: Name
    pattern: Literal["solid", "stripes", "dots", "chevrons", "grid", "waves"]
    ink: str
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: str
    name: Name


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bonus discs in all (R8), invention markers of each player (E5)."""

    bonus_discs: int
    invention_markers: int


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: each one's action discs (E2) and bonus discs (E4), and the rounds (E54)."""

    players: int
    action_discs: int
    bonus_discs: int
    rounds: int


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What each player begins with (E3)."""

    goods: Goods


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most that one action may do: E18, E21, E22, E30, E34, E38; and the coins for one load (E21)."""

    factories: int
    loads: int
    load_price: int
    cards: int
    exchanges: int
    stones: int
    patents: int


class Rows(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many spaces at the far end of each row carry the arrow (E8, E48, E51)."""

    inventions_leave: int
    factories_leave: int


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the six action fields, by its word in moves, its letter in the rules and its name."""

    id: str
    letter: str
    name: Name


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a box of the market (E31 to E33)."""

    id: str
    give: Given
    get: Got


class MarketBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A box of the market, its lines used at most `most` times together in one action (E30)."""

    id: str
    most: int
    name: Name
    lines: tuple[Line, ...]


class PatentStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of the patent track (E38)."""

    step: int
    coins: int
    influence: int


class Track(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The spaces of the influence track, from 0 (R36)."""

    spaces: int


class Symbol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A space of the influence track that gives one of a kind (E46)."""

    space: int
    good: str


class Store(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ship or warehouse of one kind of cube: filled anew with `fill` when empty, else `add` more (E10, E52)."""

    id: str
    kind: Literal["ship", "warehouse"]
    good: str
    fill: int
    add: int
    name: Name


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gold or silver field of an invention: what it costs, gives at once (E36) and pays its holder (E24)."""

    stones: int
    influence: int
    reward: Gain


class Invention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invention: the original in the gold field, the improved one in the silver field."""

    id: str
    name: Name
    gold: Field
    silver: Field


class InventionCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of an invention (E9): official, or a counterfeit with "?"."""

    id: str
    invention: str
    kind: Literal["official", "counterfeit"]
    cost: Cost
    gain: Gain


class StartCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A start invention card (E8)."""

    id: str
    name: Name
    cost: Goods
    gain: Gain


class StartFactory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The factory that a colour begins with (E6)."""

    id: str
    colour: str
    output: Goods
    name: Name


class Factory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A factory card: cost, yield, and the influence of those that show the symbol (E18 to E20)."""

    id: str
    cost: Goods
    output: Goods
    influence: int
    name: Name


class Bonuses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Influence for each of the three bonuses, by how many share the lead (E56, E57)."""

    alone: int
    of_two: int
    of_three: int
    of_more: int


class Contents(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

    game: Literal["era-of-inventions"]
    goods: tuple[Good, ...]
    colours: tuple[Colour, ...]
    box: Box
    players: tuple[Players, ...]
    start: Start
    limits: Limits
    rows: Rows
    actions: tuple[Action, ...]
    market: tuple[MarketBox, ...]
    patent_steps: tuple[PatentStep, ...]
    track: Track
    symbols: tuple[Symbol, ...]
    stores: tuple[Store, ...]
    inventions: tuple[Invention, ...]
    invention_cards: tuple[InventionCard, ...]
    start_cards: tuple[StartCard, ...]
    start_factories: tuple[StartFactory, ...]
    factories: tuple[Factory, ...]
    bonuses: Bonuses
