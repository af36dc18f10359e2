"""Lines as an engraver cuts them, reckoned for the paths of SVG: hatching within a shape, rays, spokes, gears, tones.

Templates have them as functions. All points are pairs of x and y, all angles are in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, radians, sin
from typing import Any, Final, TypeAlias

Point: TypeAlias = tuple[float, float]


def hatch(shape: Sequence[Point], gap: float, angle: float = 0, wider: float = 1) -> str:
    """Parallel lines within a polygon, `gap` apart at first, and each time `wider` times as far.

    >>> hatch([(0, 0), (6, 0), (6, 4), (0, 4)], 2)
    'M0 1H6M0 3H6'
    """
    across, along = sin(radians(angle)), cos(radians(angle))
    turned = [(x * along + y * across, y * along - x * across) for x, y in shape]
    at, end = min(y for _, y in turned) + gap / 2, max(y for _, y in turned)
    lines: list[str] = []
    while at < end:
        ends = sorted(_crossings(turned, at))
        lines += [
            _line(*((x * along - at * across, x * across + at * along) for x in pair))
            for pair in zip(ends[::2], ends[1::2], strict=False)
        ]
        at, gap = at + gap, gap * wider
    return "".join(lines)


def _crossings(shape: Sequence[Point], at: float) -> Iterator[float]:
    """Where the outline crosses the horizontal at a height."""
    for (x, y), (to_x, to_y) in zip(shape, (*shape[1:], shape[0]), strict=True):
        if (y <= at) != (to_y <= at):
            yield x + (at - y) * (to_x - x) / (to_y - y)


def rays(centre: Point, inner: float, shape: Sequence[Point], count: int) -> str:
    """Lines from round a centre to the outline of a shape that lies round it; every second one begins farther out."""
    x, y = centre
    out = []
    for n in range(count):
        way = 2 * pi * n / count
        near = inner * (1 if n % 2 else 1.45)
        far = _reach(centre, (cos(way), sin(way)), shape)
        if far > near:
            out.append(_line((x + near * cos(way), y + near * sin(way)), (x + far * cos(way), y + far * sin(way))))
    return "".join(out)


def _reach(centre: Point, way: Point, shape: Sequence[Point]) -> float:
    """How far it is from a centre to the outline, along a way of length 1."""
    found = [0.0]
    for (x, y), (to_x, to_y) in zip(shape, (*shape[1:], shape[0]), strict=True):
        side_x, side_y, off_x, off_y = to_x - x, to_y - y, x - centre[0], y - centre[1]
        crossed = way[0] * side_y - way[1] * side_x
        if crossed:
            far, part = (off_x * side_y - off_y * side_x) / crossed, (off_x * way[1] - off_y * way[0]) / crossed
            if far > 0 and 0 <= part <= 1:
                found.append(far)
    return max(found)


def spokes(centre: Point, inner: float, outer: float, count: int, turn: float = 0) -> str:
    """The spokes of a wheel.

    >>> spokes((0, 0), 1, 2, 2)
    'M1 0H2M-1 0H-2'
    """
    ways = [radians(turn) + 2 * pi * n / count for n in range(count)]
    x, y = centre
    return "".join(
        _line((x + inner * cos(way), y + inner * sin(way)), (x + outer * cos(way), y + outer * sin(way)))
        for way in ways
    )


def ellipse_points(
    centre: Point, across: float, down: float, first: float = 0, last: float = 360, steps: int = 24
) -> list[Point]:
    """Points on an ellipse with these radii, or on a part of it, to hatch within."""
    ways = [radians(first + (last - first) * n / steps) for n in range(steps + 1)]
    return [(centre[0] + across * cos(way), centre[1] + down * sin(way)) for way in ways]


def gear(centre: Point, radius: float, teeth: int, depth: float) -> str:
    """The outline of a toothed wheel."""
    step = 2 * pi / teeth
    corners = ((-0.29, radius - depth), (-0.17, radius), (0.17, radius), (0.29, radius - depth))
    points = [
        (centre[0] + far * cos(step * (n + off)), centre[1] + far * sin(step * (n + off)))
        for n in range(teeth)
        for off, far in corners
    ]
    return closed(points)


def closed(points: Sequence[Point]) -> str:
    """A polygon as a path.

    >>> closed([(0, 0), (2, 0), (1, 1.5)])
    'M0 0L2 0L1 1.5Z'
    """
    return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points) + "Z"


def _line(start: Point, end: Point) -> str:
    (x, y), (to_x, to_y) = ((_short(one), _short(other)) for one, other in (start, end))
    if y == to_y:
        return f"M{x} {y}H{to_x}"
    return f"M{x} {y}V{to_y}" if x == to_x else f"M{x} {y}L{to_x} {to_y}"


def _short(number: float) -> str:
    """A coordinate as short as it may be.

    >>> _short(2.04), _short(-0.04), _short(1.25)
    ('2', '0', '1.2')
    """
    return f"{round(number, 1) + 0:g}"


TEMPLATE_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    made.__name__: made for made in (hatch, rays, spokes, ellipse_points, gear, closed)
}
"""What templates are given."""
