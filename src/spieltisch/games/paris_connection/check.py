"""What a component file of Paris Connection must hold to be played with, beyond its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from spieltisch.core.chance import MOST_DRAWS
from spieltisch.core.components import Components, Finding
from spieltisch.core.toml_lines import Steps
from spieltisch.core.words import LANGUAGES, Message, Name, message
from spieltisch.games.paris_connection import hex_names
from spieltisch.games.paris_connection.board import Place, hexes, neighbours, numbered
from spieltisch.games.paris_connection.contents import City, CityClass, Contents, Range, Station

COMPANIES: Final = 6
SEATS: Final = range(3, 7)
MOST_HEXES: Final = 256
MOST_DEALT: Final = MOST_DRAWS - COMPANIES - 1
"""The set-up draws all portfolios, then a company for each station and the first player."""
MOST_VALUE: Final = 128
"""Of a city: a company's value, with all its locomotives in such cities, stays a number of 16 bits."""

Wrong: TypeAlias = Iterator[tuple[Steps, Message]]
"""Steps to a value of the file, and what is wrong with it."""


def check(components: Components[Contents]) -> list[Finding]:
    """Everything that keeps a game from being played with these components; empty when all is well.

    What lies where is looked at first; ways and names only on a map in which everything lies in its place.
    """
    contents = components.contents
    wrong = [found for look in _FIRST for found in look(contents)]
    if not wrong:
        wrong = [found for look in _THEN for found in look(contents)]
    return [components.finding(steps, what) for steps, what in wrong]


def _ids(contents: Contents) -> Wrong:
    lists: tuple[tuple[str, tuple[City | CityClass | Range | Station, ...]], ...] = (
        ("city_classes", contents.city_classes),
        ("stations", contents.stations),
        ("cities", contents.cities),
        ("borders", contents.borders),
    )
    ids: list[tuple[Steps, str]] = [(("name",), contents.name)]
    ids += [((table, index, "id"), item.id) for table, items in lists for index, item in enumerate(items)]
    for steps, text in ids:
        if not re.fullmatch(r"[a-z0-9-]+", text):
            yield steps, message("{id} may hold small letters a to z, digits and hyphens only.", id=text)


def _companies(contents: Contents) -> Wrong:
    if len(contents.companies) != COMPANIES:
        yield (
            ("companies",),
            message("There must be six companies, and there are {number}.", number=len(contents.companies)),
        )
    seen: dict[tuple[str, str], str] = {}
    for index, company in enumerate(contents.companies):
        steps = ("companies", index)
        if not re.fullmatch(r"[a-z]+", company.id):
            yield (*steps, "id"), message("A company's id is one word of small letters a to z.")
        if not re.fullmatch(r"[A-Z]", company.letter):
            yield (*steps, "letter"), message("A company's letter is one capital letter from A to Z.")
        for key, ink in (("ink", company.ink), ("ink_dark", company.ink_dark)):
            if not re.fullmatch(r"#[0-9a-fA-F]{6}", ink):
                yield (*steps, key), message("A colour is written like {example}.", example="#a7373a")
        marks: dict[Steps, str] = {("letter",): company.letter, ("pattern",): company.pattern}
        marks |= {("name", language): company.name.text(language) for language in LANGUAGES}
        for key_steps, mark in marks.items():
            other = seen.setdefault((str(key_steps[-1]), mark), company.id)
            if other != company.id:
                yield (
                    (*steps, *key_steps),
                    message("{company} already has {mark}.", company=f"companies.{other}", mark=mark),
                )


