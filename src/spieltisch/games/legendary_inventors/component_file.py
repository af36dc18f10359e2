"""The form of a component file of Legendary Inventors; `components.toml` in this folder is the default."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Letter, Pattern
from spieltisch.core.words import Name
from spieltisch.games.legendary_inventors import state

SEATS: Final = range(2, state.MAX_SEATS + 1)

Points: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Value: TypeAlias = Annotated[int, Meta(ge=0, le=state.MAX_KNOWLEDGE)]
Values: TypeAlias = tuple[Value, Value, Value, Value]
"""Knowledge of each field, in the order of the file's fields."""
Space: TypeAlias = Annotated[int, Meta(ge=0, le=state.MAX_SPACES)]
Spaces: TypeAlias = tuple[Space, Space, Space, Space]
"""Spaces of each field, in the order of the file's fields."""


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of cubes of each player (L1, S6)."""

    cubes: Annotated[int, Meta(ge=1, le=99)]


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of additional cubes of one stroke of genius (L22)."""

    genius_cubes: Annotated[int, Meta(ge=1, le=9)]


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: inventions laid out in each age (L3)."""

    players: Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
    inventions: Annotated[int, Meta(ge=2, le=state.MAX_OPEN)]


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field of knowledge. `id` is its word in moves; a shape and two letters (`short`) mark it."""

    id: Id
    shape: Literal["circle", "triangle", "square", "diamond"]
    short: Name
    name: Name


class Classification(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The meaning of a classification number."""

    id: Id
    number: int
    name: Name


class Age(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An age of inventions (L3, L16)."""

    id: Id
    name: Name


class Team(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Four inventors of one era (L1)."""

    id: Id
    letter: Letter
    pattern: Pattern
    ink: HexColour
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: HexColour
    name: Name


class Inventor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An inventor of a team: start values (L2), and the goal with its points (L28).

    The English name is the word in moves.
    """

    id: Id
    team: str
    name: Name
    start: Values
    goal: Values
    points: Points


class Invention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invention of an age: spaces by field (L6, L10), classification number (L26), points of the patent (L25).

    The English name is the word in moves.
    """

    id: Id
    age: Annotated[int, Meta(ge=1, le=state.AGES)]
    name: Name
    classification: Annotated[int, Meta(ge=0, le=state.NUMBERS - 1)]
    spaces: Spaces
    points: Points


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of reward token (L18 to L24) and its number of copies; `value` of those that show a number."""

    id: Id
    kind: Literal["upgrade", "refresh", "genius", "number", "points"]
    value: int = 0
    count: int
    name: Name


class Contents(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

    game: Literal["legendary-inventors"]
    name: Id
    box: Box
    turn: Turn
    players: tuple[Players, ...]
    fields: Annotated[tuple[Field, ...], Meta(min_length=state.FIELDS, max_length=state.FIELDS)]
    classifications: Annotated[tuple[Classification, ...], Meta(min_length=state.NUMBERS, max_length=state.NUMBERS)]
    ages: Annotated[tuple[Age, ...], Meta(min_length=state.AGES, max_length=state.AGES)]
    teams: Annotated[tuple[Team, ...], Meta(min_length=state.TEAMS, max_length=state.TEAMS)]
    inventors: tuple[Inventor, ...]
    inventions: Annotated[tuple[Invention, ...], Meta(max_length=state.INVENTIONS)]
    tokens: Annotated[tuple[Token, ...], Meta(max_length=state.KINDS)]
