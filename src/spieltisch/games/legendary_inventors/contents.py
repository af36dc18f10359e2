"""What a component file of Legendary Inventors holds; `components.toml` beside this file is the one we play with."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from spieltisch.core import components
from spieltisch.core.words import Name

Four: TypeAlias = tuple[int, int, int, int]
"""A number for each field of knowledge, in the order of the file's fields."""


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cubes of each player (L1, S6)."""

    cubes: int


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Additional cubes of one stroke of genius (L22)."""

    genius_cubes: int


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: inventions laid out in each age (L3)."""

    players: int
    inventions: int


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field of knowledge. `id` is its word in moves; a shape and two letters (`short`) mark it."""

    id: str
    shape: Literal["circle", "triangle", "square", "diamond"]
    short: Name
    name: Name


class Classification(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a classification number stands for."""

    id: str
    number: int
    name: Name


class Age(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An age of inventions (L3, L16)."""

    id: str
    name: Name


class Team(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Four inventors of one era (L1)."""

    id: str
    letter: str
    pattern: Literal["solid", "stripes", "dots", "chevrons", "grid", "waves"]
    ink: str
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: str
    name: Name


class Inventor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An inventor of a team: start values (L2), and the goal with its points (L28). The English name is the word in
    moves.
    """

    id: str
    team: str
    name: Name
    start: Four
    goal: Four
    points: int


class Invention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invention of an age: spaces by field (L6, L10), classification number (L26), the patent's points (L25). The
    English name is the word in moves.
    """

    id: str
    age: int
    name: Name
    classification: int
    spaces: Four
    points: int


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of reward token (L18 to L24) and how many there are; `value` of those that show a number."""

    id: str
    kind: Literal["upgrade", "refresh", "genius", "number", "points"]
    value: int = 0
    count: int
    name: Name


class Contents(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

    game: Literal["legendary-inventors"]
    box: Box
    turn: Turn
    players: tuple[Players, ...]
    fields: tuple[Field, ...]
    classifications: tuple[Classification, ...]
    ages: tuple[Age, ...]
    teams: tuple[Team, ...]
    inventors: tuple[Inventor, ...]
    inventions: tuple[Invention, ...]
    tokens: tuple[Token, ...]
