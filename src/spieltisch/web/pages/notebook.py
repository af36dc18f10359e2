"""The boards of an observation for a notebook: one HTML frame or one SVG file, which need nothing else."""

import re
from functools import cache
from typing import Final

from markupsafe import Markup

from spieltisch.core.observation import Observation
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.renderer import Renderer

LANGUAGE: Final = "en"
_FRAME: Final = Markup(
    '<iframe sandbox srcdoc="{}" title="{}" style="width: 100%; height: 46rem; border: 0; resize: vertical"></iframe>'
)
_PAGE: Final = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><style>{}</style></head><body>{}'
    '<main class="table game-{}">{}<section class="panel-frame" id="panel">{}</section>{}</main></body></html>'
)
_SHEETS: Final = ("css/base.css", "css/table.css", "css/panel.css")
_ALONE: Final = (
    "body { display: block; padding: .5rem } main.table { display: block; max-width: 60rem; margin: auto }"
    " .sheet-frame svg { display: block; width: 100%; height: auto }"
    " .map-sheet { position: relative; aspect-ratio: var(--sheet-shape); max-width: 46rem; margin: auto }"
    " .map-sheet > svg { position: absolute; inset: 0 }"
)


@cache
def _renderer() -> Renderer:
    return Renderer(Assets(), DrawnFiles())


def board_html(observation: Observation) -> str:
    """Return the boards as a frame for a notebook, with their own styles."""
    page, text = _renderer(), _static_parts(observation)
    boards = render_boards(
        page,
        observation.setup.game,
        (),
        observation,
        page.words(LANGUAGE, observation.setup.game),
        (),
        ended=observation.is_over,
    )
    sheet = Markup('<div class="map-sheet">{}{}</div>').format(text["board"], boards["pieces"])
    html = _PAGE.format(
        text["style"],
        page.static_drawing(observation.setup, LANGUAGE).icons,
        observation.setup.game.key,
        sheet if text["board"] else "",
        boards["panel"] or repr(observation),
        boards["end"],
    )
    return str(_FRAME.format(str(html), repr(observation)))


def board_svg(observation: Observation) -> str | None:
    """Return the map as an SVG file; None if the boards of the game are no map."""
    page, text = _renderer(), _static_parts(observation)
    if not text["board"]:
        return None
    boards = render_boards(
        page, observation.setup.game, (), observation, page.words(LANGUAGE, observation.setup.game), (), ended=False
    )
    frame = re.search(r'viewBox="[^"]*"', text["board"])
    assert frame is not None  # noqa: S101  # the map of a game names its frame
    style = f"<style><![CDATA[{text['style']}]]></style>"
    icons = page.static_drawing(observation.setup, LANGUAGE).icons
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame[0]}>{style}{icons}{text["board"]}{boards["pieces"]}</svg>'


def _static_parts(observation: Observation) -> dict[str, Markup]:
    """Return the map without its pieces ("" if there is none), and all styles of the boards."""
    page = _renderer()
    drawing = page.static_drawing(observation.setup, LANGUAGE)
    sheets = [page.assets.read(page.assets.version, name).content.decode() for name in _SHEETS]
    texts = {
        address: page.drawn.read(address.rpartition("/")[2]).content.decode()
        for address in (drawing.board, drawing.style)
        if address
    }
    without_fonts = re.sub(r"@font-face {.*?}\n", "", "\n".join(sheets))
    style = f"{without_fonts}\n{texts.get(drawing.style, '')}\n{_ALONE}"
    return {"board": Markup(texts.get(drawing.board, "")), "style": Markup(style)}  # noqa: S704  # our own files
