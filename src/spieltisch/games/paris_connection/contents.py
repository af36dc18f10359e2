"""What a component file of Paris Connection holds; `components.toml` beside this file is the one we play with."""

from __future__ import annotations

from typing import Literal

import msgspec

from spieltisch.core import components
from spieltisch.core.words import Name


class Company(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A railway company. `id` is the colour of its locomotives and its word in moves."""

    id: str
    letter: str
    pattern: Literal["solid", "stripes", "dots", "chevrons", "grid", "waves"]
    ink: str
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: str
    name: Name


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Locomotives of one company (P1), and the last number of the value track."""

    locomotives: int
    value_track: int

    @property
    def in_bag(self) -> int:
        """Locomotives of one company before the deal: all but the one marking its value and the one on its station."""
        return self.locomotives - 2


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: locomotives drawn by each (P2), and the number held without a penalty (P17)."""

    players: int
    portfolio: int
    limit: int


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Placed at most in one turn (P4), taken at most in one trade (P12), held by a hex (P8), points lost (P17)."""

    most_locomotives: int
    most_taken: int
    rural_capacity: int
    city_capacity: int
    penalty: int


class CityClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cities printed in one colour, its `id`: their value (P11), and whether a locomotive there ends the game (P15)."""

    id: str
    value: int
    ends_game: bool
    name: Name


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hexes of one row, by their columns."""

    row: int
    columns: tuple[int, ...]


class Tower(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hex of the Eiffel Tower, which is never occupied (P9)."""

    column: int
    row: int
    name: Name


class Station(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hex beside the tower on which one company starts (P3)."""

    id: str
    column: int
    row: int
    name: Name


class City(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    column: int
    row: int
    city_class: str
    name: Name


class Range(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mountains: the hatched borders (P6) between pairs of neighbouring hexes, each hex as (column, row)."""

    id: str
    name: Name
    between: tuple[tuple[tuple[int, int], tuple[int, int]], ...]


class Contents(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

    game: Literal["paris-connection"]
    companies: tuple[Company, ...]
    box: Box
    players: tuple[Players, ...]
    turn: Turn
    city_classes: tuple[CityClass, ...]
    rows: tuple[Row, ...]
    tower: Tower
    stations: tuple[Station, ...]
    cities: tuple[City, ...]
    borders: tuple[Range, ...]
