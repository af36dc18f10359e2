"""The plate: the map of Paris Connection as `board.svg` and `style.css` are given it, and where things stand on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from spieltisch.core.words import Message, Name, Words, message, messages
from spieltisch.games.paris_connection import layout
from spieltisch.games.paris_connection.board import Place, neighbours
from spieltisch.games.paris_connection.layout import Frame, Side, number

if TYPE_CHECKING:
    from spieltisch.games.paris_connection.board import Board, Border, Hex

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
NEATLINES: Final = (3.0, 6.5, 10.0)
"""From the edge of the plate to its outer line, to the middle of the scale, and to its inner line."""
LAYERS: Final = ("rural", "tower", "station", "city")
"""The order in which hexes are drawn, so that the heavier outlines lie above."""
DEPTHS: Final = (3.5, 8.0, 13.5, 20.0, 27.5)
"""How far from the coast the lines in the water run."""
FIRST_LINE: Final = {("city", 1): -2.5, ("city", 2): -11.5, ("station", 1): -9.0, ("station", 2): -14.5}
"""Where the first line of a name is written, from the centre of the hex, by the number of lines."""
INSET: Final = 20.0
"""From the edge of the plate to the legend."""
LEGEND: Final = (236.0, 98.0)
"""Width of the legend, and its height without the lines of the city classes."""
LEGEND_LINE: Final = 27.0
PATTERNS: Final = {
    "solid": (12, 12, 0),
    "stripes": (4.4, 4.4, -45),
    "dots": (5.2, 5.2, 0),
    "chevrons": (6, 5, 90),
    "grid": (5, 5, 0),
    "waves": (8, 5.2, 0),
}
"""Width and height of the repeated piece of a company's pattern, and the angle it is turned by."""


def engraving(board: Board, name: str, words: Words) -> dict[str, Any]:
    """All that is drawn once, for a board, the name of its set of components and a language."""
    frame, legend = plate(board)
    return {
        "frame": frame,
        "legend": legend,
        "neatlines": [_inset(frame, by) for by in NEATLINES],
        "country": name == OUR_MAP,
        "patterns": PATTERNS,
        "outline": layout.outline(),
        "coast": layout.coast([(h.column, h.row) for h in board.hexes]),
        "star": _star(8, 11.8, 8.4),
        "waterlines": [
            {
                "outer": number(2 * depth + 0.8),
                "inner": number(2 * depth - 0.8),
                "strength": round(1 - depth / 36, 2),
            }
            for depth in reversed(DEPTHS)
        ],
        "companies": board.companies,
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
        "hexes": sorted((_hex(board, h, words) for h in board.hexes), key=lambda h: LAYERS.index(h["kind"])),
        "borders": [_side(board, border)._asdict() for border in board.borders],
        "ranges": [
            line for place, lines in names_of_ranges(board, words).items() if place not in board.at for line in lines
        ],
        "tower": at(board.hexes[board.tower]),
    }


@lru_cache(maxsize=16)
def plate(board: Board) -> tuple[Frame, Frame]:
    """The frame of the whole plate, and of the legend: in a corner where no hex lies, or below the map."""
    whole = layout.frame([(h.column, h.row) for h in board.hexes])
    width, height = LEGEND[0], LEGEND[1] + LEGEND_LINE * (len(board.city_classes) + 1)
    left, right = whole.x + INSET, whole.x + whole.width - INSET - width
    top, bottom = whole.y + INSET, whole.y + whole.height - INSET - height
    for x, y in ((left, bottom), (left, top), (right, bottom), (right, top)):
        legend = Frame(x, y, width, height)
        if not any(legend.meets(layout.box(h.column, h.row)) for h in board.hexes):
            return whole, legend
    below = whole.y + whole.height
    return whole._replace(height=whole.height + height + INSET), Frame(left, below, width, height)


def _inset(frame: Frame, by: float) -> Frame:
    return Frame(frame.x + by, frame.y + by, frame.width - 2 * by, frame.height - 2 * by)


def _star(points: int, outer: float, inner: float) -> str:
    """A star round the origin, as the data of an SVG path."""
    corners = [
        (radius * math.sin(math.pi * k / points), -radius * math.cos(math.pi * k / points))
        for k, radius in enumerate([outer, inner] * points)
    ]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def _medal(rank: int) -> str:
    """The shape that a city's value stands in: one for each class, the last for all that come after."""
    return f"medal-{min(rank, MEDALS - 1)}"


def at(hexagon: Hex, offset: tuple[float, float] = (0, 0)) -> dict[str, str]:
    x, y = layout.centre(hexagon.column, hexagon.row)
    return {"x": number(x + offset[0]), "y": number(y + offset[1])}


def _hex(board: Board, hexagon: Hex, words: Words) -> dict[str, Any]:
    lines = label(words.say(hexagon.name), hexagon.kind) if hexagon.kind in ("city", "station") else []
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
        "title": words.say(_title(hexagon)),
        "lines": lines,
    }


def label(name: str, kind: str) -> list[dict[str, Any]]:
    """The lines of the name in a city or station hex: text, height from the centre, size and about how wide; `squeezed`
    is the width a line is to be squeezed to, "" for one that fits. A name too wide is written smaller, then broken."""
    name = name if kind == "city" else name.removeprefix("Gare ")
    size = layout.NAME_SIZE if kind == "city" and layout.width(name) <= layout.NAME_WIDTH else SMALL_SIZE
    lines = layout.lines(name, size)
    return [
        {
            "text": line,
            "y": number(FIRST_LINE[kind, len(lines)] + (size - 1) * k),
            "size": size,
            "small": size < layout.NAME_SIZE,
            "width": min(layout.width(line, size), layout.NAME_WIDTH),
            "squeezed": number(layout.NAME_WIDTH) if layout.width(line, size) > layout.NAME_WIDTH else "",
        }
        for k, line in enumerate(lines)
    ]


def _title(hexagon: Hex) -> Message | Name:
    """What is said of a hex under the pointer."""
    if hexagon.kind == "city":
        return messages("{city}: {count} point", "{city}: {count} points", hexagon.value, city=hexagon.name)
    if hexagon.kind == "station":
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
    return layout.side((first.column, first.row), (second.column, second.row))


def names_of_ranges(board: Board, words: Words) -> dict[Place, list[dict[str, str]]]:
    """The names of the mountains, in lines, by the place where they are written: some beyond the frontier, some in a
    rural hex, where a locomotive takes the place of the name."""
    written = {}
    for mountains, place in _spots(board).items():
        name = words.say(next(border.name for border in board.borders if border.range == mountains))
        lines = layout.lines(name, RANGE_SIZE) if place in board.at else (name,)
        x, y = layout.centre(*place)
        written[place] = [
            {"text": line, "x": number(x), "y": number(y + RANGE_SIZE * (k + 0.8 - len(lines) / 2))}
            for k, line in enumerate(lines)
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
    x, y = layout.centre(*place)
    return sum(math.hypot(side.x - x, side.y - y) for side in sides) / len(sides)


def spots(hexagon: Hex, count: int) -> list[tuple[float, float]]:
    """Where the locomotives of a hex stand, from its centre."""
    if hexagon.kind != "rural":
        return [BELOW] * count
    if count == 1:
        return [ALONE]
    (x1, y1), (x2, y2) = PAIR
    return [(x1 + (x2 - x1) * k / (count - 1), y1 + (y2 - y1) * k / (count - 1)) for k in range(count)]