def _numbers(contents: Contents) -> Wrong:
    box, turn = contents.box, contents.turn
    bounds: list[tuple[Steps, int, int, int]] = [
        (("box", "locomotives"), box.locomotives, 3, 255),
        (("box", "value_track"), box.value_track, 1, 255),
        (("turn", "most_locomotives"), turn.most_locomotives, 1, 255),
        (("turn", "most_taken"), turn.most_taken, 1, 2),
        (("turn", "rural_capacity"), turn.rural_capacity, 1, COMPANIES),
        (("turn", "city_capacity"), turn.city_capacity, 1, COMPANIES),
        (("turn", "penalty"), turn.penalty, 1, 255),
    ]
    for i, count in enumerate(contents.players):
        bounds += [
            (("players", i, "players"), count.players, SEATS.start, SEATS.stop - 1),
            (("players", i, "portfolio"), count.portfolio, 1, MOST_DEALT // max(1, count.players)),
            (("players", i, "limit"), count.limit, 1, 255),
        ]
    bounds += [(("city_classes", i, "value"), its.value, 1, MOST_VALUE) for i, its in enumerate(contents.city_classes)]
    for i, row in enumerate(contents.rows):
        bounds.append((("rows", i, "row"), row.row, 0, 99))
        bounds += [(("rows", i, "columns", j), column, 0, 99) for j, column in enumerate(row.columns)]
    for steps, number, least, most in bounds:
        if not least <= number <= most:
            yield steps, message("{number} is not from {least} to {most}.", number=number, least=least, most=most)


def _players(contents: Contents) -> Wrong:
    for seats in SEATS:
        if all(count.players != seats for count in contents.players):
            yield ("players",), message("The portfolio and the limit for {seats} players are missing.", seats=seats)
    bag = COMPANIES * contents.box.in_bag
    for index, count in enumerate(contents.players):
        dealt = count.players * count.portfolio
        steps = ("players", index, "portfolio")
        if dealt > bag:
            yield (
                steps,
                message("{dealt} locomotives are to be dealt, and {bag} are in the bag.", dealt=dealt, bag=bag),
            )
        elif bag - dealt <= contents.box.in_bag:  # all that is left could be of one company: over before it began (P14)
            yield steps, message("The deal may leave locomotives in only one depot, which ends the game.")


def _things(contents: Contents) -> Iterator[tuple[Steps, Place]]:
    """What lies on hexes: the tower, the stations, the cities."""
    yield ("tower",), (contents.tower.column, contents.tower.row)
    for index, station in enumerate(contents.stations):
        yield ("stations", index), (station.column, station.row)
    for index, city in enumerate(contents.cities):
        yield ("cities", index), (city.column, city.row)


def _map(contents: Contents) -> Wrong:
    places = set(numbered(contents))
    if len(places) > MOST_HEXES:
        yield (
            ("rows",),
            message("There are {number} hexes, and there may be {most}.", number=len(places), most=MOST_HEXES),
        )
    for index, line in enumerate(contents.rows):
        for at, column in enumerate(line.columns):
            if column in line.columns[:at]:
                yield ("rows", index, "columns", at), message("Column {column} is there twice.", column=column)
    taken: set[Place] = set()
    for steps, place in _things(contents):
        column, row = place
        if place not in places:
            yield (
                (*steps, "column"),
                message("The rows list no hex in column {column}, row {row}.", column=column, row=row),
            )
        elif place in taken:
            yield (
                (*steps, "column"),
                message("Something else lies in column {column}, row {row}.", column=column, row=row),
            )
        taken.add(place)
    if len(contents.stations) != COMPANIES:
        yield (
            ("stations",),
            message("There must be six stations, and there are {number}.", number=len(contents.stations)),
        )
    beside = neighbours(contents.tower.column, contents.tower.row)
    for index, station in enumerate(contents.stations):
        if (station.column, station.row) not in beside:
            yield ("stations", index, "column"), message("{station} is not beside the tower.", station=station.name)


def _classes(contents: Contents) -> Wrong:
    known = {its.id for its in contents.city_classes}
    last = {its.id for its in contents.city_classes if its.ends_game}
    for index, city in enumerate(contents.cities):
        if city.city_class not in known:
            yield ("cities", index, "city_class"), message("There is no city class {name}.", name=city.city_class)
    if not any(city.city_class in last for city in contents.cities):
        yield ("city_classes",), message("No city ends the game.")


def _borders(contents: Contents) -> Wrong:
    places = set(numbered(contents))
    seen: set[frozenset[Place]] = set()
    for index, mountains in enumerate(contents.borders):
        for at, (a, b) in enumerate(mountains.between):
            steps = ("borders", index, "between", at)
            if a not in places or b not in places:
                column, row = b if a in places else a
                yield (
                    steps,
                    message("The rows list no hex in column {column}, row {row}.", column=column, row=row),
                )
            elif b not in neighbours(*a):
                yield steps, message("These two hexes do not lie side by side.")
            elif frozenset((a, b)) in seen:
                yield steps, message("This border is there twice.")
            seen.add(frozenset((a, b)))


def _ways(contents: Contents) -> Wrong:
    places = set(numbered(contents))
    parted = {frozenset(pair) for mountains in contents.borders for pair in mountains.between}
    stations = [(station.column, station.row) for station in contents.stations]
    cities = {(city.column, city.row) for city in contents.cities}
    tower = (contents.tower.column, contents.tower.row)
    open_ = places - {tower, *stations}
    reached = {tower}
    for index, start in enumerate(stations):
        found = {start}
        ends = [start]
        while ends:
            end = ends.pop()
            new = {n for n in neighbours(*end) if n in open_ and n not in found and frozenset((end, n)) not in parted}
            found |= new
            ends += new
        if not found & cities:
            yield (
                ("stations", index),
                message("No way leads from {station} to a city.", station=contents.stations[index].name),
            )
        reached |= found
    for index, row in enumerate(contents.rows):
        for at, column in enumerate(row.columns):
            if (column, row.row) not in reached:
                yield (
                    ("rows", index, "columns", at),
                    message("No company can reach the hex in column {column}, row {row}.", column=column, row=row.row),
                )


def _names(contents: Contents) -> Wrong:
    rural = [hexagon for hexagon in hexes(contents) if hexagon.kind == "rural"]
    things: list[tuple[Steps, Name]] = [
        (("tower",), contents.tower.name),
        *((("stations", i), station.name) for i, station in enumerate(contents.stations)),
        *((("cities", i), city.name) for i, city in enumerate(contents.cities)),
    ]
    for language in LANGUAGES:
        seen = {hexagon.name.text(language) for hexagon in rural}
        for steps, name in things:
            text = name.text(language)
            if text in seen:
                yield (*steps, "name", language), message("Two hexes have the name {name}.", name=text)
            seen.add(text)
    moves = {hexagon.move_name for hexagon in rural}
    for steps, name in things:
        text = hex_names.move_name(name)
        if text in moves:
            yield (*steps, "name", "fr"), message("Two hexes have the name {name} in moves.", name=text)
        moves.add(text)


_FIRST: Final[tuple[Callable[[Contents], Wrong], ...]] = (
    _ids,
    _companies,
    _numbers,
    _players,
    _map,
    _classes,
    _borders,
)
_THEN: Final[tuple[Callable[[Contents], Wrong], ...]] = (_ways, _names)
