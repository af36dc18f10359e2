"""Maps of hexes: where hexes and their sides lie, and how the coast runs round them.

Hexes stand on a corner and are named by column and row; the hexes of odd rows are shifted half a hex to the right.
Every corner and centre lies on a grid of half hex widths and half radii, so corners of neighbouring hexes are equal as
whole numbers and the coast can be followed from corner to corner.

>>> Grid(radius=40).centre(9, 4)
(623.5, 240.0)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from spieltisch.drawing.svg_paths import number, polygon

Cell = tuple[int, int]
"""A hex: column and row."""

CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Clockwise from the top, in half widths and half radii from the centre."""


class Frame(NamedTuple):
    """A rectangle: its left upper corner and its size. As text it is a view box."""

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

    def inset(self, by: float) -> Frame:
        """The rectangle so far inside this one."""
        return Frame(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def __str__(self) -> str:
        return " ".join(map(number, self))


class Side(NamedTuple):
    """The side two hexes share: its middle, and the angle in degrees it makes with the horizontal."""

    x: float
    y: float
    angle: float


class Grid(NamedTuple):
    """Hexes of one size: `radius` is from the centre of a hex to a corner, in units of the drawing."""

    radius: float

    @property
    def width(self) -> float:
        """From side to side, and from a hex to the next in its row."""
        return self.radius * math.sqrt(3)

    def centre(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a hex."""
        return self._point(*_place(column, row))

    @property
    def outline(self) -> str:
        """A hex round the origin, as a path."""
        return self._path(CORNERS)

    def side(self, first: Cell, second: Cell) -> Side:
        """The side between two neighbouring hexes."""
        (x1, y1), (x2, y2) = self.centre(*first), self.centre(*second)
        across = math.degrees(math.atan2(y2 - y1, x2 - x1))
        return Side(round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1), round((across + 90) % 180))

    def frame(self, cells: Collection[Cell], margin: float) -> Frame:
        """All of these hexes, and a margin around them, in whole units."""
        corners = [
            self._point(across + dx, down + dy)
            for across, down in (_place(*cell) for cell in cells)
            for dx, dy in CORNERS
        ]
        left, top = (math.floor(min(values) - margin) for values in zip(*corners, strict=True))
        right, bottom = (math.ceil(max(values) + margin) for values in zip(*corners, strict=True))
        return Frame(left, top, right - left, bottom - top)

    def box(self, column: int, row: int) -> Frame:
        """The rectangle round a hex."""
        x, y = self.centre(column, row)
        return Frame(x - self.width / 2, y - self.radius, self.width, 2 * self.radius)

    def coast(self, cells: Collection[Cell]) -> str:
        """The outline of the whole land, holes included, as a path."""
        return "".join(map(self._path, _loops(cells)))

    def _path(self, places: Iterable[tuple[int, int]]) -> str:
        return polygon(self._point(*place) for place in places)

    def _point(self, across: int, down: int) -> tuple[float, float]:
        return round(across * self.width / 2, 1), round(down * self.radius / 2, 1)


def _place(column: int, row: int) -> tuple[int, int]:
    """The centre of a hex, in half widths and half radii."""
    return 2 * column + row % 2, 3 * row


def _loops(cells: Collection[Cell]) -> Iterator[list[tuple[int, int]]]:
    land = {_place(*cell) for cell in cells}
    onward: dict[tuple[int, int], tuple[int, int]] = {}
    for across, down in sorted(land):
        for (x1, y1), (x2, y2) in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True):
            if (across + x1 + x2, down + y1 + y2) not in land:  # the hex beyond this side
                onward[across + x1, down + y1] = (across + x2, down + y2)
    while onward:
        start, point = onward.popitem()
        loop = [start]
        while point != start:
            loop.append(point)
            point = onward.pop(point)
        yield loop
