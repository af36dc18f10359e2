"""Where things lie on the map of Paris Connection, as `board.svg` is given it. One unit is about one kilometre."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from spieltisch.core.words import Message, Name, Words, message, messages
from spieltisch.drawing.hexes import Frame, Grid, Side
from spieltisch.drawing.lettering import lines, width
from spieltisch.drawing.paths import around, number
from spieltisch.games.paris_connection.board import Place, neighbours

if TYPE_CHECKING:
    from spieltisch.games.paris_connection.board import Board, Border, Hex

GRID: Final = Grid(radius=40)
MARGIN: Final = 36.0
"""Of the map, round the outermost hexes."""
NAME_SIZE: Final = 14.0
"""Height of the letters of a city's name."""
NAME_WIDTH: Final = GRID.width - 1.5
"""The widest a line of a name may be."""
OUR_MAP: Final = "france-1"
"""The set of components whose map has France's neighbours drawn round it; another map may have another scale."""
SMALL_SIZE: Final = 12.0
"""Height of the letters of a station's name, and of a city's that is long or takes two lines."""
RANGE_SIZE: Final = 10.0
FAR: Final = 115.0
"""How far from its mountains, on average, a name may be written over the frontier."""
MEDAL_Y: Final = (-24.0, -29.5)
"""Where a city's value stands, from the centre of the hex, above a name of one line and of two."""
MEDALS: Final = 4
TEXTURES: Final = 4
"""How many medals and textures board.svg defines."""
ALONE: Final = (0.0, 1.0)
PAIR: Final = ((0.0, -14.5), (0.0, 15.5))
"""Where locomotives stand in a rural hex, from its centre: one, and two."""
BELOW: Final = (0.0, 16.5)
"""Where a locomotive stands in a city or a station, below the name."""
ABREAST: Final = (13.5, 29.0, 0.75)
"""Where stations are open two stand there: how far below its centre, how far apart, and how large."""
NEATLINES: Final = (3.0, 6.5, 10.0)
"""From the edge of the map to its outer line, to the middle of the scale, and to its inner line."""
LAYERS: Final = ("rural", "tower", "station", "city")
"""The order in which hexes are drawn, so that the heavier outlines lie above."""
DEPTHS: Final = (3.5, 8.0, 13.5, 20.0, 27.5)
"""How far from the coast the lines in the water run."""
FIRST_LINE: Final = {("city", 1): -2.5, ("city", 2): -11.5, ("station", 1): -9.0, ("station", 2): -14.5}
"""Where the first line of a name is written, from the centre of the hex, by the number of lines."""
INSET: Final = 20.0
"""From the edge of the map to the legend."""
LEGEND: Final = (236.0, 98.0)
"""Width of the legend, and its height without the lines of the city classes."""
LEGEND_LINE: Final = 27.0


def printed(board: Board, name: str, words: Words, *, open_stations: bool = False) -> dict[str, Any]:
    """All that is drawn once, for a board, the name of its set of components and a language."""
    frame, legend = frames(board)
    return {
        "frame": frame,
        "legend": legend,
        "neatlines": [frame.inset(by) for by in NEATLINES],
        "country": name == OUR_MAP,
        "outline": GRID.outline,
        "coast": GRID.coast(board.at),
        "star": around(*(11.8, 8.4) * 8, decimals=1),
        "waterlines": [
            {
                "outer": number(2 * depth + 0.8),
                "inner": number(2 * depth - 0.8),
                "strength": round(1 - depth / 36, 2),
            }
            for depth in reversed(DEPTHS)
        ],
        "classes": [
            {
                "id": city_class.id,
                "medal": _medal(rank),
                "value": city_class.value,
                "name": words.say(city_class.name),
                "y": number(98 + LEGEND_LINE * rank),
            }
            for rank, city_class in enumerate(board.city_classes)
        ],
        "hexes": sorted(
            (_hex(board, h, words, open_stations) for h in board.hexes), key=lambda h: LAYERS.index(h["kind"])
        ),
        "borders": [_side(board, border)._asdict() for border in board.borders],
        "ranges": [
            line for place, named in names_of_ranges(board, words).items() if place not in board.at for line in named
        ],
        "tower": at(board.hexes[board.tower]),
    }


@lru_cache(maxsize=16)
def frames(board: Board) -> tuple[Frame, Frame]:
    """The frame of the whole map, and of the legend: in a corner where no hex lies, or below the hexes."""
    whole = GRID.frame(board.at, MARGIN)
    wide, height = LEGEND[0], LEGEND[1] + LEGEND_LINE * (len(board.city_classes) + 1)
    left, right = whole.x + INSET, whole.x + whole.width - INSET - wide
    top, bottom = whole.y + INSET, whole.y + whole.height - INSET - height
    for x, y in ((left, bottom), (left, top), (right, bottom), (right, top)):
        legend = Frame(x, y, wide, height)
        if not any(legend.meets(GRID.box(*place)) for place in board.at):
            return whole, legend
    below = whole.y + whole.height
    return whole._replace(height=whole.height + height + INSET), Frame(left, below, wide, height)


def _medal(rank: int) -> str:
    """The shape that a city's value stands in: one for each class, the last for all that come after."""
    return f"medal-{min(rank, MEDALS - 1)}"


def at(hexagon: Hex, offset: tuple[float, float] = (0, 0)) -> dict[str, str]:
    x, y = GRID.centre(hexagon.column, hexagon.row)
    return {"x": number(x + offset[0]), "y": number(y + offset[1])}


