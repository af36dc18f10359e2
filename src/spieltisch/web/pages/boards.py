"""What a game draws of one of its moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Words
from spieltisch.web.pages.renderer import Renderer


def render_boards(
    pages: Renderer,
    game: Game,
    names: Sequence[str],
    seen: Observation,
    words: Words,
    last: Sequence[Move],
    *,
    ended: bool,
) -> dict[str, Any]:
    """Map, panel, strip and end as the game draws them; "" for what it does not draw."""
    drawing = game.drawing
    if drawing is None:
        return dict.fromkeys(("board", "pieces", "panel", "strip", "end"), "")
    scene = drawing.scene_context(seen, words, names, last)
    return {
        "board": pages.static_drawing(seen.setup, words.language).board,
        "pieces": _draw(pages, game, "pieces.svg", words, names, scene),
        "panel": _draw(pages, game, "panel.html", words, names, scene),
        "strip": _draw(pages, game, "own_summary.html", words, names, scene),
        "end": _draw(pages, game, "end.html", words, names, scene) if ended else "",
    }


def render_account(
    pages: Renderer, game: Game, names: Sequence[str], seen: Observation, words: Words
) -> tuple[Markup, Mapping[int, int]]:
    """The end as the game draws it, and everybody's place by their seat; nothing of a game that draws nothing."""
    if game.drawing is None:
        return Markup(), {}
    scene = game.drawing.scene_context(seen, words, names, ())
    places = {row["seat"]: row["place"] for row in scene["end"]["rows"]}
    return _draw(pages, game, "end.html", words, names, scene), places


def _draw(
    pages: Renderer, game: Game, template: str, words: Words, names: Sequence[str], scene: Mapping[str, Any]
) -> Markup:
    context = {**scene, "rules_page": f"/games/{game.key}/rules"}
    return Markup(pages.render_drawing(game, template, words.language, names, context))  # noqa: S704 (escaped there)
