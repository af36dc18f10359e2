"""Charts of a finished game: a line for each player over its stages or moves, as numbers for an SVG.

Lines differ in dashes and markers, defined in `chart.css` by seat number, and have the player's initials at the end;
colour comes third.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from spieltisch.bots.analysis import Analysis
from spieltisch.core.words import message
from spieltisch.tables import ScoreHistory


class Frame(NamedTuple):
    """The size of a chart, and the area of its lines."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


NARROW: Final = Frame(340, 216, 32, 308, 10, 174)
"""Small enough that its letters can be read on a phone."""
WIDE: Final = Frame(1200, 250, 44, 1156, 10, 204)
"""For the whole width of a page."""
LABEL_HEIGHT: Final = 13.5
"""Minimum distance between the labels at the ends of the lines."""
MAX_NAMED_STAGES: Final = 4
"""Up to this number of stages their names label the axis; with more, numbers do."""
MAX_TICKS: Final = 12
MAX_GRID_LINES: Final = 5
"""Approximate maximum number of horizontal grid lines."""
TICK_HEIGHTS: Final = {"?!": 4, "?": 8, "??": 12}
"""The heights of the ticks of mistakes below the axis, which are in the style of the line of who made them."""
LINE_STYLES: Final = 6
"""Number of line styles, which repeat if there are more players."""

MARKS: Final = (
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0",
    "M-3.1 -3.1H3.1V3.1H-3.1Z",
    "M0 -4.2L4.2 3.2H-4.2Z",
    "M0 -4.6L4 0L0 4.6L-4 0Z",
    "M0 4.2L4.2 -3.2H-4.2Z",
    "M-1.3 -4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4V-1.3H-1.3Z",
)
"""The markers on the lines, around their points."""


def score_chart(history: ScoreHistory | None, *, is_large: bool = False) -> dict[str, Any] | None:
    """Return the chart of points for `chart.html`, large for the whole width of a page; None without a history."""
    if history is None or not history.stages:
        return None
    names = [stage.name or message("Round {round}", round=n) for n, stage in enumerate(history.stages, 1)]
    points = [history.dealt, *(stage.points for stage in history.stages)]
    labels = names if len(names) <= MAX_NAMED_STAGES else range(1, len(names) + 1)
    return {
        **_line_chart(points, ["", *labels]),
        "wide": _line_chart(points, ["", *labels], frame=WIDE) if is_large else None,
        "title": message("Points over time"),
        "below": None if labels is names else (names[0], names[-1]),
        "figures": message("Points as a table"),
        "first": message("After"),
        "rows": list(zip([message("Set-up"), *names], points, strict=True)),
    }


def chance_chart(analysis: Analysis, own: int | None = None, at: int | None = None) -> dict[str, Any] | None:
    """Return the chart of win chances in percent for `chart.html`, a point for each turn; None for a game without one.

    The chances after a turn are computed from what its seat knew; the last ones are the result. For a game in progress
    only those of the seat that views it are drawn. `own` is the seat whose line is thick, `at` the number of moves at
    the point that is marked.
    """
    numbers = [decision.last for decision in analysis.decisions]
    names = [message("Move {number}", number=number) if number else message("Set-up") for number in numbers]
    shares, seats = [decision.won for decision in analysis.decisions], range(len(analysis.won))
    if analysis.seat is None:
        numbers, names, shares = [*numbers, analysis.moves], [*names, message("End")], [*shares, analysis.won]
    else:
        seats = range(analysis.seat, analysis.seat + 1)
    if len(numbers) < 2:  # a line has two ends
        return None
    percent = [tuple(round(100 * won[seat]) for seat in seats) for won in shares]
    judged = [(decision.seat, decision.mark) for decision in analysis.decisions]
    drawn, wide = (_line_chart(percent, numbers, seats, judged, frame) for frame in (NARROW, WIDE))
    cursor = numbers.index(at) if at in numbers else None
    return {
        **drawn,
        "wide": wide,
        "own": analysis.seat if own is None else own,
        "places": list(zip(numbers, names, strict=True)),
        "cursor": cursor,
        "title": message("Win chance"),
        "below": (names[0], names[-1]),
        "figures": message("Win chances as a table"),
        "first": message("After"),
        "rows": list(zip(names, percent, strict=True)),
    }


