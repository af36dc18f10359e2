"""Build component files with small maps cut out of the map of France."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable
from typing import Any

import spieltisch
from tests.games.paris_connection.reference_rules import touch

GAME = spieltisch.game("paris-connection")

Place = tuple[int, int]


def text(data: dict[str, Any]) -> str:
    """Return data as TOML: plain values first, then tables and lists of tables."""
    lines, tables = [], []
    for key, value in data.items():
        if isinstance(value, list):
            tables += [f"[[{key}]]\n{_lines(item)}" for item in value]
        elif isinstance(value, dict) and key != "title":
            tables.append(f"[{key}]\n{_lines(value)}")
        else:
            lines.append(f"{key} = {_value(value)}\n")
    return "".join(lines + tables)


def _lines(table: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def components_with_hexes(
    kept_places: Iterable[Place],
    *,
    cities: Iterable[Place] | None = None,
    last_place: Place | None = None,
    borders: Iterable[tuple[Place, Place]] | None = None,
    turn: dict[str, int] | None = None,
    box: int | None = None,
) -> str:
    """Return a component file with only the hexes `kept_places` of the map of France.

    `cities` are the hexes of cities, which get the names of the cities of France in turn; by default the remaining
    cities of France are kept. `last_place` is the city that ends the game. `borders` replaces the remaining borders of
    France, `turn` some numbers of a turn, and `box` the number of locomotives of a company.
    """
    data = tomllib.loads(GAME.components.text)
    places = sorted(set(kept_places), key=lambda place: (place[1], place[0]))
    rows = sorted({row for _, row in places})
    data["rows"] = [{"row": row, "columns": [x for x, y in places if y == row]} for row in rows]
    our_cities = data["cities"]
    if cities is None:
        kept_cities = [city for city in our_cities if (city["column"], city["row"]) in places]
    else:
        kept_cities = [city | {"column": x, "row": y} for city, (x, y) in zip(our_cities, cities, strict=False)]
    if last_place is not None:
        for city in kept_cities:
            is_last = (city["column"], city["row"]) == last_place
            city["city_class"] = "blue" if is_last else {"blue": "red"}.get(city["city_class"], city["city_class"])
    data["cities"] = kept_cities
    pairs = [(tuple(a), tuple(b)) for hatched in data["borders"] for a, b in hatched["between"]]
    wanted_borders = [(a, b) for a, b in (pairs if borders is None else borders) if a in places and b in places]
    data["borders"] = [data["borders"][0] | {"between": [[list(a), list(b)] for a, b in wanted_borders]}]
    data["turn"] |= turn or {}
    if box is not None:
        data["box"]["locomotives"] = box
    data["provenance"] = [source for source in data["provenance"] if not source["of"].startswith("cities.")]
    return text(data)


def random_map(chance: random.Random) -> str:
    """Return the component file of a random small map, which may be unplayable; the caller checks that."""
    tower = (9, 4)
    wide = chance.randint(1, 2)
    block = {(x, y) for x in range(9 - wide - 1, 11 + wide) for y in range(4 - wide, 5 + wide + chance.randint(0, 2))}
    stations = {(9, 3), (10, 4), (9, 5), (8, 5), (8, 4), (8, 3)}
    places: set[Place] = {place for place in sorted(block) if chance.random() > 0.25} | stations | {tower}
    land = places - stations - {tower}
    touching_pairs = [
        (a, b) for a in sorted(places) for b in sorted(places) if a < b and touch(a, b) and tower not in (a, b)
    ]
    borders = [pair for pair in touching_pairs if chance.random() < 0.12]
    parted = {frozenset(pair) for pair in borders}
    reached_places = set(stations)
    path_ends = set(stations)
    while path_ends:
        end = path_ends.pop()
        new_cells = {p for p in land - reached_places if touch(end, p) and frozenset((end, p)) not in parted}
        reached_places |= new_cells
        path_ends |= new_cells
    places = reached_places | {tower}
    cities = chance.sample(sorted(reached_places - stations), min(len(reached_places - stations), chance.randint(2, 6)))
    turn = {
        "rural_capacity": chance.choice([1, 2, 2, 3]),
        "city_capacity": chance.choice([1, 1, 1, 2]),
        "most_locomotives": chance.choice([1, 3, 5]),
    }
    last_place = cities[-1] if cities else None
    return components_with_hexes(
        places, cities=cities, last_place=last_place, borders=borders, turn=turn, box=chance.choice([15, 33])
    )
