"""Where things lie on the plate: the geometry of the map, and how wide its words are.

Hexes stand on a corner and are named by column and row; the hexes of odd rows are shifted half a hex to the right. One
unit of the drawing is about one kilometre. Every corner and centre lies on a grid of half hex widths and half radii, so
corners of neighbouring hexes are equal as whole numbers and the coast can be followed from corner to corner.

>>> centre(9, 4)
(623.5, 240.0)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

RADIUS: Final = 40.0
"""From the centre of a hex to a corner."""
WIDTH: Final = RADIUS * math.sqrt(3)
"""From side to side, and from a hex to the next in its row."""
MARGIN: Final = 36.0
"""Of the plate, round the outermost hexes."""
NAME_SIZE: Final = 14.0
"""Height of the letters of a city's name."""
NAME_WIDTH: Final = WIDTH - 1.5
"""The widest a line of a name may be."""
Cell = tuple[int, int]
"""A hex: column and row."""

_CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Clockwise from the top, in half widths and half radii from the centre."""


class Frame(NamedTuple):
    """A rectangle: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Frame) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def __str__(self) -> str:
        return f"{number(self.x)} {number(self.y)} {number(self.width)} {number(self.height)}"


class Side(NamedTuple):
    """The side two hexes share: its middle, and the angle in degrees it makes with the horizontal."""

    x: float
    y: float
    angle: float


def number(value: float) -> str:
    """A coordinate as it is written, with one decimal at most.

    >>> number(623.538), number(240.0), number(-0.01)
    ('623.5', '240', '0')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _grid(column: int, row: int) -> tuple[int, int]:
    return 2 * column + row % 2, 3 * row


def _point(across: int, down: int) -> tuple[float, float]:
    return round(across * WIDTH / 2, 1), round(down * RADIUS / 2, 1)


def centre(column: int, row: int) -> tuple[float, float]:
    """The middle of a hex."""
    return _point(*_grid(column, row))


def outline() -> str:
    """A hex round the origin, as the data of an SVG path."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (_point(*corner) for corner in _CORNERS)) + "Z"


def side(first: Cell, second: Cell) -> Side:
    """The side between two neighbouring hexes."""
    (x1, y1), (x2, y2) = centre(*first), centre(*second)
    across = math.degrees(math.atan2(y2 - y1, x2 - x1))
    return Side(round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1), round((across + 90) % 180))


def frame(cells: Collection[Cell]) -> Frame:
    """The plate: all hexes and the margin."""
    corners = [
        _point(across + dx, down + dy) for across, down in (_grid(*cell) for cell in cells) for dx, dy in _CORNERS
    ]
    left, top = (math.floor(min(values) - MARGIN) for values in zip(*corners, strict=True))
    right, bottom = (math.ceil(max(values) + MARGIN) for values in zip(*corners, strict=True))
    return Frame(left, top, right - left, bottom - top)


def box(column: int, row: int) -> Frame:
    """The rectangle round a hex."""
    x, y = centre(column, row)
    return Frame(x - WIDTH / 2, y - RADIUS, WIDTH, 2 * RADIUS)


def coast(cells: Collection[Cell]) -> str:
    """The outline of the whole land, holes included, as the data of an SVG path."""
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (_point(*corner) for corner in loop)) + "Z"
        for loop in _loops(cells)
    )


def _loops(cells: Collection[Cell]) -> Iterator[list[tuple[int, int]]]:
    land = {_grid(*cell) for cell in cells}
    onward: dict[tuple[int, int], tuple[int, int]] = {}
    for across, down in sorted(land):
        for (x1, y1), (x2, y2) in zip(_CORNERS, _CORNERS[1:] + _CORNERS[:1], strict=True):
            if (across + x1 + x2, down + y1 + y2) not in land:  # the hex beyond this side
                onward[across + x1, down + y1] = (across + x2, down + y2)
    while onward:
        start, point = onward.popitem()
        loop = [start]
        while point != start:
            loop.append(point)
            point = onward.pop(point)
        yield loop


_NARROW, _WIDE = frozenset("iljtfrIJ'’.-,: "), frozenset("mwMWŒÆ")


def width(text: str, size: float = NAME_SIZE) -> float:
    """About how wide a text is in an upright serif face of this size; a few percent too wide rather than too narrow.

    >>> width("Metz") < width("Cherbourg") < NAME_WIDTH < width("Strasbourg")
    True
    """
    return round(
        size
        * sum(
            0.34 if letter in _NARROW else 0.86 if letter in _WIDE else 0.72 if letter.isupper() else 0.53
            for letter in text
        ),
        1,
    )


def lines(name: str, size: float = NAME_SIZE) -> tuple[str, ...]:
    """A name in one line, or in two where it is too wide for a hex and has a place to break.

    >>> lines("Besançon"), lines("Clermont-Ferrand"), lines("Straatsburg")
    (('Besançon',), ('Clermont-', 'Ferrand'), ('Straatsburg',))
    """
    if width(name, size) <= NAME_WIDTH:
        return (name,)
    breaks = [i + 1 for i, letter in enumerate(name[:-1]) if letter in " -"]
    if not breaks:
        return (name,)
    middle = min(breaks, key=lambda i: max(width(name[:i]), width(name[i:])))
    return name[:middle].rstrip(), name[middle:]
