"""Replay: each step of a game has an address of its own."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.live import Live
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.refusals import not_begun
from spieltisch.web.http.requests import Request, is_htmx
from spieltisch.web.http.responses import fragment, page, redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages import replay
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.routes.table import table_view


@get("/table/{table_id:str}/replay")
async def show(request: Request, live: Live, visitor: Visitor, pages: Renderer, table_id: str) -> Response[Any]:
    """One step: `at` counts the moves played before it (the last step without), `as` is a seat from 1, or "all", once
    the game is over. `since` marks the moves from there on.
    """
    table, perspective = await table_view(request, live, visitor, table_id)
    if table.position is None:
        raise not_begun()
    asked = QueryParams(request)
    eye = replay.viewpoint_of(table, perspective.seat, asked.text("as"))
    at = replay.step_of(table, asked.number("at"))
    marked = asked.number("since")
    since = None if marked is None else replay.step_of(table, marked)
    html = replay.step_fragment(pages, table, perspective, eye, at, since, visitor.language, visitor.share_address.base)
    if is_htmx(request):
        return fragment(html)
    step = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "replay.html", game=table.game, table=table, perspective=perspective, step=step, back="")


@get("/table/{table_id:str}/since")
async def since(request: Request, live: Live, visitor: Visitor, table_id: str) -> Redirect:
    """What happened since this visitor's last turn, as a replay that plays by itself."""
    table, perspective = await table_view(request, live, visitor, table_id)
    if table.position is None:
        raise not_begun()
    at = replay.since_step(table, perspective.seat)
    return redirect(perspective.url(f"/table/{table.id}/replay", at=at, since=at, play=1))


ROUTES = [show, since]
