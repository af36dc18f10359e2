"""The page of an analysis: win chances, turning points, accuracy of each player."""

from __future__ import annotations

from typing import Any

from spieltisch.bots.analysis import Analysis
from spieltisch.tables import Table
from spieltisch.web.pages.chart import chance_chart


def analysis_context(table: Table, analysis: Analysis) -> dict[str, Any]:
    """Return the context of `analysis_result.html`."""
    assert table.position is not None  # noqa: S101  # it was played
    log_lines = {line.number: line for line in table.log(analysis.seat) if line.number is not None}
    seats = [seat for seat in table.seats if analysis.seat in (None, seat.number)]
    return {
        "chart": chance_chart(analysis),
        "games": min((one.games for one in analysis.decisions), default=0),
        "any_mark": any(one.mark for one in analysis.decisions),
        "luck": [(seat.number, found) for seat in seats if (found := analysis.luck(seat.number)) is not None],
        "doubt": max((doubt for one in analysis.decisions for doubt in one.doubt), default=0.0),
        "turning": [
            {
                "judged": one,
                "told": [log_lines[number] for number in range(one.number - 1, one.last) if number in log_lines],
                "better": [table.position.words(move) for move in one.best_moves],
            }
            for one in analysis.turning_points()
        ],
        "players": [(seat.number, analysis.accuracy(seat.number)) for seat in seats],
        "since": len(table.moves) - analysis.moves,
    }
