"""A picture for each invention of the box, 48 wide and high around 0 0, distinguished by outlines.

A custom component file may have other inventions; they have no picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from spieltisch.drawing.svg_hatching import gear, spokes
from spieltisch.drawing.svg_paths import circle, dots


class Engraving(NamedTuple):
    """Paths from the back to the front: shapes of paper with an outline, shapes of ink, lines, and fine lines."""

    paper: str = ""
    ink: str = ""
    line: str = ""
    fine: str = ""


def at(x: float, y: float, radius: float) -> str:
    """Return a circle around a point."""
    return dots((x, y), radius=radius)


ENGRAVINGS: Final[Mapping[str, Engraving]] = {
    # --- Age I. ---
    "bow": Engraving(
        ink="M23 0L14 -4V4ZM4 -5H8.6V5H4Z",
        line="M-9 -22C14 -16 14 16 -9 22M-9 -22L-15 0L-9 22M-20 0H16M-16 0L-21 -5M-12 0L-17 -5M-16 0L-21 5M-12 0L-17 5",
        fine="M-9 -22C9 -14 9 14 -9 22",
    ),
    "axe": Engraving(
        paper="M-16 20L6 -17L10.5 -14.5L-11 22.5ZM0 -21C12 -24 21 -15 21 1C15 -3 8 -6 0 -8Q-4 -14 0 -21Z",
        line="M1 -8L11 -16M-1 -4L9 -12M3 -20V-9",
        fine="M10 -20L8 -7M13 -18L11.5 -5M16 -15L14.5 -3.5M19 -11L17.5 -1.5M-12 17L-9 19M-9 12L-6 14",
    ),
    "canoe": Engraving(
        paper="M-23 -6Q0 6 23 -6Q21 10 11 11H-11Q-21 10 -23 -6Z",
        ink="M-9 -15Q-16 -23 -15 -15Q-13 -10 -7 -11Z",
        line="M-9 -13L7 4",
        fine="M-21 -1Q0 10 21 -1M-14 10V4M-7 11V6.5M0 11V7M7 11V6.5M14 10V4"
        "M-23 16Q-17 13 -11 16T1 16T13 16T23 15M-14 20Q-8 17 -2 20T10 20",
    ),
    "wheel": Engraving(
        paper=circle(21), ink=circle(4.4), line=circle(16.6) + spokes((0, 0), 4, 16.6, 8), fine=circle(18.8)
    ),
    "smoke-signals": Engraving(
        paper="M-5 10C-11 10 -11 3 -6 3C-5 -2 3 -2 4 3C9 2 10 10 4 10Z"
        "M0 -3C-6 -3 -6 -10 -1 -10C1 -15 10 -15 11 -9C17 -9 17 -2 10 -3Z"
        "M-11 -13C-18 -13 -18 -20 -12 -20C-10 -25 0 -25 2 -19C8 -20 9 -12 2 -13Z",
        ink="M0 20C-5 19 -5 15 -1 11C1 14 5 15 3 20Z",
        line="M-13 23L11 17M-11 17L13 23",
        fine="M-4 6Q0 4 2 7M2 -7Q6 -9 8 -6M-11 -17Q-6 -19 -4 -16",
    ),
    "papyrus": Engraving(
        paper="M-15 -17H15V17H-15ZM-20 -22H20V-15H-20ZM-20 15H20V22H-20Z",
        ink="M-11 8H-5L-8 3ZM3 3H9V8H3Z",
        line="M-11 -8q3 -4 6 0q-3 4 -6 0M2 -8H10M6 -11V-5M-11 0q2 -3 4 0t4 0t4 0t4 0M3 12H9M-10 12H-4",
        fine="M-20 -18.5H20M-20 18.5H20M-17 -22V-15M17 -22V-15M-17 15V22M17 15V22",
    ),
    "flute": Engraving(
        paper="M-19 22L-22 17Q-22 12 -17 13L11 -17Q10 -23 16 -22L21 -17Q22 -11 16 -12L-12 17Q-12 23 -19 22Z",
        ink=at(8, -8.5, 2) + at(2, -2, 2) + at(-4, 4.4, 2) + at(-10, 10.6, 2),
        fine="M13 -15L16 -12M-17 13L-12 18M14 -19L18 -15M-5 7L-12 14.6M9 -7L0 2.6",
    ),
    "cave-painting": Engraving(
        paper="M-23 14C-23 -6 -18 -20 -4 -21S22 -17 23 0S20 19 12 21H-16Q-22 20 -23 14Z",
        ink="M-16 2C-15 -7 -6 -10 0 -7C6 -8 11 -4 13 1L18 -1L17 6L12 7L11 14"
        "H8.6L8 7Q0 9 -6 7L-7 14H-9.6L-11 6Q-15 8 -16 2Z",
        line="M16 0L19 -6M14 -1L15 -6M-16 2L-20 8",
        fine="M-14 -13L-9 -18M-9 -13L-2 -20M-4 -14L2 -20M18 10L22 4M15 16L22 9",
    ),
    "sundial": Engraving(
        paper="M-21 8A21 9 0 1 0 21 8A21 9 0 1 0 -21 8ZM-21 8V12A21 9 0 0 0 21 12V8",
        ink="M-5 10V-17L14 8Z",
        line=at(15, -15, 4.4) + spokes((15, -15), 6, 8.6, 8),
        fine="M-16 8H-12M-14 3L-11 4.6M-13 13L-10.6 11.6M14 13L11 11.6M-4 15V13M5 15V13M18 8H16"
        "M-21 10A21 9 0 0 0 21 10",
    ),
    "water-clock": Engraving(
        paper="M-20 -22H4L0 -7H-16ZM-6 3H20V22H-6Z",
        ink="M-4 12H18V20H-4ZM-18 -17H1L-1.6 -9H-14.6Z",
        line="M-1 -9L5 -7M5 -5V-2M5 0V2M-16 -7L-18 22M-22 22H-10",
        fine="M9 3V12M9 6H13M9 9H13",
    ),
    "fire": Engraving(
        paper=""
        "M0 -23C4 -12 15 -8 14 4C13 13 6 16 0 16S-14 12 -14 4C-14 -2 -10 -5 -9 -11C-6 -9 -4 -6 -4 -3C0 -8 1 -15 0 -23Z",
        ink="M0 15C-6 14 -8 7 -3 1C-2 5 0 6 1 2C6 7 7 14 0 15Z",
        line="M-18 22L15 14M-15 14L18 22",
        fine="M-10 4Q-10 10 -6 13M10 2Q11 9 7 13M5 -10Q9 -6 10 -3",
    ),
    "oil-lamp": Engraving(
        paper="M-17 6Q-15 -3 -2 -3H4Q9 -3 18 -10L22 -6Q15 5 8 11H-8Q-16 11 -17 6ZM-7 -3Q-2 -10 3 -3Z",
        ink="M20 -10Q14 -16 20 -24Q26 -16 20 -10ZM-6 11H6L10 18H-10Z",
        line="M-16 2Q-26 -4 -22 8Q-19 13 -13 10",
        fine="M-12 4Q-10 0 -4 0M-12 8H4M-10 10H5M9 6L16 -3M6 8L13 1",
    ),
    # --- Age II. ---
    "crossbow": Engraving(
        paper="M-3 -17H3V14L6 23H-6L-3 14Z",
        ink="M0 -24L-4 -17H4ZM-2 3H2V8H-2Z",
        line="M-23 -3Q-16 -17 0 -17T23 -3M-23 -3L0 5L23 -3",
        fine="M-21 -3Q-15 -14 0 -14T21 -3M0 -17V3M-2 12V20M2 12V20",
    ),
    "pistol": Engraving(
        paper="M-23 -9H8L13 -6Q15 5 22 17L14 22Q7 9 2 1H-23Z",
        ink="M-1 -9L2 -17L9 -20L7 -13L11 -9ZM12 16L20 12L22 17L14 22Z",
        line="M-6 1Q-5 10 5 8M0 1L-1 5M-23 -4H3M-19 -9V1",
        fine="M4 -2L12 13M7 -4L15 11M10 -5L17 9",
    ),
    "hot-air-balloon": Engraving(
        paper="M0 -23C14 -23 20 -14 18 -5C16 3 7 8 5 12H-5C-7 8 -16 3 -18 -5C-20 -14 -14 -23 0 -23Z",
        ink="M-4.4 17H4.4V23H-4.4Z",
        line="M-5 12L-4 17M5 12L4 17M-18 -6Q0 1 18 -6",
        fine="M0 -23C-9 -15 -9 0 -2 12M0 -23C9 -15 9 0 2 12M-17 -11Q0 -4 17 -11"
        "M-14 -2L-12 -5L-9 -1L-6 -4L-3 0L0 -3L3 0L6 -4L9 -1L12 -5L14 -2M0 -23V12",
    ),
    "caravel": Engraving(
        paper="M-22 6H-10L-8 9H10L12 4H23L16 19H-15ZM-12 -14Q-6 -5 -12 5H-1Q6 -5 -1 -14Z"
        "M6 -16Q11 -8 6 3H15Q21 -7 15 -16Z",
        ink="M-7 -9H-4V-6H-1V-3H-4V0H-7V-3H-10V-6H-7ZM-7 -23L1 -20L-7 -17Z",
        line="M-7 9V-23M10 8V-21",
        fine="M-19 12H20M-17 15H18M-23 22Q-17 19 -11 22T1 22T13 22T23 21M10 -10Q12 -7 11 -2",
    ),
    "printing-press": Engraving(
        paper="M-17 -19H-11V22H-17ZM11 -19H17V22H11ZM-20 -23H20V-17H-20ZM-10 -5H10V0H-10ZM-22 7H22V12H-22Z",
        ink="M-2.4 -17H2.4V-5H-2.4ZM-8 3.6H8V7H-8Z",
        line="M0 -11L21 -14M-11 17H11",
        fine="M-2.4 -8L2.4 -10M-2.4 -12L2.4 -14M-15 -14V4M13 -14V4M-20 -20H20M-7 12V7M-2 12V7M3 12V7",
    ),
    "optical-telegraph": Engraving(
        paper="M-9 10H9V23H-9Z",
        ink="M-12 10L0 2L12 10ZM-15 -20L15 -9L14 -6L-16 -17ZM-17 -18H-13.6V-6H-17ZM14 -9L20 -21L23 -19L17 -8Z"
        "M-2.4 16H2.4V23H-2.4Z",
        line="M0 2V-14",
        fine="M-4 5L0 -12L4 5M-7 13H-5M5 13H7",
    ),
    "fireworks": Engraving(
        ink="".join(
            at(x, y, 1.5) for x, y in ((0, -24), (13, -18), (-13, -18), (17, -7), (-17, -7), (11, 4), (-11, 4))
        ),
        line=spokes((0, -8), 4, 12, 12) + spokes((-15, 12), 2, 5.4, 8) + spokes((15, 12), 2, 5.4, 8) + "M0 6V23",
        fine="M-15 18Q-14 22 -10 23M15 18Q14 22 10 23" + spokes((0, -8), 7, 14, 12, 15),
    ),
    "harpsichord": Engraving(
        paper="M-21 1V-22Q-8 -23 -4 -17Q0 -8 12 -6Q20 -4 19 1ZM-22 1H22V9H-22Z",
        line="M-18 9V23M18 9V23M0 9V23M19 1L-8 -14",
        fine="M-18 -18V1M-14 -20V1M-10 -20V1M-6 -17V1M-2 -12V1M2 -9V1M6 -8V1M-18 5H18M-15 5V9M-11 5V9M-7 5V9"
        "M-3 5V9M1 5V9M5 5V9M9 5V9M13 5V9",
    ),
    "hourglass": Engraving(
        paper="M-13 -18C-13 -6 -2 -4 -2 0S-13 6 -13 18H13C13 6 2 4 2 0S13 -6 13 -18Z",
        ink="M-17 -23H17V-18H-17ZM-17 18H17V23H-17ZM-9.6 -9H9.6Q7 -4 1 -1H-1Q-7 -4 -9.6 -9Z"
        "M0 8Q8 12 10 17H-10Q-8 12 0 8Z",
        line="M-15 -18V18M15 -18V18M0 0V9",
    ),
    "pendulum-clock": Engraving(
        paper="M-10 -14L0 -23L10 -14V18H-10ZM-13 18H13V23H-13Z",
        ink=at(3, 12, 4),
        line=at(0, -8, 7) + "M0 -8V-13M0 -8L3 -6M-7 3H7M0 3L2.4 9",
        fine="M-7 3V16H7V3M0 -14.4V-13.6M-6.4 -8H-5.6M5.6 -8H6.4M0 -2.4V-1.6",
    ),
    "windmill": Engraving(
        paper="M-7 -3L-11 23H11L7 -3ZM-8 -3Q0 -14 8 -3Z"
        "M4.9 -2.6L18 6.6L14.6 11.5L1.5 2.4ZM-3.4 -1.1L-12.6 12L-17.5 8.6L-8.4 -4.5Z"
        "M-4.9 -9.4L-18 -18.6L-14.6 -23.5L-1.5 -14.4ZM3.4 -10.9L12.6 -24L17.5 -20.6L8.4 -7.5Z",
        ink="M-3 16H3V23H-3Z" + at(0, -6, 2.2),
        line="M0 -6L18 6.6M-0 -6L-12.6 12M0 -6L-18 -18.6M0 -6L12.6 -24",
        fine="M7.4 -0.8L3.9 4.1M9.8 0.9L6.4 5.8M12.3 2.6L8.8 7.5M14.7 4.3L11.3 9.2M3.2 -0.1L16.3 9.1"
        "M-5.2 1.4L-10.1 -2.1M-6.9 3.8L-11.8 0.4M-8.6 6.3L-13.5 2.8M-10.3 8.7L-15.2 5.3M-5.9 -2.8L-15.1 10.3"
        "M-7.4 -11.2L-3.9 -16.1M-9.8 -12.9L-6.4 -17.8M-12.3 -14.6L-8.8 -19.5M-14.7 -16.3L-11.3 -21.2"
        "M-3.2 -11.9L-16.3 -21.1"
        "M5.2 -13.4L10.1 -9.9M6.9 -15.8L11.8 -12.4M8.6 -18.3L13.5 -14.8M10.3 -20.7L15.2 -17.3M5.9 -9.2L15.1 -22.3",
    ),
    "steam-engine": Engraving(
        paper="M-22 -2H-11V18H-22ZM-4 18L-2 -14H2L4 18Z" + at(13, 6, 10),
        ink="M-24 18H24V23H-24ZM-20 -18L18 -22L19 -18L0 -13L-19 -14Z" + at(13, 6, 2.6),
        line="M-16.5 -14V-2M18 -18L15 1" + spokes((13, 6), 2.6, 10, 6),
        fine="M-22 2H-11M-22 14H-11M-14 2V14M-12.6 2V14" + at(13, 6, 8),
    ),
    # --- Age III. ---
    "gatling": Engraving(
        paper="M-23 -14H6V-10.6H-23ZM-23 -9.6H6V-6.2H-23ZM-23 -5.2H6V-1.8H-23Z" + at(0, 13, 10),
        ink="M6 -16H15V0H6ZM-16 -15H-13V-1H-16Z" + at(0, 13, 2.6),
        line="M15 -8H21V-1M3 2L22 22" + spokes((0, 13), 2.6, 10, 8),
        fine=at(0, 13, 8) + "M9 -15V-1M12 -15V-1M6 -22H10V-16",
    ),
    "revolver": Engraving(
        paper="M-23 -12H2V-5H-23ZM0 -14H12V3H0ZM12 -12L17 -9Q16 0 22 14Q22 21 14 21Q13 12 8 3H12Z",
        ink="M14 -12L18 -19L21 -16L18 -9ZM-23 -14.6H-20V-12H-23Z",
        line="M-2 3Q-1 11 9 9M4 3L2 7",
        fine="M3 -10H12M3 -5.6H12M3 -1H12M-23 -8.4H0M13 6L18 4M14.6 10L19.6 8M15.6 14L21 12M16 18L22 16",
    ),
    "automobile": Engraving(
        paper="M-17 8L-15 1H16L20 8ZM2 1L0 -14Q0 -18 5 -18H16Q21 -18 20 -12L18 1Z" + at(12, 12, 10) + at(-14, 15, 7),
        ink=at(12, 12, 2.4) + at(-14, 15, 2) + "M-20 1H-4V4H-20Z",
        line="M-10 1L-13 -10L-6 -12" + spokes((12, 12), 2.4, 10, 8) + spokes((-14, 15), 2, 7, 8),
        fine="M4 -14L6 0M9 -15L10 0M14 -15L14 0",
    ),
    "zeppelin": Engraving(
        paper="M-23 -5Q-15 -17 2 -17T23 -5Q18 7 2 7T-23 -5Z",
        ink="M-23 -5L-24 -15H-18L-14 -10ZM-23 -5L-24 5H-18L-14 0ZM-9 10H-1V14H-9ZM6 10H14V14H6Z",
        line="M-5 7V10M10 6V10",
        fine="M-20 -9H21M-22 -5H23M-20 -1H20M-8 -15.6V5M2 -17V7M12 -15.6V5M-20 20Q-14 17 -8 20T4 20T16 20",
    ),
    "telephone": Engraving(
        paper="M-1 -13L13 -22V-2L-1 -9ZM13 -22a3.4 10 0 1 1 0 20a3.4 10 0 1 1 0 -20Z",
        ink="M-11 22Q-8 16 0 16T11 22ZM-18 -15H-10V-11L-12 -7V1L-10 5H-18L-16 1V-7L-18 -11Z",
        line="M0 16V-9M0 -6H-10M-14 5Q-16 14 -20 12T-21 20T-11 21",
        fine="M4 -14V-7M8 -17V-6M-2 16V-9M2 16V-9",
    ),
    "radio": Engraving(
        paper="M-18 20V-4A18 18 0 0 1 18 -4V20ZM-20 20H20V23H-20Z",
        ink=at(-9, 14, 2.2) + at(9, 14, 2.2),
        line="M-11 4V-5A11 11 0 0 1 11 -5V4ZM-5 10H5V16H-5Z",
        fine="M-7 4V-13M-3 4V-15.4M1 4V-15.8M5 4V-14.6M9 4V-11M-15 18V-4A15 15 0 0 1 15 -4V18M0 16L2 12",
    ),
    "photography": Engraving(
        paper="M-14 -18H-6V3H-14ZM-6 -16L0 -13.4L3 -15V1L0 -1L-6 1ZM3 -16H7V2H3ZM7 -11H13V-3H7Z",
        ink="M-14 -20Q-22 -18 -20 -2L-23 6Q-17 8 -14 5ZM13 -12H15.4V-2H13Z",
        line="M-4 3V8M-4 8L-16 23M-4 8L9 23M-4 8V23",
        fine="M-3 -14.8V0M0 -13.4V-1M-11 -15V0M9 -11V-3",
    ),
    "cinematograph": Engraving(
        paper="M-16 -4H7V12H-16ZM7 0H13V8H7Z" + at(-11, -13, 8) + at(5, -14, 7),
        ink=at(-11, -13, 2) + at(5, -14, 2) + "M13 -1H15.4V9H13Z",
        line="M-8 12L-16 23M0 12L8 23M-4 12V23M-16 5H-21V11"
        + spokes((-11, -13), 3, 6, 6)
        + spokes((5, -14), 3, 5.4, 6),
        fine="M17 1L24 -6M17 4H24M17 7L24 14M-13 8H4M-13 5H4",
    ),
    "pocket-watch": Engraving(
        paper=at(0, 7, 16) + "M-3 -13H3V-9H-3Z",
        ink=at(0, 7, 1.6) + "M-0.8 7L0 -4L0.8 7ZM0 6.4L7 10L0 8Z",
        line=at(0, -17, 4) + "M4 -18Q12 -24 16 -18T23 -16" + at(0, 7, 12.6),
        fine=spokes((0, 7), 9.6, 12, 12) + at(0, 14, 2.6),
    ),
    "quartz-clock": Engraving(
        paper="M-20 -22H20V12H-20ZM-23 12H23V17H-23Z",
        ink="M-2 -5L-1 -16H1L2 -5ZM0 -6.6L9 -1L7.6 1L0 -3.4ZM-15 17H-9V22H-15ZM9 17H15V22H9Z",
        line=at(0, -5, 13.4) + "M-20 14.5H-12L-10 13L-7 16L-4 13L-1 16L2 13L5 16L8 13L10 14.5H20",
        fine=spokes((0, -5), 10.6, 13, 12) + "M-17 -19L-13 -15M17 -19L13 -15M-17 9L-13 5M17 9L13 5",
    ),
    "light-bulb": Engraving(
        paper="M-6 9C-6 3 -15 -1 -15 -9A15 14.6 0 0 1 15 -9C15 -1 6 3 6 9Z",
        ink="M-6 9H6V19H-6ZM-3 19H3V22H-3Z",
        line="M-2.4 9V0L-6.6 -9L-3.3 -13L0 -8L3.3 -13L6.6 -9L2.4 0V9",
        fine="M-11 -9A11 11 0 0 1 -5 -18",
    ),
    "generator": Engraving(
        paper="M-21 17V-8Q-21 -22 0 -22T21 -8V17H9V-5Q9 -10 0 -10T-9 -5V17ZM-24 17H24V22H-24Z"
        + gear((0, 6), 8, 12, 1.8),
        ink=at(0, 6, 3),
        line="M-22 -4H-8M-22 0H-8M-22 4H-8M-22 8H-8M8 -4H22M8 0H22M8 4H22M8 8H22",
        fine="M-16 -12Q-12 -18 0 -18T16 -12M-21 12H-9M9 12H21",
    ),
}