def _line_chart(
    rows: Sequence[Sequence[int]],
    labels: Sequence[Any],
    seats: Sequence[int] = (),
    judged: Sequence[tuple[int, str]] = (),
    frame: Frame = NARROW,
) -> dict[str, Any]:
    """Return lines through the values of each seat (`seats`, or all), sorted by their last value, highest first.

    `labels` may be shown below the points, of which the first has none. `judged` has a seat and a mark for each row: a
    mistake is a tick below the axis.
    """
    last = len(rows) - 1
    tick_step = -(-last // MAX_TICKS)
    heights = axis_ticks(min(map(min, rows)), max(map(max, rows)))

    def x(n: int) -> float:
        return round(frame.left + (frame.right - frame.left) * n / last, 1)

    def y(points: int) -> float:
        return round(frame.bottom - (frame.bottom - frame.top) * (points - heights[0]) / (heights[-1] - heights[0]), 1)

    ends = spread_labels([y(points) for points in rows[-1]], frame)
    lines: list[dict[str, Any]] = [
        {
            "seat": seat,
            "kind": seat % LINE_STYLES,
            "mark": MARKS[seat % LINE_STYLES],
            "path": " ".join(f"{x(n)},{y(points[index])}" for n, points in enumerate(rows)),
            "marks": [
                (x(n), y(points[index])) for n, points in enumerate(rows) if n and (n % tick_step == 0 or n == last)
            ],
            "end": (x(last), y(rows[-1][index]), ends[index]),
            "points": rows[-1][index],
        }
        for index, seat in enumerate(seats or range(len(rows[0])))
    ]
    return {
        "lines": sorted(lines, key=lambda line: (-line["points"], line["seat"])),
        "mistakes": [
            (x(n), TICK_HEIGHTS[mark], seat % LINE_STYLES)
            for n, (seat, mark) in enumerate(judged)
            if mark in TICK_HEIGHTS
        ],
        "own": None,
        "places": (),
        "cursor": None,
        "across": [x(n) for n in range(last + 1)],
        "heights": [(y(points), points) for points in heights],
        "ticks": [(x(n), labels[n]) for n in range(1, last + 1) if n % tick_step == 0],
        "frame": frame,
        "wide": None,
    }


def axis_ticks(low: int, high: int) -> list[int]:
    """Return round numbers from at most `low` to at least `high`, including 0, at most a legible number of them.

    >>> axis_ticks(0, 47)
    [0, 10, 20, 30, 40, 50]
    >>> axis_ticks(-30, 59)
    [-40, -20, 0, 20, 40, 60]
    >>> axis_ticks(0, 0)
    [0, 1]
    """
    low, high = min(low, 0), max(high, 1)
    step = 1
    while (high - low) / step > MAX_GRID_LINES:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return list(range(low // step * step, -(-high // step) * step + 1, step))


def spread_labels(places: Sequence[float], frame: Frame = NARROW, min_distance: float = LABEL_HEIGHT) -> list[float]:
    """Return the positions moved apart to at least `min_distance`, in order and within the area of the lines.

    >>> spread_labels([100, 100, 30])
    [93.2, 106.8, 30.0]
    """

    def middle(group: list[int]) -> float:
        half = min_distance * (len(group) - 1) / 2
        return min(max(sum(places[n] for n in group) / len(group), frame.top + half), frame.bottom - half)

    groups: list[list[int]] = []
    for n in sorted(range(len(places)), key=lambda n: places[n]):
        group = [n]
        while groups and middle(group) - middle(groups[-1]) < min_distance * (len(groups[-1]) + len(group)) / 2:
            group = groups.pop() + group
        groups.append(group)
    moved = {
        n: middle(group) + min_distance * (i - (len(group) - 1) / 2) for group in groups for i, n in enumerate(group)
    }
    return [round(moved[n], 1) for n in range(len(places))]
