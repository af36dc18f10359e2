"""Replay: each step of a game has its own URL."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.tables import refusals
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.refusals import not_begun
from spieltisch.web.http.requests import Request, is_htmx
from spieltisch.web.http.responses import page, redirect, step_fragment
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages import replay
from spieltisch.web.pages.perspectives import topic
from spieltisch.web.pages.shared_replay import LED, SharedReplays


@get("/table/{table_id:str}/replay")
async def show(request: Request) -> Response[Any]:
    """Show a step.

    `at` is the number of moves played before it (by default the least that may be shown); `as` is a seat from 1, or,
    once the game is over, "all". `since` marks the moves from there on; `what-if=1` unfolds the form that plays on.
    """
    table, perspective = request.table_view
    if table.position is None:
        raise not_begun()
    params = QueryParams(request)
    viewpoint = replay.viewpoint_of(table, perspective.seat, params.text("as"))
    at = replay.step_of(table, params.number("at"))
    since_param = params.number("since")
    since = None if since_param is None else replay.step_of(table, since_param)
    analysis = await request.live.analysis.stored(table) if table.status == "finished" and table.is_revealed else None
    html = await replay.step_fragment(
        request.pages,
        table,
        perspective,
        viewpoint,
        at,
        since,
        request.visitor.language,
        request.visitor.share_address.base,
        analysis,
        opens_what_if=params.number("what-if") == 1,
    )
    if is_htmx(request):
        return step_fragment(request, html)
    step = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(
        request,
        "replay.html",
        game=table.game,
        table=table,
        perspective=perspective,
        step=step,
        back="",
        led=request.fragments.part(SharedReplays).current(table, perspective, request.visitor),
        led_topic=f"{LED}{topic(table, perspective)}",
        may_lead=perspective.seat is not None,
    )


@post("/table/{table_id:str}/replay/lead", status_code=200)
async def lead(request: Request, table_id: str) -> Response[bytes]:
    """Show step `at` to all who follow on this table's replay; without it, end that."""
    table, perspective = request.table_view
    person = require_person(request.visitor)
    if perspective.seat is None:
        raise refusals.not_your_seat()
    if table.position is None:
        raise not_begun()
    text = request.fields.get("at", "")
    step = replay.step_of(table, number("at", text)) if text else None
    request.fragments.part(SharedReplays).show_step(table, person.id, perspective.seat, step)
    return Response(b"", media_type="text/plain")


@get("/table/{table_id:str}/since")
async def since(request: Request) -> Redirect:
    """Redirect to a replay, which starts automatically, of everything since this visitor's last turn."""
    table, perspective = request.table_view
    if table.position is None:
        raise not_begun()
    at = replay.since_step(table, perspective.seat)
    return redirect(perspective.url(f"/table/{table.id}/replay", at=at, since=at, play=1))
