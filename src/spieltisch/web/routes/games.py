"""Pages of a game: rules in four languages, worked examples, components and the sources of their values."""

import asyncio
from functools import lru_cache
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.core.words import base_language
from spieltisch.games import game as game_by_key
from spieltisch.guides import examples
from spieltisch.web import markdown
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import download, page, redirect
from spieltisch.web.http.sessions import bot_level
from spieltisch.web.http.sign_in import require_own_person
from spieltisch.web.pages.component_values import MARK_WORDS
from spieltisch.web.pages.lobby import quick_opponents
from spieltisch.web.pages.renderer import Renderer


@get("/games/{key:str}/rules")
async def rules(request: Request, key: str) -> Response[str]:
    """Show the rules. Raise PageRefusal 404 for a game without them."""
    game = game_by_key(key)
    text = await asyncio.to_thread(_text, game.folder, "rules", base_language(request.visitor.language))
    if not text:
        raise no_page()
    card = await asyncio.to_thread(_text, game.folder, "card", base_language(request.visitor.language))
    return page(
        request,
        "rules.html",
        game=game,
        chapters=markdown.chapters(text),
        headings=markdown.headings(text),
        examples=examples(game),
        opponents=quick_opponents(game),
        level=bot_level(request, key),
        **_card(request.pages, game, card, request.visitor.language),
    )


@get("/games/{key:str}/card")
async def card(request: Request, key: str) -> Response[str]:
    """Show the reference card: everything needed at the table, on one sheet of paper."""
    game = game_by_key(key)
    text = await asyncio.to_thread(_text, game.folder, "card", base_language(request.visitor.language))
    if not text:
        raise no_page()
    return page(
        request,
        "reference_card.html",
        game=game,
        opponents=quick_opponents(game),
        level=bot_level(request, key),
        **_card(request.pages, game, text, request.visitor.language),
    )


def _card(pages: Renderer, game: Game, text: str, language: str) -> dict[str, Any]:
    """Return the text of a reference card, and the figure to which its numbers refer."""
    figure = pages.render_drawing(game, "reference_figure.svg", language, (), {})
    return {
        "card": markdown.html(text, "card-") if text else "",
        "anatomy": Markup(figure),  # noqa: S704 (escaped where it was rendered)
    }


@lru_cache(maxsize=64)
def _text(folder: Path, name: str, language: str) -> str:
    """Return a page of a game, in English if there is no translation; "" if there is none."""
    for path in (folder / "pages" / f"{name}.{language}.md", folder / "pages" / f"{name}.en.md"):
        if path.exists():
            return path.read_text("utf-8")
    return ""


@get("/games/{key:str}/components")
async def components(request: Request, key: str) -> Response[str]:
    """Show every value of the component file with its source."""
    game = game_by_key(key)
    digest = QueryParams(request).text("set")
    _, component_set = await request.live.components.find_own(request.visitor.person_id, game.key, digest)
    sets = await request.live.components.owned_by(request.visitor.person_id, key) if request.visitor.person_id else ()
    return page(
        request,
        "components.html",
        game=game,
        components=component_set,
        digest=digest,
        sets=sets,
        values=await request.fragments.component_values.of(game, component_set, request.visitor.language),
        mark_words=MARK_WORDS,
    )


@get("/games/{key:str}/components.toml")
async def components_file(request: Request, key: str) -> Response[str]:
    """Download the component file, to edit and upload it."""
    digest = QueryParams(request).text("set")
    _, component_set = await request.live.components.find_own(request.visitor.person_id, game_by_key(key).key, digest)
    return download(component_set.text, f"{key}-{component_set.name}.toml")


@get("/games/{key:str}/cover.jpg")
async def cover(request: Request, key: str) -> Response[bytes]:
    """Return the picture of a game for messengers, which show no SVG. Raise PageRefusal 404 for a game without one."""
    file = cover_file(game_by_key(key))
    if not file.exists():
        raise no_page()
    return Response(file.read_bytes(), media_type="image/jpeg", headers={"Cache-Control": "public, max-age=86400"})


def cover_file(game: Game) -> Path:
    """Return the path of a game's picture for messengers."""
    return game.folder / "cover.jpg"


async def add_components(request: Request, key: str) -> Redirect:
    """Store a person's component file; refuse an invalid one and name the line of the error."""
    game_by_key(key)
    person, text = require_own_person(request), request.fields.get("text", "")
    digest = await request.live.components.add(person.id, key, text, address_of(request))
    return redirect(f"/games/{key}/components?set={digest}")


def uploads(longest: int | None) -> list[BaseRouteHandler]:
    """Return routes for larger forms than others: `longest` is the limit in bytes, None for none."""
    return [post("/games/{key:str}/components", request_max_body_size=longest)(add_components)]