def _hex(board: Board, hexagon: Hex, words: Words, open_stations: bool) -> dict[str, Any]:
    lettered = label(words.say(hexagon.name), hexagon.kind) if hexagon.kind in ("city", "station") else []
    city = hexagon.kind == "city"
    rank = [city_class.id for city_class in board.city_classes].index(hexagon.city_class) if city else 0
    return {
        "id": hexagon.place,
        "kind": hexagon.kind,
        **at(hexagon),
        "look": f"city city-{hexagon.city_class}" if city else hexagon.kind,
        "texture": _texture(board, hexagon),
        "medal": _medal(rank) if city else "",
        "medal_y": number(MEDAL_Y[len(lettered) - 1]) if city else "",
        "value": hexagon.value,
        "goal": hexagon.ends_game,
        "title": words.say(_title(hexagon, open_stations)),
        "lines": lettered,
    }


def label(name: str, kind: str) -> list[dict[str, Any]]:
    """The lines of the name in a city or station hex: text, height from the centre, size and about how wide; `squeezed`
    is the width a line is to be squeezed to, "" for one that fits. A name too wide is written smaller, then broken."""
    name = name if kind == "city" else name.removeprefix("Gare ")
    size = NAME_SIZE if kind == "city" and width(name, NAME_SIZE) <= NAME_WIDTH else SMALL_SIZE
    found = lines(name, size, NAME_WIDTH)
    return [
        {
            "text": line,
            "y": number(FIRST_LINE[kind, len(found)] + (size - 1) * k),
            "size": size,
            "small": size < NAME_SIZE,
            "width": min(width(line, size), NAME_WIDTH),
            "squeezed": number(NAME_WIDTH) if width(line, size) > NAME_WIDTH else "",
        }
        for k, line in enumerate(found)
    ]


def _title(hexagon: Hex, open_stations: bool) -> Message | Name:
    """What is said of a hex under the pointer."""
    if hexagon.kind == "city":
        return messages("{city}: {count} point", "{city}: {count} points", hexagon.value, city=hexagon.name)
    if hexagon.kind == "station" and not open_stations:
        return message("{station}: for one company only", station=hexagon.name)
    if hexagon.kind == "tower":
        return message("{tower}: never occupied", tower=hexagon.name)
    return hexagon.name


def _texture(board: Board, hexagon: Hex) -> str:
    """Hills beside a hatched border, fields and woods elsewhere in the country; the same at every drawing."""
    if hexagon.kind != "rural":
        return ""
    if any(hexagon.number in border.hexes for border in board.borders):
        return "hills"
    return f"land-{(5 * hexagon.column + 3 * hexagon.row + hexagon.column * hexagon.row) % TEXTURES}"


def _side(board: Board, border: Border) -> Side:
    first, second = (board.hexes[index] for index in border.hexes)
    return GRID.side((first.column, first.row), (second.column, second.row))


def names_of_ranges(board: Board, words: Words) -> dict[Place, list[dict[str, str]]]:
    """The names of the mountains, in lines, by the place where they are written: some beyond the frontier, some in a
    rural hex, where a locomotive takes the place of the name."""
    written = {}
    for mountains, place in _spots(board).items():
        name = words.say(next(border.name for border in board.borders if border.range == mountains))
        found = lines(name, RANGE_SIZE, NAME_WIDTH) if place in board.at else (name,)
        x, y = GRID.centre(*place)
        written[place] = [
            {"text": line, "x": number(x), "y": number(y + RANGE_SIZE * (k + 0.8 - len(found) / 2))}
            for k, line in enumerate(found)
        ]
    return written


@lru_cache(maxsize=16)
def _spots(board: Board) -> dict[str, Place]:
    """Where each range is named: beyond the frontier where that is near, else in the nearest rural hex."""
    rural = {(h.column, h.row) for h in board.hexes if h.kind == "rural"}
    abroad = {place for h in board.hexes for place in neighbours(h.column, h.row)} - board.at.keys()
    spots: dict[str, Place] = {}
    for mountains in dict.fromkeys(border.range for border in board.borders):
        sides = [_side(board, border) for border in board.borders if border.range == mountains]
        near = {place: _distance(place, sides) for place in sorted((abroad | rural) - set(spots.values()))}
        places = [place for place in near if place in abroad and near[place] <= FAR]
        places = places or [place for place in near if place in rural]
        if places:
            spots[mountains] = min(places, key=near.__getitem__)
    return spots


def _distance(place: Place, sides: Sequence[Side]) -> float:
    x, y = GRID.centre(*place)
    return sum(math.hypot(side.x - x, side.y - y) for side in sides) / len(sides)


def spots(hexagon: Hex, count: int) -> list[tuple[float, float]]:
    """Where the locomotives of a hex stand, from its centre."""
    if count == 1:
        return [ALONE if hexagon.kind == "rural" else BELOW]
    if hexagon.kind != "rural":
        down, apart, _ = ABREAST
        return [(2 * apart / count * (k - (count - 1) / 2), down) for k in range(count)]
    (x1, y1), (x2, y2) = PAIR
    return [(x1 + (x2 - x1) * k / (count - 1), y1 + (y2 - y1) * k / (count - 1)) for k in range(count)]


def size(hexagon: Hex, count: int) -> float:
    """How large the locomotives of a hex are drawn: abreast they are smaller."""
    return 1.0 if hexagon.kind == "rural" or count == 1 else round(ABREAST[2] * 2 / count, 3)
