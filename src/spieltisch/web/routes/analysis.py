"""Analysis of a finished game, or of the person's own game so far, computed in the background."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.bots.analysis import Analysis
from spieltisch.live import Live
from spieltisch.live.client_threads import run_in_thread
from spieltisch.tables import Table, refusals
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request, is_htmx
from spieltisch.web.http.responses import fragment, page, redirect, step_fragment
from spieltisch.web.pages import better_line
from spieltisch.web.pages.analysis import analysis_context, costliest_turn, views_context
from spieltisch.web.pages.boards import render_account
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer


@get("/table/{table_id:str}/analysis")
async def show(request: Request) -> Response[Any]:
    """Show the analysis, or its progress, or how to start it; for htmx without the surrounding page.

    `at` is the number of moves after which the position is shown; for htmx it asks for that and the chart alone.
    """
    table, perspective = request.table_view
    person = _player(table, perspective)
    progress = request.live.analysis.progress(table, person)
    if progress is None or progress.has_failed:  # also where there is nothing to see any more: who left gets a refusal
        await request.live.analysis.requested.see(table, request.visitor.person_id)
    result, at = await _load_analysis(request.live, table, person), QueryParams(request).number("at")
    if result is None and at is not None:
        raise no_page()
    if result is None and progress is None and person is None:
        progress = await request.live.analysis.resume(table, request.visitor.person_id)
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "marks": request.pages.marks(table.game, table.setup),
        "at": f"/table/{table.id}",
        "found": result is not None,
        "so_far": person is not None,
        "told_others": person is not None and len(table.people) > 1,
        "end": _final_account(request.pages, table, request.visitor.language)
        if result is not None and person is None
        else "",
        "progress": progress,
        "cannot": None if await request.live.analysis.is_available(table) else refusals.no_analysis_yet().message,
    }
    if result is not None:
        views = (request.pages, table, perspective, result, at, request.visitor.language)
        context = await run_in_thread(views_context, *views) | context
    if result is not None and not (at is not None and is_htmx(request)):
        context |= await run_in_thread(analysis_context, table, result)
    if is_htmx(request):
        template = "analysis_result.html" if at is None else "analysis_views.html"
        visitor = request.visitor
        return fragment(
            request.pages.render(template, visitor.language, table.game, table.names, visitor=visitor, **context)
        )
    return page(request, "analysis.html", game=table.game, names=table.names, **context)


def _player(table: Table, perspective: Perspective) -> str | None:
    """Return the player who views their game so far; None if it is over.

    Raise TableRefusal not-your-seat on a shared page, whose player is unknown.
    """
    if table.status != "running" or perspective.seat is None:
        return None
    if perspective.is_shared_page:
        raise refusals.not_your_seat()
    return table.seats[perspective.seat].person


async def _load_analysis(live: Live, table: Table, person: str | None) -> Analysis | None:
    return await (live.analysis.stored(table) if person is None else live.analysis.partial(table, person))


def _final_account(pages: Renderer, table: Table, language: str) -> Markup:
    """Return the final account as the game draws it: the points by source."""
    assert table.position is not None  # noqa: S101  # it was played to its end
    words, seen = pages.words(language, table.game), table.position.reveal()
    return render_account(pages, table.game, table.names, seen, words)[0]


@get("/table/{table_id:str}/analysis/summary")
async def summary(request: Request) -> Response[str]:
    """Return the costliest turn of a finished game in one sentence, or that its analysis is running, or nothing."""
    table, perspective = request.table_view
    progress = request.live.analysis.progress(table)
    result = await request.live.analysis.stored(table)
    if result is None and progress is None:
        progress = await request.live.analysis.resume(table, request.visitor.person_id)
    turn = None if result is None else await run_in_thread(costliest_turn, table, result)
    if turn is not None:
        await request.live.analysis.requested.see(table, request.visitor.person_id)
    return fragment(
        request.pages.render(
            "analysis_summary.html",
            request.visitor.language,
            table.game,
            table.names,
            perspective=perspective,
            at=f"/table/{table.id}",
            turn=turn,
            progress=progress if result is None else None,
        )
    )


@get("/table/{table_id:str}/analysis/{number:int}")
async def line(request: Request, number: int) -> Response[Any]:
    """Show how the game could have continued with the best move in place of move `number`.

    `at` is the number of moves of that line on the board.
    """
    table, perspective = request.table_view
    result = await _load_analysis(request.live, table, _player(table, perspective))
    judged = (
        next((decision for decision in result.decisions if decision.number == number and decision.line), None)
        if result
        else None
    )
    if judged is None:
        raise no_page()
    at, base = QueryParams(request).number("at"), request.visitor.share_address.base
    html = await run_in_thread(
        better_line.step, request.pages, table, perspective, judged, at, request.visitor.language, base
    )
    if is_htmx(request):
        return step_fragment(request, html)
    step = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "replay.html", game=table.game, table=table, perspective=perspective, step=step, back="")


@post("/table/{table_id:str}/analysis", status_code=303)
async def begin(request: Request) -> Redirect:
    """Start the analysis.

    Of a finished game anyone who may see it may do so, and all see the result; before that only a player, for
    themselves.
    """
    table, perspective = request.table_view
    person = _player(table, perspective)
    if person is None:
        await request.live.analysis.start(table, address_of(request), request.visitor.person_id)
    else:
        await request.live.analysis.start_partial(table.id, person, address_of(request))
    return redirect(perspective.url(f"/table/{table.id}/analysis"))
