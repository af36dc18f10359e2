"""Small maps for the tests: component files made from the one we play with by cutting away."""

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
    """Data as TOML: plain values first, then tables and lists of tables, a line for each of their values."""
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


def cut(
    keep: Iterable[Place],
    *,
    cities: Iterable[Place] | None = None,
    last: Place | None = None,
    borders: Iterable[tuple[Place, Place]] | None = None,
    turn: dict[str, int] | None = None,
    box: int | None = None,
) -> str:
    """The text of a component file with only the hexes `keep` of our France.

    `cities`: where they lie (they get the names of ours, in turn; else ours that are left); `last`: the city that
    ends the game; `borders`: else ours that are left; `turn`: other numbers; `box`: locomotives of a company.
    """
    data = tomllib.loads(GAME.components.text)
    places = sorted(set(keep), key=lambda place: (place[1], place[0]))
    rows = sorted({row for _, row in places})
    data["rows"] = [{"row": row, "columns": [x for x, y in places if y == row]} for row in rows]
    our_cities = data["cities"]
    if cities is None:
        kept = [city for city in our_cities if (city["column"], city["row"]) in places]
    else:
        kept = [city | {"column": x, "row": y} for city, (x, y) in zip(our_cities, cities, strict=False)]
    if last is not None:
        for city in kept:
            is_last = (city["column"], city["row"]) == last
            city["city_class"] = "blue" if is_last else {"blue": "red"}.get(city["city_class"], city["city_class"])
    data["cities"] = kept
    pairs = [(tuple(a), tuple(b)) for hatched in data["borders"] for a, b in hatched["between"]]
    wanted = [(a, b) for a, b in (pairs if borders is None else borders) if a in places and b in places]
    data["borders"] = [data["borders"][0] | {"between": [[list(a), list(b)] for a, b in wanted]}]
    data["turn"] |= turn or {}
    if box is not None:
        data["box"]["locomotives"] = box
    data["provenance"] = [source for source in data["provenance"] if not source["of"].startswith("cities.")]
    return text(data)


def random_map(chance: random.Random) -> str:
    """A small awkward map: what is left of a few hexes round the stations when some are taken away at random.

    It need not be one that can be played: whoever asks has it checked.
    """
    tower = (9, 4)
    wide = chance.randint(1, 2)
    block = {(x, y) for x in range(9 - wide - 1, 11 + wide) for y in range(4 - wide, 5 + wide + chance.randint(0, 2))}
    stations = {(9, 3), (10, 4), (9, 5), (8, 5), (8, 4), (8, 3)}
    places: set[Place] = {place for place in sorted(block) if chance.random() > 0.25} | stations | {tower}
    land = places - stations - {tower}
    near = [(a, b) for a in sorted(places) for b in sorted(places) if a < b and touch(a, b) and tower not in (a, b)]
    borders = [pair for pair in near if chance.random() < 0.12]
    parted = {frozenset(pair) for pair in borders}
    reached = set(stations)
    ends = set(stations)
    while ends:
        end = ends.pop()
        new = {p for p in land - reached if touch(end, p) and frozenset((end, p)) not in parted}
        reached |= new
        ends |= new
    places = reached | {tower}
    cities = chance.sample(sorted(reached - stations), min(len(reached - stations), chance.randint(2, 6)))
    turn = {
        "rural_capacity": chance.choice([1, 2, 2, 3]),
        "city_capacity": chance.choice([1, 1, 1, 2]),
        "most_locomotives": chance.choice([1, 3, 5]),
    }
    last = cities[-1] if cities else None
    return cut(places, cities=cities, last=last, borders=borders, turn=turn, box=chance.choice([15, 33]))
