"""A table whose game cannot be had any more, on its page: why, who sat there, and what happened as it was written."""

from __future__ import annotations

from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.games import game as game_by_key
from spieltisch.tables import Table
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer


def game_of(table: Table) -> Game | None:
    """The game of a table; None for one that is not installed."""
    if table.setup is not None:
        return table.setup.game
    try:
        return game_by_key(table.opened.game)
    except UnknownGame:
        return None


def fragment(pages: Renderer, table: Table, perspective: Perspective, language: str) -> str:
    """The living part of the page: nothing can happen there any more, but a page that was open learns why."""
    game = game_of(table)
    words = pages.words(language, game)
    status = table.frozen or message("This table is frozen.")
    called = words.say(game.title) if game is not None else table.opened.game
    return pages.render(
        "unplayable_live.html",
        language,
        game,
        table.names,
        table=table,
        perspective=perspective,
        called=called,
        topic=topic(table, perspective),
        status=status,
        title=f"{words.say(message('This table is frozen.'))} – {called}",
        log=tuple(reversed(table.log(perspective.seat))),
    )
