"""Geometry of hex maps: positions of hexes and their sides, and the outline of the land.

Hexes have a corner at the top and are named by column and row; those of odd rows are shifted right by half a hex. All
corners and centres lie on a grid of half hex widths and half radii, so corners of neighbouring hexes are equal as
integers and the coast can be followed from corner to corner.

>>> Grid(radius=40).centre(9, 4)
(623.5, 240.0)
"""

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from spieltisch.drawing.svg_paths import number, polygon

Cell = tuple[int, int]
"""A hex: column and row."""

CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Corners clockwise from the top, in half widths and half radii from the centre."""


class Frame(NamedTuple):
    """A rectangle: its upper left corner and its size. Its text is an SVG view box."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Frame") -> bool:
        """Return True if the two overlap in more than an edge."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def inset(self, by: float) -> "Frame":
        """Return the rectangle that is smaller by `by` on each side."""
        return Frame(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def __str__(self) -> str:
        return " ".join(map(number, self))


class Side(NamedTuple):
    """The side shared by two hexes: its midpoint, and its angle to the horizontal in degrees."""

    x: float
    y: float
    angle: float


class Grid(NamedTuple):
    """A grid of hexes; `radius` is the distance from centre to corner, in units of the drawing."""

    radius: float

    @property
    def width(self) -> float:
        """The distance between opposite sides, and between the centres of neighbours in a row."""
        return self.radius * math.sqrt(3)

    def centre(self, column: int, row: int) -> tuple[float, float]:
        """Return the centre of a hex."""
        return self._point(*_lattice_point(column, row))

    @property
    def outline(self) -> str:
        """A hex around the origin, as a path."""
        return self._path(CORNERS)

    def side(self, first: Cell, second: Cell) -> Side:
        """Return the side between two neighbouring hexes."""
        (x1, y1), (x2, y2) = self.centre(*first), self.centre(*second)
        across = math.degrees(math.atan2(y2 - y1, x2 - x1))
        return Side(round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1), round((across + 90) % 180))

    def frame(self, cells: Collection[Cell], margin: float) -> Frame:
        """Return the bounding rectangle of hexes with a margin, in whole units."""
        corners = [
            self._point(across + dx, down + dy)
            for across, down in (_lattice_point(*cell) for cell in cells)
            for dx, dy in CORNERS
        ]
        left, top = (math.floor(min(values) - margin) for values in zip(*corners, strict=True))
        right, bottom = (math.ceil(max(values) + margin) for values in zip(*corners, strict=True))
        return Frame(left, top, right - left, bottom - top)

    def box(self, column: int, row: int) -> Frame:
        """Return the bounding rectangle of a hex."""
        x, y = self.centre(column, row)
        return Frame(x - self.width / 2, y - self.radius, self.width, 2 * self.radius)

    def coast(self, cells: Collection[Cell]) -> str:
        """Return the outline of the whole land, holes included, as a path."""
        return "".join(map(self._path, _outline_loops(cells)))

    def _path(self, points: Iterable[tuple[int, int]]) -> str:
        return polygon(self._point(*point) for point in points)

    def _point(self, across: int, down: int) -> tuple[float, float]:
        return round(across * self.width / 2, 1), round(down * self.radius / 2, 1)


def _lattice_point(column: int, row: int) -> tuple[int, int]:
    """Return the centre of a hex, in half widths and half radii."""
    return 2 * column + row % 2, 3 * row


def _outline_loops(cells: Collection[Cell]) -> Iterator[list[tuple[int, int]]]:
    land = {_lattice_point(*cell) for cell in cells}
    next_corner: dict[tuple[int, int], tuple[int, int]] = {}
    for across, down in sorted(land):
        for (x1, y1), (x2, y2) in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True):
            if (across + x1 + x2, down + y1 + y2) not in land:  # the neighbour across this side
                next_corner[across + x1, down + y1] = (across + x2, down + y2)
    while next_corner:
        start, point = next_corner.popitem()
        loop = [start]
        while point != start:
            loop.append(point)
            point = next_corner.pop(point)
        yield loop
