"""The form of a component file of Paris Connection; `components.toml` in this folder is the default."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Letter, Pattern, error_text
from spieltisch.core.words import Name, sentence
from spieltisch.games.paris_connection.state import COMPANIES

SEATS: Final = range(3, 7)

Count: TypeAlias = Annotated[int, Meta(ge=1, le=255)]
Capacity: TypeAlias = Annotated[int, Meta(ge=1, le=COMPANIES)]
Index: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Word: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[a-z]+$", extra=error_text(sentence("A company’s id must be one word in lowercase letters (a–z)."))
    ),
]


class Company(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A railway company. `id` is the colour of its locomotives and its word in moves."""

    id: Word
    letter: Letter
    pattern: Pattern
    ink: HexColour
    """The colour on paper, as "#rrggbb"; `ink_dark` is for the dark theme."""
    ink_dark: HexColour
    name: Name


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of locomotives of one company (P1), and the last number of the value track."""

    locomotives: Annotated[int, Meta(ge=3, le=255)]
    value_track: Count

    @property
    def in_bag(self) -> int:
        """The locomotives of one company before the deal, without the value marker and the one on its station."""
        return self.locomotives - 2


class Players(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For one number of players: locomotives drawn by each (P2), and the number held without a penalty (P17)."""

    players: Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
    portfolio: int
    limit: Count


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a turn, the capacity of hexes and the penalty.

    Locomotives placed at most in one turn (P4), taken at most in one trade (P12), on one hex (P8); points lost for each
    locomotive above the limit (P17).
    """

    most_locomotives: Count
    most_taken: Annotated[int, Meta(ge=1, le=2)]
    rural_capacity: Capacity
    city_capacity: Capacity
    penalty: Count


class CityClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cities printed in one colour, the `id`: their value (P11), and True if a locomotive there ends the game (P15)."""

    id: Id
    value: Annotated[int, Meta(ge=1, le=128)]
    """The value; with the bound, a company's value fits into 16 bits even with all its locomotives in such cities."""
    ends_game: bool
    name: Name


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hexes of one row, by their columns."""

    row: Index
    columns: tuple[Index, ...]


class Tower(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hex of the Eiffel Tower, which is never occupied (P9)."""

    column: int
    row: int
    name: Name


class Station(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hex next to the tower on which one company starts (P3)."""

    id: Id
    column: int
    row: int
    name: Name


class City(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A city with its coordinates and its class."""

    id: Id
    column: int
    row: int
    city_class: str
    name: Name


class Range(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mountains: the hatched borders (P6) between pairs of neighbouring hexes, each hex as (column, row)."""

    id: Id
    name: Name
    between: tuple[tuple[tuple[int, int], tuple[int, int]], ...]


class Contents(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole component file."""

    game: Literal["paris-connection"]
    name: Id
    companies: Annotated[tuple[Company, ...], Meta(min_length=COMPANIES, max_length=COMPANIES)]
    box: Box
    players: tuple[Players, ...]
    turn: Turn
    city_classes: tuple[CityClass, ...]
    rows: tuple[Row, ...]
    tower: Tower
    stations: Annotated[tuple[Station, ...], Meta(min_length=COMPANIES, max_length=COMPANIES)]
    cities: tuple[City, ...]
    borders: tuple[Range, ...]
