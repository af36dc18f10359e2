"""The paths of the icons of Era of Inventions, drawn for this project, in a frame from -12 to 12 each way.

They are also shown at 16 pixels, so edges are on multiples of 1.5, a pixel at that size, and hardly any line is
thinner. Icons that must be distinguished differ in shape; colour is secondary.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin
from typing import Final, NamedTuple

from spieltisch.drawing.svg_paths import around, box, circle, dots


class Part(NamedTuple):
    """The drawing of an icon.

    `layers` maps the classes of `icons.css` that paint them ("s-solid" and so on) to the paths, from back to front;
    overlaps within a layer are holes. `written` is a sign written in the icon. `ink` is the player's colour whose
    pattern a shield has.
    """

    layers: Mapping[str, str]
    written: str = ""
    ink: str = ""


def _wheels(radius: float, *places: tuple[float, float]) -> str:
    """Return wheels with this radius at these places."""
    return dots(*places, radius=radius) + dots(*places, radius=1.5)


def _leaves(*leaves: tuple[float, float, float]) -> str:
    """Return the leaves of a wreath on both sides, each given by its middle and its direction in degrees."""
    paths = []
    for x, y, turn in leaves:
        dx, dy = 3.4 * cos(radians(turn)), 3.4 * sin(radians(turn))
        for side in (1, -1):
            tip, foot = f"{side * (x + dx):.2f} {y + dy:.2f}", f"{side * (x - dx):.2f} {y - dy:.2f}"
            control = f"{side * (x + 0.9 * dy):.2f} {y - 0.9 * dx:.2f}"
            opposite = f"{side * (x - 0.9 * dy):.2f} {y + 0.9 * dx:.2f}"
            paths.append(f"M{foot}Q{control} {tip}Q{opposite} {foot}Z")
    return "".join(paths)


LOG: Final = (
    "M-9.75 -6H-6.5L-9 -10.5H-5L-2 -6H9A3 7.5 0 0 1 9 9H-9.75A2.25 7.5 0 0 1 -9.75 -6Z"
    "M9 -4.5A1.75 6 0 0 1 9 7.5A1.75 6 0 0 1 9 -4.5ZM9 -1.5A.75 3 0 0 1 9 4.5A.75 3 0 0 1 9 -1.5Z"
)
LUMPS: Final = "M-12 10.5L-10.5 3L-7.5 1.5L-9 -4.5L-3 -10.5L4.5 -9L9 -3L7.5 0L12 4.5L10.5 10.5Z"
INGOT: Final = "M-8.25 -4.5L-6 -9H6L8.25 -4.5ZM-9.2 -3H9.2L12 9H-12Z"
HAMMER: Final = "M-12 -10.5H-9V-12H4.5C8.5 -12 11 -9.5 12 -4.5C9.5 -6.5 7 -6 6 -3V1.5H1.5V12H-4.5V1.5H-9V0H-12Z"
GEM: Final = "M-6.75 -10.5H6.75L12 -3.75L0 12L-12 -3.75Z"
VEINS: Final = "M-9 -4.5L-3 -3L4.5 -9M-3 -3L-1.5 4.5L7.5 0M-1.5 4.5L-4.5 10.5M-1.5 4.5L-10.5 3"
FACETS: Final = "M-12 -3.75H12M-6 -10.5L-4.5 -3.75L0 11.25L4.5 -3.75L6 -10.5M-4.5 -3.75L0 -10.5L4.5 -3.75"

GOODS: Final[Mapping[str, Part]] = {
    "wood": Part({"body": LOG, "cut": "M-7.5 -2.25H4.5M-9 1.5H3M-7.5 5.25H4.5"}),
    "coal": Part({"body": LUMPS, "cut": VEINS}),
    "metal": Part({"body": INGOT, "cut": "M-5.25 -1.5H5.25L6.75 6H-6.75Z"}),
    "technology": Part({"body": around(*(12, 12, 8.7, 8.7) * 8, turn=-0.5) + circle(4)}),
    "tool": Part({"body": HAMMER, "cut": "M-4.5 -3H1.5M-4.5 3H1.5M-9 -10.5V-1.5"}),
    "coin": Part({"body": circle(12), "cut": circle(9) + around(5, 5, 5, 5)}),
    "stone": Part({"body": GEM, "cut": FACETS}),
    "any": Part({"ground": box(-9.75, -9.75, 9.75, 9.75)}, "?"),
}
"""The goods, and goods of choice."""

BULB: Final = "M0 -9A5.25 5.25 0 0 1 3 .75V3H-3V.75A5.25 5.25 0 0 1 0 -9ZM-3 4.5H3V6H1.5V7.5H-1.5V6H-3Z"
COMPASSES: Final = (
    "M-1.25 -10.5H1.25V-8A3.2 3.2 0 0 1 2.5 -3.5L6 8.5L3.75 9.5L0 -1.5L-3.75 9.5L-6 8.5L-2.5 -3.5"
    "A3.2 3.2 0 0 1 -1.25 -8Z"
)


def _field(drawing: str) -> Part:
    """Return the icon of an action field: a drawing on a label."""
    return Part({"ground": box(-11.25, -11.25, 11.25, 11.25), "solid": drawing})


ACTIONS: Final = (
    _field("M-6 7.5V-9H-3V-3L.75 -6V-3L4.5 -6V7.5Z" + box(6, -9, 7.5, 7.5)),
    _field(box(-6, 1.5, -1.5, 6) + box(1.5, 1.5, 6, 6) + box(-2.25, -4.5, 2.25, 0)),
    _field("M-7.5 1.5H7.5L5.25 7.5H-5.25ZM-4.5 0V-4.5H-1.5V0ZM1.5 0V-7.5H4.5V0Z"),
    _field(BULB),
    _field("M-6 -6.75H-1.5V-10.5L4.5 -5.25L-1.5 0V-3.75H-6ZM6 6.75H1.5V10.5L-4.5 5.25L1.5 0V3.75H6Z"),
    _field(COMPASSES),
)
"""The six action fields: a factory, cubes, a ship, a bulb, an exchange, compasses."""

REGISTER: Final = (
    box(-7.5, -12, 7.5, -6) + box(-4.5, -10.5, 4.5, -7.5) + box(-1.5, -6, 1.5, -4.5) + "M-6 -4.5H6L9 4.5H-9Z"
    + box(10.5, -4.5, 12, 4.5) + box(-12, 6, 12, 12) + box(-3, 8.25, 3, 9.75)
)  # fmt: skip
SEWING: Final = (
    "M-10.5 -7.5A3 3 0 0 1 -7.5 -10.5H7.5V-4.5H9V6H3V-3H-4.5V1.5H-6V6H-7.5V1.5H-10.5Z"
    + box(-12, 7.5, 12, 12) + box(9, -10.5, 12, -3)
)  # fmt: skip
TYPING: Final = box(-10.5, -4.5, 10.5, -1.5) + box(-12, -6, -10.5, 0) + box(10.5, -6, 12, 0) + "M-7.5 0H7.5L12 12H-12Z"
CALLING: Final = (
    "M-12 -3V-6A6 6 0 0 1 -6 -10.5H6A6 6 0 0 1 12 -6V-3H6V-6H-6V-3ZM-4.5 -4.5H4.5L10.5 7.5V12H-10.5V7.5Z"
    + dots((0, 3.75), radius=4.1) + dots((0, 3.75), radius=1.5)
)  # fmt: skip
HORN: Final = "M-4.5 4.5V1.5C-4.5 -3 -.5 -5 .5 -11.5C4 -13 13.5 -5 11.5 -1.5C5 -.5 0 0 -1.5 2.5V4.5H7.5V12H-12V4.5Z"
CAMERA: Final = (
    box(-9, -10.5, 9, 3) + box(-3, -12, 3, -10.5) + dots((0, -3.75), radius=5.25) + dots((0, -3.75), radius=3)
)
CAR: Final = (
    "M-12 -10.5H4.5V-9H3V-3H10.5L12 -1.5V6H11.4A5.6 5.6 0 0 0 .6 6H-.6A5.6 5.6 0 0 0 -11.4 6H-12V-4.5H-10.5V-9H-12Z"
    "M-9 -9H1.5V-1.5H-3V-4.5H-9Z" + _wheels(4.5, (-6, 7.5), (6, 7.5))
)
ENGINE: Final = (
    "M-12 -10.5H-1.5V-9H-3V-4.5H4.5V-9H3V-12H9V-9H7.5V-4.5H9A3.75 3.75 0 0 1 10.5 2.5L12 7.5H10.6"
    "A3.2 3.2 0 0 0 5.25 5.6A3.75 3.75 0 0 0 -.4 5.5A6 6 0 0 0 -11.5 4.5V-9H-12Z"
    + box(-9, -7.5, -6, -3) + _wheels(4.5, (-6, 7.5)) + dots((2.4, 9), (8.25, 9), radius=2.75)
)  # fmt: skip
FLYER: Final = (
    "M-6 -12H6V-10.5H1.5L2.25 -7.5H12V-1.5H2.25L1.5 6H6V10.5H1.5L.75 12H-.75L-1.5 10.5H-6V6H-1.5L-2.25 -1.5H-12V-7.5"
    "H-2.25L-1.5 -10.5H-6Z"
)

INVENTIONS: Final[Mapping[str, Part]] = {
    "cash-register": Part({"solid": REGISTER, "cut": "M-5.25 -2.25H5.25M-6.5 1.5H6.5"}),
    "sewing-machine": Part({"solid": SEWING}),
    "typewriter": Part(
        {
            "solid": TYPING,
            "line": "M-6.75 -4.5V-11.25H6.75V-4.5M-3 -8.25H3",
            "cut": "M-5.25 3.75H5.25M-6.75 6.75H6.75M-4.5 9.75H4.5",
        }
    ),
    "telephone": Part({"solid": CALLING}),
    "gramophone": Part({"solid": HORN + box(-9, 7.5, 4.5, 9), "cut": "M.5 -11.5C2 -7 7 -2 11.5 -1.5"}),
    "camera": Part({"solid": CAMERA, "leg": "M-3.5 3L-8.25 12M3.5 3L8.25 12M0 3V12"}),
    "car": Part({"solid": CAR}),
    "steam-locomotive": Part({"solid": ENGINE}),
    "aeroplane": Part({"solid": FLYER}),
}
"""The nine inventions."""

INVENTION: Final = Part({"solid": BULB})
"""The icon of an invention with any other id in a component file: a bulb."""

RIBBON: Final = "M-9 -12H-3L0 -6L3 -12H9L3 -1.5H-3Z"
WORKS: Final = "M-12 10.5V-1.5L-4.5 -6V-1.5L3 -6V-1.5H6V-12H10.5V10.5Z"
MASK: Final = (
    "M-12 -6C-7 -4.5 -3 -6 0 -6S7 -4.5 12 -6C12 2 9 7.5 5.5 7.5C3 7.5 1.5 4.5 0 4.5S-3 7.5 -5.5 7.5C-9 7.5 -12 2 -12 -6"
    "ZM-9 -1.5Q-6 -4.5 -2.5 0Q-6.5 2.5 -9 -1.5ZM9 -1.5Q6 -4.5 2.5 0Q6.5 2.5 9 -1.5Z"
)
WREATH: Final = _leaves(
    (-3.5, 9.75, 20), (-8, 6, 60), (-10, 0.5, 90), (-9, -5.5, 115), (-5.5, -10, 145),
    (-4.5, 5.5, 40), (-6, 0.75, 80), (-5.25, -4.5, 110),
)  # fmt: skip
GLASS: Final = "M-6.75 -9C-6.75 -3 -1.5 -3 -1.5 0S-6.75 3 -6.75 9M6.75 -9C6.75 -3 1.5 -3 1.5 0S6.75 3 6.75 9"
SAND: Final = "M-4.5 -6H4.5L0 -1.5ZM0 3.5L5 9H-5Z"

PIECES: Final[Mapping[str, Part]] = {
    "influence": Part({"gold": around(*(12, 5) * 5)}),
    "action-disc": Part(
        {"solid": "M-12 -3A12 6.75 0 0 1 12 -3V3A12 6.75 0 0 1 -12 3Z", "cut": "M-12 -2.25A12 6 0 0 0 12 -2.25"}
    ),
    "bonus-disc": Part({"ring": circle(10.5), "solid": "M-1.5 -6H1.5V-1.5H6V1.5H1.5V6H-1.5V1.5H-6V-1.5H-1.5Z"}),
    "marker": Part({"solid": "M-7.5 -12H-4.5V-10.5H10.5L6 -5.25L10.5 0H-4.5V9H-1.5V12H-10.5V9H-7.5Z"}),
    "inventions": Part({"solid": BULB}),
    "invested": Part({"solid": "M-4.5 -12H4.5L9 -7.5L0 3L-9 -7.5Z" + box(-10.5, 9, 10.5, 12) + box(-6, 6, 6, 7.5)}),
    "capacity": Part({"solid": box(-10.5, -6, 10.5, 12) + box(-7.5, 3, 7.5, 4.5) + "M-6 -7.5L-3 -12H3L6 -7.5Z"}),
    "field-gold": Part({"red": RIBBON, "gold": dots((0, 3.75), radius=8.25) + box(-1.5, 0, 1.5, 7.5)}),
    "field-silver": Part(
        {
            "red": RIBBON,
            "silver": "M-4.5 -4.5H4.5L9 3.75L4.5 12H-4.5L-9 3.75Z" + box(-4.5, 0, -1.5, 7.5) + box(1.5, 0, 4.5, 7.5),
        }
    ),
    "patent": Part(
        {
            "ground": "M-8.25 -11.25H5.25L8.25 -8.25V11.25H-8.25Z",
            "line": "M-4.5 -6.75H3M-4.5 -2.25H4.5",
            "red": "M0 8.25V12L3 10.5L6 12V8.25A4.8 4.8 0 1 0 0 8.25Z",
        }
    ),
    "paid": Part(
        {"gold": dots((1.5, -5.25), radius=6), "solid": "M-12 4.5L-6 3H3V6H-1.5V7.5H4.5L10.5 3L12 5.25L5.25 12H-12Z"}
    ),
    "counterfeit": Part({"solid": MASK}),
    "start-card": Part({"ground": box(-8.25, -11.25, 8.25, 11.25), "solid": "M-3 -5.25L5.25 0L-3 5.25Z"}),
    "factory": Part({"solid": WORKS + box(-7.5, 3, -4.5, 6) + box(-1.5, 3, 1.5, 6) + box(4.5, 3, 7.5, 6)}),
    "ship": Part({"solid": "M-12 3H12L8 10.5H-8ZM-7.5 1.5V-3H7.5V1.5ZM-1.5 -4.5V-7.5H3V-4.5ZM-1.5 -9V-12H3V-9Z"}),
    "warehouse": Part(
        {"solid": "M0 -10.5L12 -3V10.5H-12V-3Z" + box(-7.5, 0, 7.5, 10.5), "leg": "M-6 2.5L6 10M6 2.5L-6 10"}
    ),
    "round": Part({"solid": box(-9, -12, 9, -9) + box(-9, 9, 9, 12) + SAND, "line": GLASS}),
    "start-player": Part({"solid": "M-7.5 -12H7.5L6 1.5H-6ZM-12 4.5H12V7.5H-12Z", "gold": box(-6, 1.5, 6, 4.5)}),
    "arrow-leaves": Part({"solid": "M0 -12L7.5 -4.5H3V4.5H-3V-4.5H-7.5Z", "line": "M-9.75 3V11.25H9.75V3"}),
    "laurel": Part({"gold": WREATH}),
}
"""The icons of cards, pieces, places and everything else."""


def shield(colour: str) -> Part:
    """Return a player's plate with the pattern of the colour, on which the boards write the player's initial."""
    return Part({"shield": "M-10.5 -11.25H10.5V2.25Q10.5 8.25 0 11.25Q-10.5 8.25 -10.5 2.25Z"}, ink=colour)


PATTERNS: Final[Mapping[str, str]] = {
    "solid": "",
    "stripes": "M-1.5 1.5L1.5 -1.5M-1.5 7.5L7.5 -1.5M4.5 7.5L7.5 4.5",
    "dots": dots((1.5, 1.5), (4.5, 4.5), radius=0.6),
    "chevrons": "M-1.5 6L3 1.5L7.5 6",
    "grid": "M0 1.5H6M1.5 0V6",
    "waves": "M-2 3C-1 1 1 1 2 3S5 5 6 3S9 1 10 3",
}
"""The lines on a player's plate, in a tile of 6 by 6."""
