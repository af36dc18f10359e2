"""A better line on the board: the moves that a seat could have played at a turning point.

The line is the search's continuation from there, drawn step by step like a replay. None of its moves was played.
"""

from typing import Any

from spieltisch.bots.analysis import JudgedDecision
from spieltisch.core.words import message
from spieltisch.tables import LogLine, Table
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import Viewpoint, turn_steps


def step(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    judged: JudgedDecision,
    wanted: int | None,
    language: str,
    base: str,
) -> str:
    """Render the line after `wanted` of its moves (by default the first), in the position that its seat imagines.

    It shows what that seat would see. Raise PageRefusal 404 for a step that does not exist.
    """
    at = 1 if wanted is None else wanted
    if not 0 <= at <= len(judged.line):
        raise PageRefusal(404, "no-step", message("This move doesn’t exist in this line."))
    position = table.position_at(judged.number - 1).observe(judged.seat).imagine(judged.seed)
    game, setup, observation, lines = table.game, position.setup, position.observe(judged.seat), list[LogLine]()
    turn_ends = []
    for number, move in enumerate(judged.line):
        played = position.play(move, collect_events=True)
        visible_events = game.events.visible_events(setup, played.events, judged.seat)
        messages = tuple(game.log(setup, visible_events, judged.seat))
        lines.append(LogLine(0, 0.0, played.seat, number, messages, table.names, played.move, visible_events))
        if played.ended_decision:
            turn_ends.append(number + 1)
        if number + 1 == at:
            observation = position.observe(judged.seat)
    words = pages.words(language, game)
    last = [setup.move(judged.line[at - 1])] if at else []
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "eye": Viewpoint(judged.seat),
        "seen": observation,
        "at": at,
        "first": 0,
        "last": len(judged.line),
        "since": None,
        "happened": lines[at - 1].messages if at else (),
        "moved": move_animation(observation, lines[at - 1].seat, lines[at - 1].move, lines[at - 1].events)
        if at
        else None,
        "accounts": [],
        "lines": lines,
        "base": base,
        "address": f"/table/{table.id}/analysis/{judged.number}",
        "asked": {},
        "plays_on": False,
        "judged": {},
        "worst": None,
        "chart": None,
        "better": judged,
        **turn_steps(turn_ends, at, 0, len(judged.line)),
        **render_boards(pages, game, table.names, observation, words, last, ended=False),
    }
    marks = pages.marks(game, setup)
    return pages.render("replay_step.html", language, game, table.names, marks=marks, **context)
