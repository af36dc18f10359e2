"""Where things lie: on the influence track, rows of spaces with a lane above each for the pawns, side by side; and in
ships and warehouses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from spieltisch.drawing.svg_paths import number

ROWS: Final = {"wide": 50, "narrow": 20}
"""How many spaces stand in a row, where there is much room and where there is little."""
SPACE: Final = 20
"""Width and height of a space."""
LANE: Final = 23
"""Height of the lane above a row."""
GAP: Final = 5
"""Above a row over which no pawn stands."""
PAWN: Final = 19
"""Width of a pawn."""


def rows(signs: Sequence[str], look: str) -> list[dict[str, Any]]:
    """The printed track: of each row the lines between its spaces, those at every tenth, and the spaces with the signs
    on them, "" for none.
    """
    many = ROWS[look]
    return [
        {
            "id": f"track-{look}-{first // many}",
            "lines": f"M0 0H{many * SPACE}V{SPACE}H0Z" + "".join(f"M{SPACE * n} 0v{SPACE}" for n in range(many)),
            "tens": "".join(f"M{SPACE * n} -4v{SPACE + 4}" for n in range(0, many, 10)),
            "spaces": [
                {"x": SPACE * n, "sign": sign, "number": first + n}
                for n, sign in enumerate(signs[first : first + many])
                if sign or not n % 10
            ],
        }
        for first in range(0, len(signs), many)
    ]


def track(spaces: int, places: Sequence[int], look: str) -> dict[str, Any]:
    """The track with the pawn of each seat, whose space is in `places`: its frame, the rows, and the pawns, each as
    near to its space as it can without hiding another, with a stem. A row has a lane for pawns where some stand.
    """
    many = ROWS[look]
    tops, high = [], 0
    for row in range(-(-spaces // many)):
        high += LANE if any(place // many == row for place in places) else GAP
        tops.append(high)
        high += SPACE
    found: dict[int, dict[str, Any]] = {}
    for row, top in enumerate(tops):
        seats = sorted((seat for seat, place in enumerate(places) if place // many == row), key=lambda p: places[p])
        middles = [SPACE * (places[seat] % many) + SPACE / 2 for seat in seats]
        for seat, middle, left in zip(seats, middles, spread(middles, many * SPACE), strict=True):
            found[seat] = {
                "seat": seat,
                "x": number(left),
                "y": top - LANE,
                "stem": f"M{number(left + PAWN / 2)} {top - 7}L{number(middle)} {top + 2}",
                "space": f"M{number(middle - SPACE / 2)} {top}h{SPACE}v{SPACE}h-{SPACE}Z",
            }
    return {
        "look": look,
        "box": f"0 0 {many * SPACE} {high + 1}",
        "rows": [{"id": f"track-{look}-{row}", "y": top} for row, top in enumerate(tops)],
        "pawns": [found[seat] for seat in range(len(places))],
    }


def spread(middles: Iterable[float], room: float) -> list[float]:
    """The left edges of pawns whose middles should lie here, rising: none over another, none outside; those that would
    meet stand evenly about where they should.

    >>> spread([10, 10, 90], 100), spread([90, 90], 100), spread([50, 50], 100)
    ([0, 19, 80.5], [62, 81], [31.0, 50.0])
    """
    groups: list[tuple[float, int]] = []  # where a group begins, and how many stand in it
    for middle in middles:
        left, many = middle - PAWN / 2, 1
        while groups and groups[-1][0] + PAWN * groups[-1][1] > left:
            before, count = groups.pop()
            left = (before * count + (left - PAWN * count) * many) / (count + many)
            many += count
            left = max(0, min(left, room - PAWN * many))
        groups.append((left, many))
    return [left + PAWN * n for left, many in groups for n in range(many)]


CARGO: Final = 15
"""Width and height of what lies in a ship or a warehouse."""
HOLD: Final = 4
"""How many lie beside each other there; more lie on top, as many as there is height for."""


def cargo(load: int) -> list[dict[str, int]]:
    """Where the goods of a load lie from the middle of the deck, the lowest first: as many as are seen of it."""
    seen = min(load, 2 * HOLD)
    rows = [min(HOLD, seen), max(0, seen - HOLD)]
    return [
        {"x": CARGO * n - CARGO * many // 2, "y": -CARGO * (level + 1)}
        for level, many in enumerate(rows)
        for n in range(many)
    ]
