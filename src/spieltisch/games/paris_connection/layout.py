"""Positions on the map of Paris Connection, for `board.svg`. One unit is about one kilometre."""

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from spieltisch.core.words import Message, Name, Words, message, messages
from spieltisch.drawing.hex_grid import Frame, Grid, Side
from spieltisch.drawing.svg_paths import around, number
from spieltisch.drawing.text_fitting import break_name, text_width
from spieltisch.games.paris_connection.board import Board, Border, Hex, Place, neighbours

GRID: Final = Grid(radius=40)
MARGIN: Final = 26.0
"""The margin of the map around the outermost hexes."""
NAME_SIZE: Final = 21.1
"""The size of text on the map: 14 pixels on a desktop, and 11.5 on a laptop."""
STATION_SIZE: Final = 20.5
"""The size of the names of stations, which a laptop's map does not print."""
OVERVIEW_SIZE: Final = 33.0
"""The size of the names on a small map, 9 pixels on the narrowest phone: only names with room are printed there."""
OVERVIEW_SHIFTS: Final = (0.0, -12.0, 12.0, -24.0, 24.0)
"""Shifts of such a name from the middle of its hex; the first at which it covers nothing is taken."""
OVERVIEW_MEDAL: Final = 17.5
"""The radius of a city's value on a small map."""
OVERVIEW_MEDAL_Y: Final = (-34.0, -16.0)
"""The y of a city's value on a small map from the centre of the hex: above a name, and without one."""
OVERVIEW_NAME_Y: Final = 4.0
"""The y of a name on a small map from the centre of its hex."""
LEADING: Final = 15.2
"""The distance between the lines of a name."""
ROOM: Final = {"named": GRID.width / 2 - 2, "border": 39.0, "free": GRID.width - 20, "tower": 58.0}
"""The room of a name from its middle to one side, by its neighbour.

To the edge if the next hex has a name, across a hatched border, to the position of the next hex's locomotive, and to
the tower.
"""
SQUEEZE: Final = 1.12
"""The factor by which the estimated width of a name may exceed its room before the name is broken into lines."""
OUR_MAP: Final = "france-1"
"""The set of components on whose map France's neighbours are drawn; another map may have another scale."""
FAR: Final = 115.0
"""The maximum average distance between mountains and their name beyond the frontier."""
MEDAL_Y: Final = (-28.5, -41.1)
"""The y of a city's value from the centre of the hex, above a name of one line and of two."""
MEDALS: Final = 4
TEXTURES: Final = 4
"""The numbers of medals and of textures that board.svg defines."""
ALONE: Final = (0.0, 1.0)
PAIR: Final = ((0.0, -14.5), (0.0, 15.5))
"""The positions of locomotives in a rural hex, from its centre: one, and two."""
BELOW: Final = (0.0, 17.5)
"""The position of a locomotive in a city or a station, below the name."""
ABREAST: Final = (17.5, 28.0)
"""Two locomotives in a station, if stations are open: distance below its centre, and distance apart."""
MAP_BORDERS: Final = (3.0, 6.5, 10.0)
"""From the edge of the map to its outer line, to the middle of the scale, and to its inner line."""
ROUND: Final = (30.5, 33.0)
"""Distances from the middle of a hex at which track passes its name: entry from above, and bend."""
LAYERS: Final = ("rural", "tower", "station", "city")
"""The order in which hexes are drawn, so that the heavier outlines are on top."""
DEPTHS: Final = (3.5, 8.0, 13.5, 20.0, 27.5)
"""The distances of the lines in the water from the coast."""
FIRST_LINE: Final = {("city", 1): -1.3, ("city", 2): -15.3, ("station", 1): -6.0, ("station", 2): -15.1}
"""The y of the first line of a name from the centre of the hex, by the number of lines."""
INSET: Final = 15.0
"""The distance from the edge of the map to the legend."""
LEGEND: Final = (250.0, 104.0)
"""Width of the legend, and its height without the lines of the city classes."""
LEGEND_LINE: Final = 28.0


