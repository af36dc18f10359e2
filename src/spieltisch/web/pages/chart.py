"""The charts of a finished game: a line for each player over the parts of the game or its moves, as numbers for an SVG.

Players are told apart by dashes and markers, which `chart.css` has by the number of the seat, and by their initials at
the end of the line; colour comes third.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from spieltisch.bots.analysis import Analysis
from spieltisch.core.words import message
from spieltisch.tables import ScoreHistory

WIDTH, HEIGHT = 340, 216
LEFT, RIGHT, TOP, BOTTOM = 32, 308, 10, 174
"""The whole, and the field of the lines in it: small enough that its letters can be read on a phone."""
LABEL_HEIGHT: Final = 13.5
"""How far apart the letters at the ends of the lines stand at least."""
MOST_NAMED: Final = 4
"""With so many parts at most their names stand below the axis; with more, numbers do."""
MOST_TICKS: Final = 12
MOST_LINES: Final = 5
"""How many lines across there are, about."""
PLAYERS: Final = 6
"""How many kinds of lines there are; with more players they come again."""

MARKS: Final = (
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0",
    "M-3.1 -3.1H3.1V3.1H-3.1Z",
    "M0 -4.2L4.2 3.2H-4.2Z",
    "M0 -4.6L4 0L0 4.6L-4 0Z",
    "M0 4.2L4.2 -3.2H-4.2Z",
    "M-1.3 -4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4V-1.3H-1.3Z",
)
"""The markers on the lines, round their points."""


def score_chart(history: ScoreHistory | None) -> dict[str, Any] | None:
    """How the points went, for `chart.html`; None without a history."""
    if history is None or not history.stages:
        return None
    names = [stage.name or message("Round {round}", round=n) for n, stage in enumerate(history.stages, 1)]
    points = [history.dealt, *(stage.points for stage in history.stages)]
    labels = names if len(names) <= MOST_NAMED else range(1, len(names) + 1)
    return {
        **_drawn(points, ["", *labels]),
        "title": message("Points over the game"),
        "below": None if labels is names else (names[0], names[-1]),
        "figures": message("The points as a table"),
        "first": message("At the end of"),
        "rows": list(zip([message("Set-up"), *names], points, strict=True)),
    }


def chance_chart(analysis: Analysis) -> dict[str, Any] | None:
    """How the chances to win went, in percent, for `chart.html`; None for a game without a decision. Those of a
    decision are reckoned from what its seat knew; at the end stands who won. Of a game that goes on only those of the
    seat that looks at it are drawn.
    """
    numbers = [one.number for one in analysis.decisions]
    names = [message("Move {number}", number=number) if number else message("Set-up") for number in numbers]
    shares, seats = [one.won for one in analysis.decisions], range(len(analysis.won))
    if analysis.seat is None:
        numbers, names, shares = [*numbers, analysis.moves], [*names, message("The end")], [*shares, analysis.won]
    else:
        seats = range(analysis.seat, analysis.seat + 1)
    if len(numbers) < 2:  # a line has two ends
        return None
    percent = [tuple(round(100 * won[seat]) for seat in seats) for won in shares]
    return {
        **_drawn(percent, numbers, seats),
        "title": message("Chances to win"),
        "below": (names[0], names[-1]),
        "figures": message("The chances as a table"),
        "first": message("After"),
        "rows": list(zip(names, percent, strict=True)),
    }


def _drawn(marked: Sequence[Sequence[int]], labels: Sequence[Any], seats: Sequence[int] = ()) -> dict[str, Any]:
    """Lines through the figures of each seat (`seats`, or all), those that end highest first; `labels` may stand below
    the places, of which the first has none.
    """
    last = len(marked) - 1
    every = -(-last // MOST_TICKS)
    heights = axis_ticks(min(map(min, marked)), max(map(max, marked)))

    def x(n: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * n / last, 1)

    def y(points: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (points - heights[0]) / (heights[-1] - heights[0]), 1)

    ends = spread_labels([y(points) for points in marked[-1]])
    lines: list[dict[str, Any]] = [
        {
            "seat": seat,
            "kind": seat % PLAYERS,
            "mark": MARKS[seat % PLAYERS],
            "path": " ".join(f"{x(n)},{y(points[at])}" for n, points in enumerate(marked)),
            "marks": [(x(n), y(points[at])) for n, points in enumerate(marked) if n and (n % every == 0 or n == last)],
            "end": (x(last), y(marked[-1][at]), ends[at]),
            "points": marked[-1][at],
        }
        for at, seat in enumerate(seats or range(len(marked[0])))
    ]
    return {
        "lines": sorted(lines, key=lambda line: (-line["points"], line["seat"])),
        "heights": [(y(points), points) for points in heights],
        "ticks": [(x(n), labels[n]) for n in range(1, last + 1) if n % every == 0],
        "frame": {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM},
    }


def axis_ticks(low: int, high: int) -> list[int]:
    """Round numbers from at most `low` to at least `high`, with 0 among them, and about as many as look well.

    >>> axis_ticks(0, 47)
    [0, 10, 20, 30, 40, 50]
    >>> axis_ticks(-30, 59)
    [-40, -20, 0, 20, 40, 60]
    >>> axis_ticks(0, 0)
    [0, 1]
    """
    low, high = min(low, 0), max(high, 1)
    wide = 1
    while (high - low) / wide > MOST_LINES:
        wide = wide * 5 // 2 if str(wide).startswith("2") else wide * 2
    return list(range(low // wide * wide, -(-high // wide) * wide + 1, wide))


def spread_labels(places: Sequence[float], least: float = LABEL_HEIGHT) -> list[float]:
    """Places that were too near to each other, moved so that all stand `least` apart, in their order and in the field
    of the lines.

    >>> spread_labels([100, 100, 30])
    [93.2, 106.8, 30.0]
    """

    def middle(group: list[int]) -> float:
        half = least * (len(group) - 1) / 2
        return min(max(sum(places[n] for n in group) / len(group), TOP + half), BOTTOM - half)

    groups: list[list[int]] = []
    for n in sorted(range(len(places)), key=lambda n: places[n]):
        group = [n]
        while groups and middle(group) - middle(groups[-1]) < least * (len(groups[-1]) + len(group)) / 2:
            group = groups.pop() + group
        groups.append(group)
    moved = {n: middle(group) + least * (i - (len(group) - 1) / 2) for group in groups for i, n in enumerate(group)}
    return [round(moved[n], 1) for n in range(len(places))]
