"""Paths of the icons of Legendary Inventors, in a frame from -12 to 12 in both directions, by component id.

A component with another id has no icon, only its letters. All paths are the project's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spieltisch.drawing.svg_paths import circle, dots

SHAPES: Final[Mapping[str, str]] = {
    "circle": circle(9),
    "triangle": "M0 -10.5L11 8.5H-11Z",
    "square": "M-8.5 -8.5H8.5V8.5H-8.5Z",
    "diamond": "M0 -11L11 0L0 11L-11 0Z",
}
"""The outlines of the fields of knowledge."""

DROP: Final[Mapping[str, int]] = {"triangle": 2}
"""The distance of a shape's letters below the centre."""

PATTERNS: Final[Mapping[str, str]] = {
    "solid": "",
    "stripes": "M-1 1.2H9",
    "dots": dots((1.4, 1.4), (4.2, 4.2), radius=0.7),
    "chevrons": "M-1 4.6L3 .8L7 4.6",
    "grid": "M0 .6H6M.6 0V6",
    "waves": "M-2 2.6C-1 .6 1 .6 2 2.6S5 4.6 6 2.6S9 .6 10 2.6",
}
"""The hatching of a team's plate, in a tile of 6 by 6."""

ATTRIBUTES: Final[Mapping[str, str]] = {
    "hypatia": circle(8.5) + "M-8.5 0H8.5M0 -8.5V8.5" + circle(4.5) + "M-6 6L6 -6",
    "archimedes": "M-10 -1L10 -6M0 -3.5L-5 8H5ZM-10 -1V-7H-5V-2.2",
    "aristotle": "M-6 -8H6a2 2 0 0 1 2 2V-4H4V6a2 2 0 0 1 -2 2H-4a3 3 0 0 1 -3 -3V-6a2 2 0 0 0 -2 -2H6"
    "M-4 -4H1M-4 -.5H1M-4 3H1",
    "hippocrates": "M0 -10V10M-5 -7C6 -9 7 -2 0 -2S-7 4 0 4S5 8 2 9.5",
    "nicole-oresme": "M-9 -9V8H10M-6 8V3H-2V8M-2 8V-1H2V8M2 8V-6H6V8",
    "fibonacci": "M-8 -8.5H10V3H-8ZM3 -8.5V3M3 -1.5H10M0 1a1 1 0 0 1 1 -1a2 2 0 0 1 2 2a3 3 0 0 1 -3 3"
    "a5 5 0 0 1 -5 -5a8 8 0 0 1 8 -8",
    "hildegard-of-bingen": "M0 10V-2M0 6C-8 6 -9 0 -9 -3C-3 -2 0 1 0 6M0 1C8 1 9 -5 9 -9C3 -8 0 -4 0 1",
    "johannes-gutenberg": "M-9 9H9M-6 9V-6H6V9M-8 -6H8M0 -10V0M-4 -10H4M-4 0H4V3H-4ZM-6 6H6",
    "robert-boyle": "M-3 -10H3M-2 -10V-3L-8 9H8L2 -3V-10M-5.4 4H5.4",
    "isaac-newton": "M0 -4C-3 -7 -9 -5 -8 1S-3 10 0 8S7 7 8 1S3 -7 0 -4Q0 -8 3 -10",
    "galileo-galilei": "M-10 1L7 -8L9 -4L-8 5ZM3 -6L5 -2M0 1L-5 10M0 1L5 10M0 1V10",
    "blaise-pascal": dots((0, -7), (-3.5, -1), (3.5, -1), (-7, 5), (0, 5), (7, 5), radius=1.8),
    "james-watt": "M0 -10V9M-5 9H5M0 -9L-6 0M0 -9L6 0M-3.5 -4L0 2L3.5 -4" + dots((-7, 2), (7, 2), radius=2),
    "ada-lovelace": "M-9 -6L-6 -9H9V9H-9Z"
    + dots((-5, -3), (-1, -3), (5, -3), (-5, 1), (3, 1), (-1, 5), (5, 5), radius=0.9),
    "antoine-lavoisier": "M0 -9V8M-5 9H5M-8 -6H8M-8 -6L-11 2H-5ZM8 -6L5 2H11Z",
    "benjamin-franklin": "M1 -11L7 -4L1 5L-5 -4ZM1 -11V5M-5 -4H7M1 5Q5 8 0 10T-5 11",
    "albert-einstein": "M-8 -8L8 8M8 -8L-8 8M-8 -8a8 2.6 0 1 0 16 0a8 2.6 0 1 0 -16 0"
    "M-8 8a8 2.6 0 1 0 16 0a8 2.6 0 1 0 -16 0",
    "thomas-edison": "M-3 5C-3 1 -7 0 -7 -4a7 6.5 0 0 1 14 0C7 0 3 1 3 5Z"
    "M-3 7.5H3M-2 10H2M-2 5L-2.5 -3L0 -.5L2.5 -3L2 5",
    "nikola-tesla": "M-6 10H6M0 10V-3M-4 7.5H4M-4 5.2H4M-4 2.9H4M-4 .6H4M-7 -5a7 2.4 0 1 0 14 0a7 2.4 0 1 0 -14 0"
    "M3 -8L6 -9L5 -10.5L9 -11",
    "marie-curie": "M-10 0a10 3.6 0 1 0 20 0a10 3.6 0 1 0 -20 0M-5 -8.7A10 3.6 60 1 0 5 8.7A10 3.6 60 1 0 -5 -8.7"
    "M5 -8.7A10 3.6 -60 1 0 -5 8.7A10 3.6 -60 1 0 5 -8.7" + circle(1.3),
}
"""The attribute of each inventor in the medallion."""

