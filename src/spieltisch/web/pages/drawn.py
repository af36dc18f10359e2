"""What a game draws of one of its moments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Words
from spieltisch.web.pages.templates import Pages


def drawn(
    pages: Pages,
    game: Game,
    names: Sequence[str],
    seen: Observation,
    words: Words,
    last: Sequence[Move],
    *,
    ended: bool,
) -> dict[str, Any]:
    """Map, panel and end as the game draws them; "" for what it does not draw."""
    drawing = game.drawing
    if drawing is None:
        return dict.fromkeys(("board", "pieces", "panel", "end"), "")
    context = {**drawing.scene(seen, words, names, last), "rules_page": f"/games/{game.key}/rules"}
    once = pages.drawn_once(seen.setup, words.language)

    def draw(template: str) -> Markup:
        return Markup(pages.render_drawing(game, template, words.language, names, context))  # noqa: S704 (escaped there)

    return {
        "board": once.board,
        "pieces": draw("pieces.svg"),
        "panel": draw("panel.html"),
        "end": draw("end.html") if ended else "",
    }
