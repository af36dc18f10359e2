"""The page of a table whose game is no longer available: why, the players, and the log as it was written."""

from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.games import game as game_by_key
from spieltisch.tables import Table
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer


def game_of(table: Table) -> Game | None:
    """Return the game of a table; None if it is not installed."""
    if table.setup is not None:
        return table.setup.game
    try:
        return game_by_key(table.opened.game)
    except UnknownGame:
        return None


def fragment(pages: Renderer, table: Table, perspective: Perspective, language: str) -> str:
    """Render the live part of the page: nothing can happen there any longer, but an open page learns why."""
    game = game_of(table)
    words = pages.words(language, game)
    status = table.frozen or message("This table is frozen.")
    title = words.say(game.title) if game is not None else table.opened.game
    return pages.render(
        "unplayable_live.html",
        language,
        game,
        table.names,
        table=table,
        perspective=perspective,
        called=title,
        topic=topic(table, perspective),
        status=status,
        title=f"{words.say(message('This table is frozen.'))} – {title}",
        log=tuple(reversed(table.log(perspective.seat))),
    )
