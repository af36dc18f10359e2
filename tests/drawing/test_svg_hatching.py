"""Check the lines that imitate engravings: within their shape, in the requested number."""

from __future__ import annotations

import re
from itertools import pairwise

from spieltisch.drawing.svg_hatching import closed, ellipse_points, gear, hatch, rays

SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


def ends(path: str) -> list[tuple[float, ...]]:
    """Return the ends of the horizontal, vertical and other lines of a path."""
    lines = re.findall(r"M(\S+) (\S+?)(?:L(\S+?) (\S+?)|H(\S+?)|V(\S+?))(?=M|$)", path)
    return [(float(x), float(y), float(to_x or h or x), float(to_y or v or y)) for x, y, to_x, to_y, h, v in lines]


def test_hatching_stays_within_its_shape_and_leaves_a_notch_white() -> None:
    notched = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 2.0), (0.0, 10.0)]
    for angle in (0, 30, 45, 90, 135):
        lines = ends(hatch(notched, 1, angle))
        assert len(lines) > 8
        assert all(-0.1 <= coordinate <= 10.1 for line in lines for coordinate in line)
    low = [line for line in ends(hatch(notched, 1)) if line[1] > 6]
    assert len(low) == 8  # two short ones for each of four heights
    assert all(line[2] - line[0] < 3 for line in low)


def test_gaps_between_hatching_lines_may_increase() -> None:
    heights = [line[1] for line in ends(hatch(SQUARE, 1, 0, 1.5))]
    gaps = [below - upper for upper, below in pairwise(heights)]
    assert gaps == sorted(gaps)
    assert gaps[-1] > 2 * gaps[0]


def test_rays_reach_from_the_centre_to_the_outline() -> None:
    lines = ends(rays((5, 5), 1, SQUARE, 16))
    assert len(lines) == 16
    assert all({to_x, to_y} & {0.0, 10.0} for _, _, to_x, to_y in lines)


def test_outlines_of_gears_and_ellipses_have_the_requested_number_of_points() -> None:
    assert gear((0, 0), 10, 12, 2).count("L") == 12 * 4 - 1
    assert closed(ellipse_points((0, 0), 4, 2, 0, 180, 2)) == "M4 0L0 2L-4 0Z"
