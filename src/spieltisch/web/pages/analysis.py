"""What the page of an analysis shows: chances, turning points, how well each player played."""

from __future__ import annotations

from typing import Any

from spieltisch.bots.analysis import Analysis, Judged
from spieltisch.tables import Table
from spieltisch.web.pages.chart import chances


def shown(table: Table, analysis: Analysis) -> dict[str, Any]:
    """What `analysis_found.html` is given."""
    told = {line.number: line for line in table.log(None) if line.number is not None}
    return {
        "chart": chances(analysis),
        "doubt": max((doubt for one in analysis.decisions for doubt in one.doubt), default=0.0),
        "turning": [
            {"judged": one, "told": told.get(one.number - 1), "better": _words(table, one)}
            for one in analysis.turning_points()
        ],
        "players": [(seat.number, analysis.accuracy(seat.number)) for seat in table.seats],
    }


def _words(table: Table, judged: Judged) -> list[Any]:
    """The words of the move that was better, as it would have been chosen."""
    position = table.position_at(judged.number - 1)
    return [word.label for word in position.words(judged.best)]
