"""The positions of spaces and pawns on the influence track, and of goods in ships and warehouses.

The track is drawn as rows of spaces, with a lane above each for the pawns side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from spieltisch.drawing.svg_paths import number

ROWS: Final = {"wide": 50, "narrow": 20}
"""The number of spaces in a row, in the wide and the narrow layout."""
SPACE: Final = 20
"""The width and height of a space."""
LANE: Final = 23
"""The height of the lane above a row."""
GAP: Final = 5
"""The gap above a row without pawns."""
PAWN: Final = 19
"""The width of a pawn."""


def rows(signs: Sequence[str], look: str) -> list[dict[str, Any]]:
    """Return the printed track: for each row its lines, the longer lines at every tenth space, and its labelled spaces.

    `signs` are the icons on the spaces, "" for none.
    """
    row_length = ROWS[look]
    return [
        {
            "id": f"track-{look}-{first // row_length}",
            "lines": f"M0 0H{row_length * SPACE}V{SPACE}H0Z"
            + "".join(f"M{SPACE * n} 0v{SPACE}" for n in range(row_length)),
            "tens": "".join(f"M{SPACE * n} -4v{SPACE + 4}" for n in range(0, row_length, 10)),
            "spaces": [
                {"x": SPACE * n, "sign": sign, "number": first + n}
                for n, sign in enumerate(signs[first : first + row_length])
                if sign or not n % 10
            ],
        }
        for first in range(0, len(signs), row_length)
    ]


def track(spaces: int, places: Sequence[int], look: str) -> dict[str, Any]:
    """Return the track with the pawn of each seat: its frame, the rows and the pawns.

    `places` are the spaces of the pawns by seat. Each pawn is as close to its space as possible without hiding another,
    and connected to it by a stem. A row has a lane for pawns only if it has pawns.
    """
    row_length = ROWS[look]
    tops, height = [], 0
    for row in range(-(-spaces // row_length)):
        height += LANE if any(place // row_length == row for place in places) else GAP
        tops.append(height)
        height += SPACE
    pawns: dict[int, dict[str, Any]] = {}
    for row, top in enumerate(tops):
        seats = sorted(
            (seat for seat, place in enumerate(places) if place // row_length == row), key=lambda p: places[p]
        )
        middles = [SPACE * (places[seat] % row_length) + SPACE / 2 for seat in seats]
        for seat, middle, left in zip(seats, middles, spread(middles, row_length * SPACE), strict=True):
            pawns[seat] = {
                "seat": seat,
                "x": number(left),
                "y": top - LANE,
                "stem": f"M{number(left + PAWN / 2)} {top - 7}L{number(middle)} {top + 2}",
                "space": f"M{number(middle - SPACE / 2)} {top}h{SPACE}v{SPACE}h-{SPACE}Z",
            }
    return {
        "look": look,
        "box": f"0 0 {row_length * SPACE} {height + 1}",
        "rows": [{"id": f"track-{look}-{row}", "y": top} for row, top in enumerate(tops)],
        "pawns": [pawns[seat] for seat in range(len(places))],
    }


def spread(middles: Iterable[float], room: float) -> list[float]:
    """Return the left edges of pawns with these middles, which ascend, so that none overlap and none are outside.

    Pawns that would overlap are spread evenly around their middles.

    >>> spread([10, 10, 90], 100), spread([90, 90], 100), spread([50, 50], 100)
    ([0, 19, 80.5], [62, 81], [31.0, 50.0])
    """
    groups: list[tuple[float, int]] = []  # left edge and number of pawns of each group
    for middle in middles:
        left, count = middle - PAWN / 2, 1
        while groups and groups[-1][0] + PAWN * groups[-1][1] > left:
            before, before_count = groups.pop()
            left = (before * before_count + (left - PAWN * before_count) * count) / (before_count + count)
            count += before_count
            left = max(0, min(left, room - PAWN * count))
        groups.append((left, count))
    return [left + PAWN * n for left, count in groups for n in range(count)]


CARGO: Final = 15
"""The width and height of a piece in a ship or a warehouse."""
HOLD: Final = 4
"""The number of pieces side by side there; further ones are on top, as far as there is height for them."""


def cargo(load: int) -> list[dict[str, int]]:
    """Return the positions of the visible pieces of a load from the middle of the deck, the lowest first."""
    visible = min(load, 2 * HOLD)
    rows = [min(HOLD, visible), max(0, visible - HOLD)]
    return [
        {"x": CARGO * n - CARGO * count // 2, "y": -CARGO * (level + 1)}
        for level, count in enumerate(rows)
        for n in range(count)
    ]
