"""A better line on the board: what a seat could have played at a turning point, as the search went on from there, drawn
step by step like a replay. None of it happened.
"""

from __future__ import annotations

from typing import Any

from spieltisch.bots.analysis import JudgedDecision
from spieltisch.core.words import message
from spieltisch.tables import LogLine, Table
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import Viewpoint


def step(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    judged: JudgedDecision,
    wanted: int | None,
    language: str,
    base: str,
) -> str:
    """The line after `wanted` of its moves (the first without), in the world that its seat imagines, through its eyes.
    Raises PageRefusal 404.
    """
    at = 1 if wanted is None else wanted
    if not 0 <= at <= len(judged.line):
        raise PageRefusal(404, "no-step", message("This line has no such step."))
    world = table.position_at(judged.number - 1).observe(judged.seat).imagine(judged.seed)
    game, setup, seen, lines = table.game, world.setup, world.observe(judged.seat), list[LogLine]()
    for number, move in enumerate(judged.line):
        played = world.play(move, collect_events=True)
        known = game.events.visible_events(setup, played.events, judged.seat)
        said = tuple(game.log(setup, known, judged.seat))
        lines.append(LogLine(0, 0.0, played.seat, number, said, table.names, played.move, known))
        if number + 1 == at:
            seen = world.observe(judged.seat)
    words = pages.words(language, game)
    last = [setup.move(judged.line[at - 1])] if at else []
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "eye": Viewpoint(judged.seat),
        "seen": seen,
        "at": at,
        "first": 0,
        "last": len(judged.line),
        "since": None,
        "happened": lines[at - 1].messages if at else (),
        "moved": move_animation(seen, lines[at - 1].seat, lines[at - 1].move, lines[at - 1].events) if at else None,
        "accounts": [],
        "lines": lines,
        "base": base,
        "address": f"/table/{table.id}/analysis/{judged.number}",
        "asked": {},
        "plays_on": False,
        "chart": None,
        "better": judged,
        **render_boards(pages, game, table.names, seen, words, last, ended=False),
    }
    marks = pages.marks(game, setup)
    return pages.render("replay_step.html", language, game, table.names, marks=marks, **context)