def printed(board: Board, name: str, words: Words, *, open_stations: bool = False) -> dict[str, Any]:
    """Return everything that is drawn once, for a board, the name of its set of components and a language."""
    frame, legend = frames(board)
    overview = overview_names(board, words)
    return {
        "frame": frame,
        "overview": [{"text": line.text, "x": number(line.x), "y": number(line.y)} for line in overview.values()],
        "name_sizes": {"all": NAME_SIZE, "station": STATION_SIZE, "overview": OVERVIEW_SIZE},
        "overview_medal": OVERVIEW_MEDAL_Y,
        "legend": legend,
        "map_borders": [frame.inset(by) for by in MAP_BORDERS],
        "country": name == OUR_MAP,
        "outline": GRID.outline,
        "coast": GRID.coast(board.at),
        "star": around(*(14.6, 10.6) * 8, decimals=1),
        "waterlines": [
            {"outer": number(2 * depth + 0.8), "inner": number(2 * depth - 0.8), "strength": round(1 - depth / 36, 2)}
            for depth in reversed(DEPTHS)
        ],
        "classes": [
            {
                "id": city_class.id,
                "medal": _medal(rank),
                "value": city_class.value,
                "name": words.say(city_class.name),
                "y": number(104 + LEGEND_LINE * rank),
            }
            for rank, city_class in enumerate(board.city_classes)
        ],
        "hexes": sorted(
            ({**_hex(board, h, words, open_stations), "in_overview": h.number in overview} for h in board.hexes),
            key=lambda h: LAYERS.index(h["kind"]),
        ),
        "borders": [_side(board, border)._asdict() for border in board.borders],
        "ranges": [
            line
            for places, lines in names_of_ranges(board, words).items()
            if board.at.keys().isdisjoint(places)
            for line in lines
        ],
        "tower": at(board.hexes[board.tower]),
    }


@lru_cache(maxsize=16)
def frames(board: Board) -> tuple[Frame, Frame]:
    """Return the frames of the whole map and of the legend, in a corner without hexes, or below the hexes."""
    whole = GRID.frame(board.at, MARGIN)
    width, height = LEGEND[0], LEGEND[1] + LEGEND_LINE * (len(board.city_classes) + 1)
    left, right = whole.x + INSET, whole.x + whole.width - INSET - width
    top, bottom = whole.y + INSET, whole.y + whole.height - INSET - height
    for x, y in ((left, bottom), (left, top), (right, bottom), (right, top)):
        legend = Frame(x, y, width, height)
        if not any(legend.meets(GRID.box(*place)) for place in board.at):
            return whole, legend
    below = whole.y + whole.height
    return whole._replace(height=whole.height + height + INSET), Frame(left, below, width, height)


def _medal(rank: int) -> str:
    """Return the shape around a city's value: one for each class; further classes share the last one."""
    return f"medal-{min(rank, MEDALS - 1)}"


def at(hexagon: Hex, offset: tuple[float, float] = (0, 0)) -> dict[str, str]:
    """Return the coordinates of the centre of a hex, plus an offset."""
    x, y = GRID.centre(hexagon.column, hexagon.row)
    return {"x": number(x + offset[0]), "y": number(y + offset[1])}


def _hex(board: Board, hexagon: Hex, words: Words, open_stations: bool) -> dict[str, Any]:
    lines = label(board, hexagon, words.say(hexagon.name)) if hexagon.kind in ("city", "station") else []
    city = hexagon.kind == "city"
    rank = [city_class.id for city_class in board.city_classes].index(hexagon.city_class) if city else 0
    return {
        "id": hexagon.place,
        "kind": hexagon.kind,
        **at(hexagon),
        "look": f"city city-{hexagon.city_class}" if city else hexagon.kind,
        "texture": _texture(board, hexagon),
        "medal": _medal(rank) if city else "",
        "medal_y": number(MEDAL_Y[len(lines) - 1]) if city else "",
        "value": hexagon.value,
        "goal": hexagon.ends_game,
        "title": words.say(_title(hexagon, open_stations)),
        "lines": lines,
    }


def label(board: Board, hexagon: Hex, name: str) -> list[dict[str, Any]]:
    """Return the lines of the name in a city or station hex.

    For each line: text, middle from the centre of the hex, and estimated width; `squeezed` is the width that a line
    must be squeezed to, "" for one that fits. A name that is too wide for its hex extends over free neighbours; one too
    wide for these is broken.
    """
    size = NAME_SIZE if hexagon.kind == "city" else STATION_SIZE
    name = name if hexagon.kind == "city" else name.removeprefix("Gare ")
    left, right = (_room(board, hexagon, step) for step in (-1, 1))
    texts = break_name(name, size, SQUEEZE * (left + right))
    lines = []
    for k, line in enumerate(texts):
        width = min(text_width(line, size), left + right)
        lines.append(
            {
                "text": line,
                "x": number(min(max(0.0, width / 2 - left), right - width / 2)),
                "y": number(FIRST_LINE[hexagon.kind, len(texts)] + LEADING * k),
                "width": width,
                "squeezed": number(width) if text_width(line, size) > width else "",
            }
        )
    return lines


