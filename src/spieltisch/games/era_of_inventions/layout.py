"""The positions of spaces and pawns on the influence track, and of goods in ships and warehouses.

The track is a frame around the boards or, where there is no room for one, rows of spaces. Pawns are on their space and
never over another: several are stacked, in a row of the track as a tower that rises into the lane above.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from spieltisch.drawing.svg_paths import number

ROW: Final = 20
"""The number of spaces in a row."""
SPACE: Final = 20
"""The width and height of a space."""
LANE: Final = 23
"""The height of the lane above a row with several pawns on a space."""
GAP: Final = 5
"""The gap above other rows."""
FRAME_SPACE: Final = (28, 21)
"""The length and depth of the box of a space's pawns on the frame, which shrinks to fit the space."""
PAWN_SIZES: Final = (19.5, 16.5, 14.5, 13.5, 12.5)
"""The width and height of each of one, two or more pawns on a space."""


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
    """Return the sides of the frame with the spaces that have pawns, in percent of their lengths.

    `places` are the spaces of the pawns by seat; the pawns have their places in the box of their space. `ahead` are the
    icons that the viewer's pawn reaches next, by space.
    """
    shown, first = [], 0
    for side, count in sides(spaces).items():
        across = side in ("top", "bottom")
        taken = [
            {
                "begins": min(percent(side, space - first, count), percent(side, space - first + 1, count)),
                "pawns": stacked(places, space, *FRAME_SPACE) if across else upright(places, space, *FRAME_SPACE),
            }
            for space in sorted(set(places))
            if first <= space < first + count
        ]
        box = "0 0 {} {}".format(*(FRAME_SPACE if across else FRAME_SPACE[::-1]))
        side_box = {"side": side, "id": f"frame-{side}", "long": round(100 / max(1, count), 2), "box": box}
        shown.append({**side_box, "spaces": taken})
        next_spaces = [space for space in ahead if first <= space < first + count]
        shown[-1]["ahead"] = [{"at": percent(side, n - first + 0.5, count), "icon": ahead[n]} for n in next_spaces]
        first += count
    return shown


def stacked(places: Sequence[int], space: int, length: float, depth: float) -> list[dict[str, Any]]:
    """Return the pawns on a space, in the middle of a box of this length and depth, without hiding an initial.

    They alternate between the two sides of the box. The first two are at the back.

    >>> [(pawn["seat"], pawn["x"], pawn["y"]) for pawn in stacked([4, 7, 4], 4, 28, 21)]
    [(0, '0', '0'), (2, '11.5', '4.5')]
    """
    seats = [seat for seat, place in enumerate(places) if place == space]
    size = PAWN_SIZES[min(len(seats), len(PAWN_SIZES)) - 1]
    step = (length - size) / max(1, len(seats) - 1)
    corners = [(step * n, (depth - size) * (n % 2)) for n in range(len(seats))]
    if len(seats) == 1:
        corners = [((length - size) / 2, (depth - size) / 2)]
    pawns = [
        {"seat": seat, "x": number(x), "y": number(y), "size": number(size)}
        for seat, (x, y) in zip(seats, corners, strict=True)
    ]
    return pawns[::2] + pawns[1::2]


def upright(places: Sequence[int], space: int, length: float, depth: float) -> list[dict[str, Any]]:
    """Return the pawns on a space as `stacked` does, from the top instead of from the left."""
    return [{**pawn, "x": pawn["y"], "y": pawn["x"]} for pawn in stacked(places, space, length, depth)]


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
    """Return the rows and the spaces with pawns: the size of the drawing, the rows, the spaces and their pawns.

    `places` are the spaces of the pawns by seat. A row has a lane only if pawns share one of its spaces.
    """
    tops, height = [], 0
    for row in range(-(-spaces // ROW)):
        height += LANE if any(places.count(place) > 1 for place in places if place // ROW == row) else GAP
        tops.append(height)
        height += SPACE
    taken = []
    for space in sorted(set(places)):
        rise = 0 if places.count(space) == 1 else LANE - 1
        x, y = SPACE * (space % ROW), tops[space // ROW] - rise
        pawns = upright(places, space, SPACE + rise, SPACE)
        taken.append({"x": x, "y": y, "height": SPACE + rise, "box": f"0 0 {SPACE} {SPACE + rise}", "pawns": pawns})
    return {
        "box": f"0 0 {ROW * SPACE} {height + 1}",
        "rows": [{"id": f"track-{row}", "y": top} for row, top in enumerate(tops)],
        "spaces": taken,
    }


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
