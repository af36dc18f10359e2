"""Checks of a component file of Paris Connection beyond its form."""

from collections.abc import Iterator
from typing import Final

from spieltisch.core.chance import MAX_DRAWS
from spieltisch.core.component_checks import Problems, Steps, check_distinct, check_player_counts, check_range
from spieltisch.core.words import LANGUAGES, Name, message
from spieltisch.games.paris_connection import hex_names
from spieltisch.games.paris_connection.board import Place, hexes, neighbours, numbered
from spieltisch.games.paris_connection.component_file import SEATS, Contents
from spieltisch.games.paris_connection.state import COMPANIES, MAX_HEXES

MAX_DEALT: Final = MAX_DRAWS - COMPANIES - 1
"""The highest number of locomotives dealt to all players.

The setup draws all portfolios, then a company for each station, and the first player.
"""


def _companies(contents: Contents) -> Problems:
    yield from check_distinct("companies", contents.companies, "letter", "pattern", "name")


def _players(contents: Contents) -> Problems:
    yield from check_player_counts(contents.players, SEATS)
    bag = COMPANIES * contents.box.in_bag
    for index, count in enumerate(contents.players):
        dealt = count.players * count.portfolio
        steps = ("players", index, "portfolio")
        yield from check_range(steps, count.portfolio, 1, MAX_DEALT // max(1, count.players))
        if dealt > bag:
            yield (
                steps,
                message("{dealt} locomotives must be dealt, but only {bag} are in the bag.", dealt=dealt, bag=bag),
            )
        elif bag - dealt <= contents.box.in_bag:
            # All locomotives left could be of one company, and the game over before it begins (P14).
            yield steps, message("The deal may leave locomotives in only one depot, which ends the game.")


def _elements(contents: Contents) -> Iterator[tuple[Steps, Place]]:
    """Yield the coordinates of the tower, the stations and the cities."""
    yield ("tower",), (contents.tower.column, contents.tower.row)
    for index, station in enumerate(contents.stations):
        yield ("stations", index), (station.column, station.row)
    for index, city in enumerate(contents.cities):
        yield ("cities", index), (city.column, city.row)


def _map(contents: Contents) -> Problems:
    places = set(numbered(contents))
    if len(places) > MAX_HEXES:
        yield (
            ("rows",),
            message("There are {number} hexes; at most {most} are allowed.", number=len(places), most=MAX_HEXES),
        )
    for index, line in enumerate(contents.rows):
        for position, column in enumerate(line.columns):
            if column in line.columns[:position]:
                yield ("rows", index, "columns", position), message("Column {column} is listed twice.", column=column)
    taken: set[Place] = set()
    for steps, place in _elements(contents):
        column, row = place
        if place not in places:
            yield (
                (*steps, "column"),
                message("The rows list no hex in column {column}, row {row}.", column=column, row=row),
            )
        elif place in taken:
            yield ((*steps, "column"), message("Column {column}, row {row} is already taken.", column=column, row=row))
        taken.add(place)
    adjacent = neighbours(contents.tower.column, contents.tower.row)
    for index, station in enumerate(contents.stations):
        if (station.column, station.row) not in adjacent:
            yield ("stations", index, "column"), message("{station} is not beside the tower.", station=station.name)


def _classes(contents: Contents) -> Problems:
    ids = {city_class.id for city_class in contents.city_classes}
    ending_ids = {city_class.id for city_class in contents.city_classes if city_class.ends_game}
    for index, city in enumerate(contents.cities):
        if city.city_class not in ids:
            yield ("cities", index, "city_class"), message("Unknown city class: {name}.", name=city.city_class)
    if not any(city.city_class in ending_ids for city in contents.cities):
        yield ("city_classes",), message("No city ends the game.")


def _borders(contents: Contents) -> Problems:
    places = set(numbered(contents))
    seen: set[frozenset[Place]] = set()
    for index, mountains in enumerate(contents.borders):
        for position, (a, b) in enumerate(mountains.between):
            steps = ("borders", index, "between", position)
            if a not in places or b not in places:
                column, row = b if a in places else a
                yield (steps, message("The rows list no hex in column {column}, row {row}.", column=column, row=row))
            elif b not in neighbours(*a):
                yield steps, message("These two hexes are not adjacent.")
            elif frozenset((a, b)) in seen:
                yield steps, message("This border is listed twice.")
            seen.add(frozenset((a, b)))


def _paths(contents: Contents) -> Problems:
    places = set(numbered(contents))
    hatched = {frozenset(pair) for mountains in contents.borders for pair in mountains.between}
    stations = [(station.column, station.row) for station in contents.stations]
    cities = {(city.column, city.row) for city in contents.cities}
    tower = (contents.tower.column, contents.tower.row)
    free = places - {tower, *stations}
    reached = {tower}
    for index, start in enumerate(stations):
        network = {start}
        frontier = [start]
        while frontier:
            place = frontier.pop()
            new = {
                n for n in neighbours(*place) if n in free and n not in network and frozenset((place, n)) not in hatched
            }
            network |= new
            frontier += new
        if not network & cities:
            yield (
                ("stations", index),
                message("No route leads from {station} to a city.", station=contents.stations[index].name),
            )
        reached |= network
    for index, row in enumerate(contents.rows):
        for position, column in enumerate(row.columns):
            if (column, row.row) not in reached:
                yield (
                    ("rows", index, "columns", position),
                    message("No company can reach the hex in column {column}, row {row}.", column=column, row=row.row),
                )


def _names(contents: Contents) -> Problems:
    rural = [hexagon for hexagon in hexes(contents) if hexagon.kind == "rural"]
    elements: list[tuple[Steps, Name]] = [
        (("tower",), contents.tower.name),
        *((("stations", i), station.name) for i, station in enumerate(contents.stations)),
        *((("cities", i), city.name) for i, city in enumerate(contents.cities)),
    ]
    for language in LANGUAGES:
        seen = {hexagon.name.text(language) for hexagon in rural}
        for steps, name in elements:
            text = name.text(language)
            if text in seen:
                yield (*steps, "name", language), message("Two hexes have the name {name}.", name=text)
            seen.add(text)
    move_names = {hexagon.move_name for hexagon in rural}
    for steps, name in elements:
        text = hex_names.move_name(name)
        if text in move_names:
            yield (*steps, "name", "fr"), message("Two hexes have the name {name} in moves.", name=text)
        move_names.add(text)


CHECKS: Final = ((_companies, _players, _map, _classes, _borders), (_paths, _names))
"""The checks in stages: coordinates first; then paths and names, which need correct coordinates."""
