"""The board of a component file for rules, drawing and moves: numbered and named hexes, and their adjacency."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.games.paris_connection import hex_names
from spieltisch.games.paris_connection.component_file import Box, City, CityClass, Company, Contents, Players, Turn

Place: TypeAlias = tuple[int, int]
"""The coordinates of a hex: (column, row).

Hexes stand on a corner; those of odd rows are shifted half a hex to the right.
"""


@dataclass(frozen=True)
class Hex:
    """One hex. `number` counts from 0 by row, then column."""

    number: int
    column: int
    row: int
    kind: Literal["tower", "station", "rural", "city"]
    id: str
    """The id of the city or station in the component file; "" for other hexes."""
    city_class: str
    """The class of a city; "" for other hexes."""
    value: int
    """The value of a city (P11); 0 for other hexes."""
    ends_game: bool
    """True if a locomotive placed here ends the game (P15)."""
    move_name: str
    """The text in moves, different for every hex."""
    name: Name
    """The name for people."""

    @property
    def place(self) -> str:
        """The id of the element on the map.

        >>> import spieltisch
        >>> board(spieltisch.game("paris-connection").components).hexes[0].place
        'hex-8-1'
        """
        return f"hex-{self.column}-{self.row}"


@dataclass(frozen=True)
class Border:
    """A hatched border between two neighbouring hexes, given by their numbers, and the mountains it belongs to (P6)."""

    hexes: tuple[int, int]
    range: str
    name: Name


@dataclass(frozen=True)
class Board:
    """All data of a component file of Paris Connection, made by `board`.

    >>> import spieltisch
    >>> france = board(spieltisch.game("paris-connection").components)
    >>> lyon = france.named["Lyon"]
    >>> [france.hexes[number].move_name for number in france.adjacent[lyon.number]]
    ['Lyon NW', 'Lyon NE', 'Saint-Étienne', 'Lyon SW', 'Grenoble']
    """

    hexes: tuple[Hex, ...]
    adjacent: tuple[tuple[int, ...], ...]
    """For each hex, also the tower, the numbers of adjacent hexes that no hatched border separates from it, ascending.
    """
    borders: tuple[Border, ...]
    stations: tuple[int, ...]
    """The six hexes on which the companies start, in the order of the component file."""
    tower: int
    companies: tuple[Company, ...]
    box: Box
    players: tuple[Players, ...]
    turn: Turn
    city_classes: tuple[CityClass, ...]

    @cached_property
    def named(self) -> Mapping[str, Hex]:
        """The hexes by their text in moves."""
        return {hexagon.move_name: hexagon for hexagon in self.hexes}

    @cached_property
    def at(self) -> Mapping[Place, Hex]:
        """The hexes by column and row."""
        return {(hexagon.column, hexagon.row): hexagon for hexagon in self.hexes}


def board(components: Components[Contents]) -> Board:
    """Return the board of components that `components.read` has checked."""
    contents = components.contents
    places = numbered(contents)
    number = {place: index for index, place in enumerate(places)}
    hatched = {frozenset(pair) for mountains in contents.borders for pair in mountains.between}
    return Board(
        hexes=hexes(contents),
        adjacent=tuple(
            tuple(sorted(number[n] for n in neighbours(*p) if n in number and frozenset((p, n)) not in hatched))
            for p in places
        ),
        borders=tuple(
            Border((number[a], number[b]), mountains.id, mountains.name)
            for mountains in contents.borders
            for a, b in mountains.between
        ),
        stations=tuple(number[station.column, station.row] for station in contents.stations),
        tower=number[contents.tower.column, contents.tower.row],
        companies=contents.companies,
        box=contents.box,
        players=contents.players,
        turn=contents.turn,
        city_classes=contents.city_classes,
    )


def neighbours(column: int, row: int) -> tuple[Place, ...]:
    """Return the six places around a hex, with or without a hex: east, then clockwise.

    >>> neighbours(9, 4)
    ((10, 4), (9, 5), (8, 5), (8, 4), (8, 3), (9, 3))
    """
    right = column + (row & 1)
    return (
        (column + 1, row),
        (right, row + 1),
        (right - 1, row + 1),
        (column - 1, row),
        (right - 1, row - 1),
        (right, row - 1),
    )


def numbered(contents: Contents) -> list[Place]:
    """Return the coordinates of every hex once, in the order of their numbers."""
    return sorted({(column, row.row) for row in contents.rows for column in row.columns}, key=_by_row)


def hexes(contents: Contents) -> tuple[Hex, ...]:
    """Return every hex with its names; the file must contain a city."""
    classes = {city_class.id: city_class for city_class in contents.city_classes}
    cities = {(city.column, city.row): city for city in contents.cities}
    stations = {(station.column, station.row): station for station in contents.stations}
    hexagons = []
    for number, (column, row) in enumerate(numbered(contents)):
        kind: Literal["tower", "station", "rural", "city"]
        ident, city_class, value, ends_game = "", "", 0, False
        legs: tuple[hex_names.Leg, ...] = ()
        if city := cities.get((column, row)):
            class_ = classes[city.city_class]
            kind, ident, city_class, value, ends_game = "city", city.id, class_.id, class_.value, class_.ends_game
            landmark = city.name
        elif station := stations.get((column, row)):
            kind, ident, landmark = "station", station.id, station.name
        elif (column, row) == (contents.tower.column, contents.tower.row):
            kind, landmark = "tower", contents.tower.name
        else:
            kind = "rural"
            landmark, legs = _landmark((column, row), contents)
        move_name, name = hex_names.move_name(landmark, legs), hex_names.name(landmark, legs)
        hexagons.append(Hex(number, column, row, kind, ident, city_class, value, ends_game, move_name, name))
    return tuple(hexagons)


def _landmark(place: Place, contents: Contents) -> tuple[Name, tuple[hex_names.Leg, ...]]:
    """Return the city that names a rural hex, and the path from it.

    This is the nearest city, or one a step farther if only its path is straight; of several, the one with the highest
    value.
    """
    values = {city_class.id: city_class.value for city_class in contents.city_classes}
    paths = [(city, hex_names.way((city.column, city.row), place)) for city in contents.cities]
    nearest = min(hex_names.length(legs) for _, legs in paths)

    def order(candidate: tuple[City, tuple[hex_names.Leg, ...]]) -> tuple[bool, int, int, int]:
        city, legs = candidate
        crooked = len(legs) > 1 or hex_names.length(legs) > nearest + 1
        return crooked, hex_names.length(legs), -values[city.city_class], legs[0].order

    city, legs = min(paths, key=order)
    return city.name, legs


def _by_row(place: Place) -> tuple[int, int]:
    return place[1], place[0]
