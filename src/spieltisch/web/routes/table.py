"""The table page and its subpages: result, reasons, log, record, fairness."""

from typing import Any

from litestar import Response, get
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch import tables
from spieltisch.tables import Table, permissions, turns
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.refusals import not_begun
from spieltisch.web.http.requests import Request, is_htmx, wants_json
from spieltisch.web.http.responses import download, long_page, notice, page, pressed_page, redirect, table_context
from spieltisch.web.pages import table_page
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_tree import why_blocked
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.result import ResultPages
from spieltisch.web.pages.unplayable import game_of


@get("/table/{table_id:str}")
async def show(request: Request) -> Response[Any]:
    """Show the table; for programs, return its state as JSON."""
    table, perspective = request.table_view
    if wants_json(request):
        return Response(
            _state(request.pages, request.visitor.language, table, perspective), media_type="application/json"
        )
    html = Markup(request.fragments.html(table, perspective, request.visitor))  # noqa: S704 (escaped where it was rendered)
    seat = perspective.seat
    if table.position is not None and seat is not None and permissions.allows_hints(table, table.seats[seat].person):
        request.live.advice.prepare(table.position)
    if table.setup is None:
        return page(request, "unplayable.html", game=game_of(table), live=html)
    whole_page = page(
        request,
        "table.html",
        game=table.game,
        table=table,
        live=html,
        perspective=perspective,
        sections=await request.fragments.sections(table, perspective, request.visitor),
    )
    icons = request.pages.static_drawing(table.setup, request.visitor.language).icons
    return pressed_page(request, whole_page, [icons, *request.fragments.public_parts(html, table, perspective)])


def _state(pages: Renderer, language: str, table: Table, perspective: Perspective) -> dict[str, Any]:
    words = pages.words(language, game_of(table))
    decides = table.position is not None and perspective.seat is not None and table.to_decide == perspective.seat
    return {
        "id": table.id,
        "game": table.opened.game,
        "options": dict(table.setup.options) if table.setup is not None else table.opened.options,
        "version": table.version,
        "status": table.status,
        "seats": [{"kind": seat.kind, "name": words.say(seat.name), "bot": seat.bot} for seat in table.seats],
        "seat": perspective.seat,
        "to_decide": table.to_decide,
        "scores": table.position.observe(perspective.seat).scores if table.position is not None else None,
        "moves": [str(move) for move in table.position.legal_moves] if decides and table.position is not None else [],
        "log": [
            {
                "version": line.version,
                "seat": line.seat,
                "text": [words.say(sentence, line.names) for sentence in line.messages],
            }
            for line in table.log(perspective.seat)
        ],
    }


@get("/table/{table_id:str}/end")
async def end(request: Request) -> Response[str] | Redirect:
    """Show the result; redirect to the table while the game is in progress."""
    table, perspective = request.table_view
    html = await request.fragments.part(ResultPages).html(table, perspective, request.visitor)
    if not html:
        return redirect(perspective.url(f"/table/{table.id}"))
    return page(
        request,
        "result.html",
        game=table.game,
        names=table.names,
        table=table,
        live=Markup(html),  # noqa: S704 (escaped where it was rendered)
        perspective=perspective,
    )


@get("/table/{table_id:str}/why")
async def why_not(request: Request) -> Response[Any]:
    """Explain why a move is blocked, or all that begin with these words and name this place, to the seat to decide."""
    table, perspective = request.table_view
    params = QueryParams(request)
    chosen_words, place = params.text("words").split(), params.text("place")
    refusals = [
        (refusal.rule, refusal.message) for refusal in why_blocked(table, perspective.seat, chosen_words, place)
    ]
    if wants_json(request):
        words = request.pages.words(request.visitor.language, table.game)
        return Response([{"rule": rule, "message": words.say(sentence, table.names)} for rule, sentence in refusals])
    context: dict[str, Any] = {"refusals": refusals, **table_context(request)}
    if is_htmx(request):
        return notice(request, "refusal.html", **context)
    return page(request, "why_not.html", table=table, perspective=perspective, **context)


@get("/table/{table_id:str}/preview")
async def preview_boards(request: Request) -> Response[Any]:
    """Show the boards as they would be after a move, to the seat to decide; nothing if that cannot be known."""
    table, perspective = request.table_view
    observation = tables.observation_after(table, perspective.seat, QueryParams(request).text("move"))
    if observation is None:
        return notice(request, "empty_notice.html")
    words, last = request.pages.words(request.visitor.language, table.game), turns.last_moves(table, perspective.seat)
    boards = render_boards(request.pages, table.game, table.names, observation, words, last, ended=False)
    return notice(request, "preview_boards.html", **boards)


@get("/table/{table_id:str}/picture")
async def board_picture(request: Request) -> Response[bytes]:
    """Return the boards in small, as spectators see them; `v` is the version of the table, so that it can be cached.

    Who logs in or out has another cookie, and asks again.
    """
    table, _ = request.table_view
    tag = f'"{request.pages.build}-{table.version}"'
    is_newest = QueryParams(request).number("v") == table.version
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable" if is_newest else "private, no-cache",
        "ETag": tag,
        "Vary": "Cookie",
    }
    if table.position is not None and tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    drawn = await request.fragments.pictures.of(table)
    if drawn is None:
        raise not_begun()
    return Response(
        drawn.svg,
        media_type="image/svg+xml",
        headers={**headers, "Content-Security-Policy": drawn.policy},
    )


@get("/table/{table_id:str}/log")
async def log(request: Request) -> Response[str]:
    """Show the whole log that this visitor may know."""
    table, perspective = request.table_view
    setup = table.setup
    return await long_page(
        request,
        "log.html",
        game=game_of(table),
        table=table,
        perspective=perspective,
        names=table.names,
        lines=table_page.full_log(table, perspective),
        marks=request.pages.marks(table.game, setup) if setup is not None else {},
    )


@get("/table/{table_id:str}/record")
async def record(request: Request) -> Response[str]:
    """Download the record for this perspective; once the game is over, with the secret and all draws."""
    table, perspective = request.table_view
    if table.position is None and not table.moves:
        raise not_begun()
    return download(table.record(perspective.seat).text, f"{table.opened.game}-{table.id}.record")


@get("/table/{table_id:str}/fairness")
async def fairness(request: Request) -> Response[str]:
    """Show the commitment made before the first move, after the game the secret, and how to verify them."""
    table, perspective = request.table_view
    return page(request, "fairness.html", game=game_of(table), table=table, perspective=perspective)
