"""The page of a report: one HTML file without scripts and outside links.

Its plots are intervals in the rows of the tables, and a histogram, as SVG in the template.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from spieltisch.lab.report import DEAD_SHARE, DOMINANT_RATIO, MIN_CHANCES, Difference, Report, ThingRow

BINS: Final = 40
"""The largest number of bars in the histogram of lengths."""

_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def report_page(
    command: str, report: Report, compared: Mapping[str, Sequence[Difference]], about: Mapping[str, Any]
) -> str:
    """Return the page of a report, with the differences of each variant. `about` says what was played."""
    things = report.things()
    wins = report.wins()
    return _ENVIRONMENT.get_template("report.html").render(
        heading=f"{report.setup.game.title}, {report.setup.seats} players",
        command=command,
        about=about,
        report=report,
        wins=[(group, list(rows)) for group, rows in groupby(wins, lambda row: row.group)],
        most=max([2.0, *(row.high * report.setup.seats for row in wins)]),
        things=[(group, list(rows)) for group, rows in groupby(things, lambda row: row.group)],
        verdicts=verdicts(things),
        lengths=_histogram(report.lengths),
        quartiles=quantiles(report.lengths, n=4) if len(report.lengths) > 1 else report.lengths * 3,
        compared=compared,
        dead_share=DEAD_SHARE,
        dominant_ratio=DOMINANT_RATIO,
        min_chances=MIN_CHANCES,
    )


def verdicts(things: Sequence[ThingRow]) -> dict[str, list[str]]:
    """Return what is dead, dominant or never offered, by verdict, each with its group and the figure that says so.

    The figure is how many of those who could took a thing, or how often its users won. Of a kind of move that is dead
    or never offered as a whole, only the kind is named.
    """
    found: dict[str, list[str]] = {"dead": [], "dominant": [], "never offered": []}
    kinds = {row.thing: row.verdict for row in things if row.group == "move"}
    for row in things:
        kind = max((kind for kind in kinds if row.group.startswith(f"{kind} ")), key=len, default="")
        if row.verdict and not (kind and kinds[kind] == row.verdict != "dominant"):
            figure = {"dead": f" ({row.users} of {row.chances})", "dominant": f" ({row.ratio:.2f} of even)"}
            found[row.verdict].append(f"{row.group}: {row.thing}{figure.get(row.verdict, '')}")
    return found


def _histogram(lengths: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the first and the last length of each bar, and the number of games in it."""
    low, high = min(lengths), max(lengths)
    width = -(-(high - low + 1) // BINS)
    starts = range(low, high + 1, width)
    return [(at, at + width - 1, sum(at <= length < at + width for length in lengths)) for at in starts]