class OverviewName(NamedTuple):
    """A city's name on a small map: its text, the middle of its baseline, and its estimated box."""

    text: str
    x: float
    y: float
    box: Frame


def overview_names(board: Board, words: Words) -> dict[int, OverviewName]:
    """Return the names that a small map prints, by the numbers of their hexes.

    These are names of cities worth more than the least, those worth most first. A name that would cover another one, a
    city's value or the tower is left out.
    """
    cities = sorted((h for h in board.hexes if h.kind == "city"), key=lambda h: (-h.value, h.number))
    least = min((city.value for city in cities), default=0)
    sheet = frames(board)[0].inset(MAP_BORDERS[-1] + 3)
    names: dict[int, OverviewName] = {}
    for city in (city for city in cities if city.value > least):
        x, y = GRID.centre(city.column, city.row)
        text = words.say(city.name)
        width = text_width(text, OVERVIEW_SIZE)
        taken = [GRID.box(*_place(board.hexes[board.tower])), *(name.box for name in names.values())]
        for other in cities:
            if other is not city:
                taken += [_overview_medal(other, is_named=is_named) for is_named in {other.number in names, False}]
        value = _overview_medal(city, is_named=True)
        if any(value.meets(name.box) for name in names.values()):
            continue
        for shift in OVERVIEW_SHIFTS:
            middle = min(max(x + shift, sheet.x + width / 2), sheet.x + sheet.width - width / 2)
            top = y + OVERVIEW_NAME_Y - 0.7 * OVERVIEW_SIZE
            box = Frame(middle - width / 2, top, width, 0.9 * OVERVIEW_SIZE)
            if not any(box.meets(other) for other in taken):
                names[city.number] = OverviewName(text, middle, y + OVERVIEW_NAME_Y, box)
                break
    return names


def _place(hexagon: Hex) -> Place:
    return hexagon.column, hexagon.row


def _overview_medal(city: Hex, *, is_named: bool) -> Frame:
    x, y = GRID.centre(city.column, city.row)
    radius, top = OVERVIEW_MEDAL, y + OVERVIEW_MEDAL_Y[0 if is_named else 1]
    return Frame(x - radius, top - radius, 2 * radius, 2 * radius)


def _room(board: Board, hexagon: Hex, step: int) -> float:
    """Return the room of a name from the middle of its hex to the west (-1) or the east (1)."""
    place = hexagon.column + step, hexagon.row
    other = board.at.get(place)
    if any(place in places for places in _spots(board).values()) or (other and other.kind in ("city", "station")):
        return ROOM["named"]
    if other and other.kind == "tower":
        return ROOM["tower"]
    if other and other.number not in board.adjacent[hexagon.number]:
        return ROOM["border"]
    x, sheet = GRID.centre(hexagon.column, hexagon.row)[0], frames(board)[0].inset(MAP_BORDERS[-1] + 3)
    return min(ROOM["free"], sheet.x + sheet.width - x if step > 0 else x - sheet.x)


def _title(hexagon: Hex, open_stations: bool) -> Message | Name:
    """Return the tooltip of a hex."""
    if hexagon.kind == "city":
        return messages("{city}: {count} point", "{city}: {count} points", hexagon.value, city=hexagon.name)
    if hexagon.kind == "station" and not open_stations:
        return message("{station}: for one company only", station=hexagon.name)
    if hexagon.kind == "tower":
        return message("{tower}: can’t be built on", tower=hexagon.name)
    return hexagon.name


def _texture(board: Board, hexagon: Hex) -> str:
    """Return the texture of a hex: hills next to a hatched border, fields and woods elsewhere in the country.

    The result is the same for every drawing.
    """
    if hexagon.kind != "rural":
        return ""
    if any(hexagon.number in border.hexes for border in board.borders):
        return "hills"
    return f"land-{(5 * hexagon.column + 3 * hexagon.row + hexagon.column * hexagon.row) % TEXTURES}"


def _side(board: Board, border: Border) -> Side:
    first, second = (board.hexes[index] for index in border.hexes)
    return GRID.side((first.column, first.row), (second.column, second.row))


