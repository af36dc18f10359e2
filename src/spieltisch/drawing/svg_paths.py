"""SVG path data of the shapes that symbols, maps and boards consist of."""

from collections.abc import Iterable
from math import cos, pi, sin


def number(value: float, decimals: int = 1) -> str:
    """Return a coordinate as text.

    >>> number(623.538), number(240.0), number(-0.01), number(1.25, 2)
    ('623.5', '240', '0', '1.25')
    """
    return f"{round(value, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def polygon(corners: Iterable[tuple[float, float]], decimals: int = 1) -> str:
    """Return a closed polygon.

    >>> polygon([(0, 0), (1.55, 0), (0, 2)])
    'M0 0L1.6 0L0 2Z'
    """
    return "M" + "L".join(f"{number(x, decimals)} {number(y, decimals)}" for x, y in corners) + "Z"


def around(*radii: float, turn: float = 0, decimals: int = 2) -> str:
    """Return a closed polygon with evenly spaced corners around the origin, at these radii in turn.

    The first corner is at the top, or `turn` corners further.

    >>> around(2, 2, 2, 2)
    'M0 -2L2 0L0 2L-2 0Z'
    """
    angles = [2 * pi * (n + turn) / len(radii) for n in range(len(radii))]
    corners = [(radius * sin(angle), -radius * cos(angle)) for radius, angle in zip(radii, angles, strict=True)]
    return polygon(corners, decimals)


def dots(*places: tuple[float, float], radius: float) -> str:
    """Return circles around these points.

    >>> dots((0, 0), radius=1)
    'M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0'
    """
    return "".join(
        f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0"
        f"a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0"
        for x, y in places
    )


def box(left: float, top: float, right: float, bottom: float) -> str:
    """Return an upright rectangle.

    >>> box(-1, -2, 3, 4)
    'M-1 -2H3V4H-1Z'
    """
    return f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}Z"
