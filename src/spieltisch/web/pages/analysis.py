"""The page of an analysis: win chances, a turn and its position, turning points, accuracy of each player."""

from typing import Any

from spieltisch.bots.analysis import Analysis, JudgedDecision
from spieltisch.core.words import message
from spieltisch.tables import LogLine, Table
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.chart import chance_chart
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer


def analysis_context(table: Table, analysis: Analysis) -> dict[str, Any]:
    """Return the context of `analysis_result.html`, but for that of its views."""
    log_lines = _log_lines(table, analysis)
    seats = [seat for seat in table.seats if analysis.seat in (None, seat.number)]
    return {
        "games": min((decision.games for decision in analysis.decisions), default=0),
        "any_mark": any(decision.mark for decision in analysis.decisions),
        "luck": [(seat.number, luck) for seat in seats if (luck := analysis.luck(seat.number)) is not None],
        "doubt": max((doubt for decision in analysis.decisions for doubt in decision.doubt), default=0.0),
        "turning": [_judged_turn(table, decision, log_lines) for decision in analysis.turning_points()],
        "turns": [_judged_turn(table, decision, log_lines) for decision in analysis.decisions if decision.moves],
        "players": [(seat.number, analysis.accuracy(seat.number)) for seat in seats],
        "since": len(table.moves) - analysis.moves,
    }


def costliest_turn(table: Table, analysis: Analysis) -> dict[str, Any] | None:
    """Return the costliest turn of all, or None if no turn cost anything."""
    turning_points = analysis.turning_points()
    return _judged_turn(table, turning_points[0], _log_lines(table, analysis)) if turning_points else None


def views_context(
    pages: Renderer, table: Table, perspective: Perspective, analysis: Analysis, at: int | None, language: str
) -> dict[str, Any]:
    """Return the context of `analysis_views.html`: the chart, and the position after `at` moves, where it has a point.

    By default that is after the costliest turn of the viewer, or of all. Raise PageRefusal 404.
    """
    places = [*dict.fromkeys((*(decision.last for decision in analysis.decisions), analysis.moves))]
    if at is None:
        costly = sorted(analysis.turning_points(), key=lambda decision: decision.seat != perspective.seat)
        at = costly[0].last if costly else analysis.moves
    if at not in places:
        raise PageRefusal(404, "no-step", message("This move doesn’t exist."))
    judged = next((decision for decision in analysis.decisions if decision.last == at and decision.moves), None)
    position, index = table.position_at(at), places.index(at)
    seen = position.reveal() if analysis.seat is None else position.observe(analysis.seat)
    words = pages.words(language, table.game)
    last = [seen.setup.move(play.move) for play in table.moves[max(0, at - 1) : at] if analysis.seat is None]
    return {
        "chart": chance_chart(analysis, perspective.seat, at),
        "shown": at,
        "previous": places[index - 1] if index else None,
        "following": places[index + 1] if index + 1 < len(places) else None,
        "turn": _judged_turn(table, judged, _log_lines(table, analysis)) if judged is not None else None,
        **render_boards(pages, table.game, table.names, seen, words, last, ended=False),
    }


def _log_lines(table: Table, analysis: Analysis) -> dict[int, LogLine]:
    return {line.number: line for line in table.log(analysis.seat) if line.number is not None}


def _judged_turn(table: Table, judged: JudgedDecision, log_lines: dict[int, LogLine]) -> dict[str, Any]:
    """Return a judged turn with its lines of the log and the words of the best moves."""
    assert table.position is not None  # noqa: S101  # it was played
    return {
        "judged": judged,
        "log_lines": [log_lines[number] for number in range(judged.number - 1, judged.last) if number in log_lines],
        "better": [table.position.words(move) for move in judged.best_moves] if judged.cost else [],
    }