def names_of_ranges(board: Board, words: Words) -> dict[tuple[Place, ...], list[dict[str, str]]]:
    """Return the names of the mountains, in lines, by the places that they cover.

    The place is one beyond the frontier, or two rural hexes, where a locomotive replaces the name.
    """
    names = {}
    for mountains, places in _spots(board).items():
        name = words.say(next(border.name for border in board.borders if border.range == mountains))
        lines = break_name(name, NAME_SIZE, ROOM["free"] * len(places))
        x, y = _middle(places)
        names[places] = [
            {"text": line, "x": number(x), "y": number(y + NAME_SIZE * (0.9 * k + 0.8 - 0.45 * len(lines)))}
            for k, line in enumerate(lines)
        ]
    return names


@lru_cache(maxsize=16)
def _spots(board: Board) -> dict[str, tuple[Place, ...]]:
    """Return the places of each range's name.

    The place is beyond the frontier if that is near and on the map, else in the nearest two rural hexes.
    """
    rural = {(h.column, h.row) for h in board.hexes if h.kind == "rural"}
    sheet = frames(board)[0].inset(MAP_BORDERS[-1])
    abroad: set[tuple[Place, ...]] = {
        (place,)
        for h in board.hexes
        for place in neighbours(h.column, h.row)
        if place not in board.at and sheet.y < GRID.centre(*place)[1] < sheet.y + sheet.height - NAME_SIZE
    }
    pairs: set[tuple[Place, ...]] = {
        ((column, row), (column + 1, row))
        for column, row in rural & {(column - 1, row) for column, row in rural}
        if board.at[column + 1, row].number in board.adjacent[board.at[column, row].number]
    }
    spots: dict[str, tuple[Place, ...]] = {}
    for mountains in dict.fromkeys(border.range for border in board.borders):
        sides = [_side(board, border) for border in board.borders if border.range == mountains]
        free = [places for places in sorted(abroad | pairs) if not _meet(places, spots.values())]
        distances = {places: _distance(_middle(places), sides) for places in free}
        candidates = [places for places in distances if places in abroad and distances[places] <= FAR]
        candidates = candidates or [places for places in distances if places in pairs]
        if candidates:
            spots[mountains] = min(candidates, key=distances.__getitem__)
    return spots


def _meet(places: tuple[Place, ...], others: Collection[tuple[Place, ...]]) -> bool:
    return any(place in other for place in places for other in others)


def _middle(places: tuple[Place, ...]) -> tuple[float, float]:
    centres = [GRID.centre(*place) for place in places]
    return math.fsum(x for x, _ in centres) / len(centres), centres[0][1]


def _distance(middle: tuple[float, float], sides: Sequence[Side]) -> float:
    x, y = middle
    return math.fsum(math.hypot(side.x - x, side.y - y) for side in sides) / len(sides)


def spots(hexagon: Hex, count: int) -> list[tuple[float, float]]:
    """Return the positions of the locomotives of a hex, from its centre."""
    if count == 1:
        return [ALONE if hexagon.kind == "rural" else BELOW]
    if hexagon.kind != "rural":
        down, apart = ABREAST
        return [(2 * apart / count * (k - (count - 1) / 2), down) for k in range(count)]
    (x1, y1), (x2, y2) = PAIR
    return [(x1 + (x2 - x1) * k / (count - 1), y1 + (y2 - y1) * k / (count - 1)) for k in range(count)]


def track(first: Hex, first_spot: tuple[float, float], second: Hex, second_spot: tuple[float, float]) -> str:
    """Return the path between two locomotives.

    The second is in the same row or further down. The path goes around the name of a city or station.
    """
    (x, y), (to_x, to_y) = (GRID.centre(hexagon.column, hexagon.row) for hexagon in (first, second))
    start = f"M{number(x + first_spot[0])} {number(y + first_spot[1])}"
    end = f"{number(to_x + second_spot[0])} {number(to_y + second_spot[1])}"
    if first.row == second.row or second.kind not in ("city", "station"):
        return f"{start}L{end}"
    side, bend = (math.copysign(across, x - to_x) for across in ROUND)
    past = f"{number(to_x + side)} {number(to_y - GRID.radius * 0.55)}"
    return f"{start}L{past}Q{number(to_x + bend)} {number(to_y + second_spot[1])} {end}"


def size(hexagon: Hex, count: int) -> float:
    """Return the size of the locomotives of a hex: they are smaller where several stand side by side."""
    return 1.0 if hexagon.kind == "rural" or count < 3 else round(2 / count, 3)
