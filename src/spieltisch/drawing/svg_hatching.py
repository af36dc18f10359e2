"""Engraving-style lines as SVG path data: hatching within a shape, rays, spokes, gears.

Templates can call these functions. All points are pairs of x and y, all angles are in degrees.
"""

from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, radians, sin
from typing import Any, Final, TypeAlias

Point: TypeAlias = tuple[float, float]


def hatch(shape: Sequence[Point], gap: float, angle: float = 0, wider: float = 1) -> str:
    """Return parallel lines within a polygon, at first `gap` apart; each further gap is `wider` times the last.

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
    """Yield the x at which the outline crosses a horizontal line."""
    for (x, y), (to_x, to_y) in zip(shape, (*shape[1:], shape[0]), strict=True):
        if (y <= at) != (to_y <= at):
            yield x + (at - y) * (to_x - x) / (to_y - y)


def rays(centre: Point, inner: float, shape: Sequence[Point], count: int) -> str:
    """Return lines from around a centre to the outline of a surrounding shape; every second one begins farther out."""
    x, y = centre
    lines = []
    for n in range(count):
        angle = 2 * pi * n / count
        start = inner * (1 if n % 2 else 1.45)
        end = _reach(centre, (cos(angle), sin(angle)), shape)
        if end > start:
            lines.append(
                _line((x + start * cos(angle), y + start * sin(angle)), (x + end * cos(angle), y + end * sin(angle)))
            )
    return "".join(lines)


def _reach(centre: Point, direction: Point, shape: Sequence[Point]) -> float:
    """Return the distance from a centre to the outline, in the direction of a vector of length 1."""
    distances = [0.0]
    for (x, y), (to_x, to_y) in zip(shape, (*shape[1:], shape[0]), strict=True):
        side_x, side_y, off_x, off_y = to_x - x, to_y - y, x - centre[0], y - centre[1]
        cross_product = direction[0] * side_y - direction[1] * side_x
        if cross_product:
            distance, fraction = (
                (off_x * side_y - off_y * side_x) / cross_product,
                (off_x * direction[1] - off_y * direction[0]) / cross_product,
            )
            if distance > 0 and 0 <= fraction <= 1:
                distances.append(distance)
    return max(distances)


def spokes(centre: Point, inner: float, outer: float, count: int, turn: float = 0) -> str:
    """Return the spokes of a wheel.

    >>> spokes((0, 0), 1, 2, 2)
    'M1 0H2M-1 0H-2'
    """
    angles = [radians(turn) + 2 * pi * n / count for n in range(count)]
    x, y = centre
    return "".join(
        _line((x + inner * cos(angle), y + inner * sin(angle)), (x + outer * cos(angle), y + outer * sin(angle)))
        for angle in angles
    )


def ellipse_points(
    centre: Point, across: float, down: float, first: float = 0, last: float = 360, steps: int = 24
) -> list[Point]:
    """Return points on an ellipse with these radii, or on an arc of it, to hatch within."""
    angles = [radians(first + (last - first) * n / steps) for n in range(steps + 1)]
    return [(centre[0] + across * cos(angle), centre[1] + down * sin(angle)) for angle in angles]


def gear(centre: Point, radius: float, teeth: int, depth: float) -> str:
    """Return the outline of a toothed wheel."""
    step = 2 * pi / teeth
    corners = ((-0.29, radius - depth), (-0.17, radius), (0.17, radius), (0.29, radius - depth))
    points = [
        (centre[0] + far * cos(step * (n + off)), centre[1] + far * sin(step * (n + off)))
        for n in range(teeth)
        for off, far in corners
    ]
    return closed(points)


def closed(points: Sequence[Point]) -> str:
    """Return a polygon as a path.

    >>> closed([(0, 0), (2, 0), (1, 1.5)])
    'M0 0L2 0L1 1.5Z'
    """
    return "M" + "L".join(f"{_coordinate_text(x)} {_coordinate_text(y)}" for x, y in points) + "Z"


def _line(start: Point, end: Point) -> str:
    (x, y), (to_x, to_y) = ((_coordinate_text(x_value), _coordinate_text(y_value)) for x_value, y_value in (start, end))
    if y == to_y:
        return f"M{x} {y}H{to_x}"
    return f"M{x} {y}V{to_y}" if x == to_x else f"M{x} {y}L{to_x} {to_y}"


def _coordinate_text(number: float) -> str:
    """Return the shortest text of a coordinate.

    >>> _coordinate_text(2.04), _coordinate_text(-0.04), _coordinate_text(1.25)
    ('2', '0', '1.2')
    """
    return f"{round(number, 1) + 0:g}"


TEMPLATE_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    function.__name__: function for function in (hatch, rays, spokes, ellipse_points, gear, closed)
}
"""Functions that templates can call."""
