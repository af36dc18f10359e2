"""The boards of an observation, as the game draws them."""

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
    observation: Observation,
    words: Words,
    last: Sequence[Move],
    *,
    ended: bool,
) -> dict[str, Any]:
    """Return map, panel, own summary, final account and its rows as the game draws them; "" for what it does not."""
    drawing = game.drawing
    if drawing is None:
        return dict.fromkeys(("board", "pieces", "panel", "own_summary", "end", "rows"), "")
    scene = drawing.scene_context(observation, words, names, last)
    return {
        "board": pages.static_drawing(observation.setup, words.language).board,
        "pieces": _draw(pages, game, "pieces.svg", words, names, scene),
        "panel": _draw(pages, game, "panel.html", words, names, scene),
        "own_summary": _draw(pages, game, "own_summary.html", words, names, scene),
        "end": _draw(pages, game, "end.html", words, names, scene) if ended else "",
        "rows": scene["end"]["rows"] if observation.is_over else (),
    }


def render_account(
    pages: Renderer, game: Game, names: Sequence[str], observation: Observation, words: Words
) -> tuple[Markup, Sequence[Mapping[str, Any]]]:
    """Return the final account as the game draws it, and its rows; both empty if the game draws nothing."""
    if game.drawing is None:
        return Markup(), ()
    scene = game.drawing.scene_context(observation, words, names, ())
    return _draw(pages, game, "end.html", words, names, scene), scene["end"]["rows"]


def _draw(
    pages: Renderer, game: Game, template: str, words: Words, names: Sequence[str], scene: Mapping[str, Any]
) -> Markup:
    context = {**scene, "rules_page": f"/games/{game.key}/rules"}
    return Markup(pages.render_drawing(game, template, words.tag, names, context).strip())  # noqa: S704 (escaped there)