CLASSES: Final[Mapping[str, str]] = {
    "weapons": "M-8 -9L6 7M8 -9L-6 7M-9 3L-3 9M9 3L3 9M-7 8L-9 10M7 8L9 10",
    "transport": circle(9) + circle(2) + "M0 -9V-2M0 2V9M-9 0H-2M2 0H9M-6.4 -6.4L-1.4 -1.4M1.4 1.4L6.4 6.4"
    "M6.4 -6.4L1.4 -1.4M-1.4 1.4L-6.4 6.4",
    "communication": "M-10 -7H10V7H-10ZM-10 -7L0 2L10 -7M-10 7L-3 -.7M10 7L3 -.7",
    "leisure": "M-6 -9C-10 -2 -8 7 0 8C8 7 10 -2 6 -9M-7.4 -5H7.4M-3 -5V6M0 -5V8M3 -5V6M-4 10H4",
    "timekeeping": "M-7 -10H7M-7 10H7M-5.5 -10C-5.5 -3 -1 -2 -1 0S-5.5 3 -5.5 10M5.5 -10C5.5 -3 1 -2 1 0S5.5 3 5.5 10"
    "M-3.4 7Q0 3 3.4 7",
    "electricity": "M3 -11L-7 2H-1L-3 11L7 -2H1Z",
}
"""The symbols of the classification numbers."""

TOKENS: Final[Mapping[str, str]] = {
    "upgrade": "M0 -10L9 -1H5V9H-5V-1H-9Z",
    "refresh": "M6.5 -5.5A8.5 8.5 0 1 0 8.5 1M8 -10V-4.5H2.5",
    "genius": "M0 -11L2 -3.5L8.5 -7L4.5 -1.5L11 1L4 2.8L5.5 9.5L0 5L-5.5 9.5L-4 2.8L-11 1L-4.5 -1.5L-8.5 -7L-2 -3.5Z",
    "number": "M-3 -9L-5 9M5 -9L3 9M-8.5 -3H9M-9 3H8.5",
    "points": "M-3 9C-11 6 -11 -4 -6 -9M3 9C11 6 11 -4 6 -9"
    "M-9 1L-6 -1M-8 5L-5 3M-8.6 -3L-6 -4M9 1L6 -1M8 5L5 3M8.6 -3L6 -4",
}
"""The symbols of the fronts of reward tokens."""

PATENT: Final = "M-8 -10H5L9 -6V10H-8ZM-5 -5H3M-5 -1H6" + dots((1, 5), radius=3)
"""A patent: a sealed sheet."""
