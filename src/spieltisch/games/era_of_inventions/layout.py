"""The positions of spaces and pawns on the influence track, and of goods in ships and warehouses.

The track is a frame around the boards or, where there is no room for one, rows of spaces with a lane above each for
the pawns side by side.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from spieltisch.drawing.svg_paths import number

ROW: Final = 20
"""The number of spaces in a row."""
SPACE: Final = 20
"""The width and height of a space."""
LANE: Final = 23
"""The height of the lane above a row."""
GAP: Final = 5
"""The gap above a row without pawns."""
PAWN: Final = 19
"""The width of a pawn."""


def sides(spaces: int) -> dict[str, int]:
    """Return the number of spaces on each side of the frame, clockwise from the top left.

    The corners belong to the top and the bottom, which are twice as long as the other two.

    >>> sides(100), sum(sides(77).values())
    ({'top': 34, 'right': 16, 'bottom': 34, 'left': 16}, 77)
    """
    across = -(-spaces // 3)
    down = (spaces - 2 * across) // 2
    return {"top": across, "right": down, "bottom": across, "left": spaces - 2 * across - down}


def frame(icons: Sequence[str], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the printed frame: for each side its lines, and its labelled spaces, in percent of its length.

    `icons` are the icons on the spaces, "" for none; the `names` of the spaces are returned from the left or the top.
    """
    shown, first = [], 0
    for side, count in sides(len(icons)).items():
        spaces = [
            {"at": percent(side, n + 0.5, count), "icon": icon, "number": first + n}
            for n, icon in enumerate(icons[first : first + count])
            if icon or not (first + n) % 10
        ]
        lines = [{"at": percent(side, n, count), "tens": not (first + n) % 10} for n in range(count + 1)]
        printed = {"id": f"frame-{side}", "lines": lines, "spaces": spaces, "is_across": side in ("top", "bottom")}
        step = -1 if side in ("bottom", "left") else 1
        shown.append({**printed, "names": names[first : first + count][::step]})
        first += count
    return shown


def framed(spaces: int, places: Sequence[int], ahead: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the sides of the frame with the pawns on them, in percent of their lengths.

    `places` are the spaces of the pawns by seat. Each pawn is as close to its space as possible without hiding another,
    and connected to it by a stem. `ahead` are the icons that the viewer's pawn reaches next, by space.
    """
    shown, first = [], 0
    for side, count in sides(spaces).items():
        seats = sorted((p for p, place in enumerate(places) if first <= place < first + count), key=lambda p: places[p])
        middles = [places[seat] - first + 0.5 for seat in seats]
        pawns = [
            {
                "seat": seat,
                "at": percent(side, left + 0.5, count),
                "space": percent(side, middle, count),
                "begins": min(percent(side, middle - 0.5, count), percent(side, middle + 0.5, count)),
            }
            for seat, middle, left in zip(seats, middles, spread(middles, count, 1), strict=True)
        ]
        shown.append({"side": side, "id": f"frame-{side}", "long": round(100 / max(1, count), 2), "pawns": pawns})
        next_spaces = [space for space in ahead if first <= space < first + count]
        shown[-1]["ahead"] = [{"at": percent(side, n - first + 0.5, count), "icon": ahead[n]} for n in next_spaces]
        first += count
    return shown


def percent(side: str, along: float, count: int) -> float:
    """Return how far along a side a number of its spaces reaches, from the left or from the top."""
    share = 100 * along / max(1, count)
    return round(100 - share if side in ("bottom", "left") else share, 2)


def rows(icons: Sequence[str], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the printed rows: for each its lines, the longer lines at every tenth space, and its labelled spaces.

    `icons` are the icons on the spaces, "" for none, `names` the names of the spaces.
    """
    return [
        {
            "id": f"track-{first // ROW}",
            "names": [*names[first : first + ROW], *[""] * (first + ROW - len(names))],
            "lines": f"M0 0H{ROW * SPACE}V{SPACE}H0Z" + "".join(f"M{SPACE * n} 0v{SPACE}" for n in range(ROW)),
            "tens": "".join(f"M{SPACE * n} -4v{SPACE + 4}" for n in range(0, ROW, 10)),
            "spaces": [
                {"x": SPACE * n, "icon": icon, "number": first + n}
                for n, icon in enumerate(icons[first : first + ROW])
                if icon or not n % 10
            ],
        }
        for first in range(0, len(icons), ROW)
    ]


def track(spaces: int, places: Sequence[int]) -> dict[str, Any]:
    """Return the rows with the pawn of each seat: the size of the drawing, the rows and the pawns.

    `places` are the spaces of the pawns by seat. A row has a lane for pawns only if it has pawns.
    """
    tops, height = [], 0
    for row in range(-(-spaces // ROW)):
        height += LANE if any(place // ROW == row for place in places) else GAP
        tops.append(height)
        height += SPACE
    pawns: dict[int, dict[str, Any]] = {}
    for row, top in enumerate(tops):
        seats = sorted((seat for seat, place in enumerate(places) if place // ROW == row), key=lambda p: places[p])
        middles = [SPACE * (places[seat] % ROW) + SPACE / 2 for seat in seats]
        for seat, middle, left in zip(seats, middles, spread(middles, ROW * SPACE, PAWN), strict=True):
            pawns[seat] = {
                "seat": seat,
                "x": number(left),
                "y": top - LANE,
                "stem": f"M{number(left + PAWN / 2)} {top - 7}L{number(middle)} {top + 2}",
                "space": f"M{number(middle - SPACE / 2)} {top}h{SPACE}v{SPACE}h-{SPACE}Z",
            }
    return {
        "box": f"0 0 {ROW * SPACE} {height + 1}",
        "rows": [{"id": f"track-{row}", "y": top} for row, top in enumerate(tops)],
        "pawns": [pawns[seat] for seat in range(len(places))],
    }


def spread(middles: Iterable[float], room: float, width: float) -> list[float]:
    """Return the left edges of pawns with these middles, which ascend, so that none overlap and none are outside.

    `width` is that of a pawn.

    Pawns that would overlap are spread evenly around their middles.

    >>> spread([10, 10, 90], 100, 19), spread([90, 90], 100, 19), spread([50, 50], 100, 19)
    ([0, 19, 80.5], [62, 81], [31.0, 50.0])
    """
    groups: list[tuple[float, int]] = []  # left edge and number of pawns of each group
    for middle in middles:
        left, count = middle - width / 2, 1
        while groups and groups[-1][0] + width * groups[-1][1] > left:
            before, before_count = groups.pop()
            left = (before * before_count + (left - width * before_count) * count) / (before_count + count)
            count += before_count
            left = max(0, min(left, room - width * count))
        groups.append((left, count))
    return [left + width * n for left, count in groups for n in range(count)]


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
