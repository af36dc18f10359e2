"""Responses: pages, notices for the table page, redirects. Everything rendered for a visitor passes through here."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import Cookie
from litestar.response import Redirect, Stream

from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.tables import Table
from spieltisch.web.http.content_encoding import accepts_gzip, press_parts
from spieltisch.web.http.requests import Request, is_htmx, page_path
from spieltisch.web.http.sessions import devices_version
from spieltisch.web.http.stream_events import StateEvent
from spieltisch.web.pages.renderer import NO_DRAWING
from spieltisch.web.pages.requested_analyses import finished_analyses

HTML: Final = "text/html"


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    game: Game | None = None,
    setup: Setup | None = None,
    cookies: list[Cookie] | None = None,
    back: str | None = None,
    **context: Any,
) -> Response[str]:
    """Return a whole page in the visitor's language.

    It includes the styles and icons of the game at the table of this request, or of `setup`. `back` is the page to
    return to after a change of language: None for the current one, "" for a page that supplies it itself, because its
    address changes.
    """
    visitor, whole_context = request.visitor, {**_page_context(request, setup, back), **context}
    text = request.pages.render(template, visitor.language, game, **whole_context)
    return Response(text, status_code=status, media_type=HTML, cookies=[*visitor.cookies(), *(cookies or [])])


async def long_page(request: Request, template: str, *, game: Game | None = None, **context: Any) -> Response[str]:
    """Return a page like `page`, rendered with pauses for other requests."""
    visitor, whole_context = request.visitor, {**_page_context(request, None, None), **context}
    text = await request.pages.render_with_pauses(template, visitor.language, game, **whole_context)
    return Response(text, media_type=HTML, cookies=visitor.cookies())


def pressed_page(request: Request, response: Response[str], public_parts: Sequence[str]) -> Response[Any]:
    """Return a page with these parts of it compressed, if the browser accepts that; see `press_parts`.

    A part may contain secrets of its reader, but then next to them no text that other people can vary at will.
    """
    headers = {"Vary": "Accept-Encoding"}
    content: str | bytes = response.content
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"], content = "gzip", press_parts(response.content, public_parts)
    return Response(
        content, status_code=response.status_code, media_type=HTML, cookies=response.cookies, headers=headers
    )


def _page_context(request: Request, setup: Setup | None, back: str | None) -> dict[str, Any]:
    visitor, pages, table = request.visitor, request.pages, request.table
    setup = setup or (table.setup if table is not None else None)
    return {
        "visitor": visitor,
        "back": page_path(request) if back is None else back,
        "tells_of_devices": request.url.path == "/devices",
        "devices": devices_version(visitor.access),
        "news": visitor.news,
        "analyses": request.live.analysis.requested.version(visitor.person_id),
        "finished_analyses": finished_analyses(request.live, visitor.person_id),
        "announcement": request.streams.announcement,
        "others": len(visitor.access.sessions) - 1,
        "once": pages.static_drawing(setup, visitor.language) if setup is not None else NO_DRAWING,
    }


def notice(
    request: Request, template: str, *, status: int = 200, game: Game | None = None, **context: Any
) -> Response[str]:
    """Return a fragment for the notice of a page."""
    visitor = request.visitor
    text = request.pages.render(template, visitor.language, game, **context)
    return Response(text, status_code=status, media_type=HTML, cookies=visitor.cookies())


def to_confirm(request: Request, templates: tuple[str, str], table: Table, context: dict[str, Any]) -> Response[str]:
    """Ask for confirmation at a table: as a notice, or as a separate page."""
    in_notice, on_page = templates
    if is_htmx(request):
        return notice(request, in_notice, game=table.game, names=table.names, **context)
    return page(request, on_page, game=table.game, names=table.names, **context)


def fragment(html: str) -> Response[str]:
    """Return HTML for htmx to insert, at an address that also serves a whole page."""
    return Response(html, media_type=HTML, headers={"Vary": "HX-Request"})


def step_fragment(request: Request, html: str) -> Response[str]:
    """Return a step, like `fragment`.

    A script that names the `Delta-Tag` of a step that it was sent in this session, as `Delta-Base`, gets the difference
    from that.
    """
    base = request.headers.get("delta-base", "")
    delta = request.parts.deltas.encode(html, request.visitor.session_key, base)
    headers = {"Vary": "HX-Request, Delta-Base", "Delta-Tag": delta.tag}
    if delta.base:
        headers["Delta-Base"] = delta.base
    return Response(delta.text, media_type=HTML, headers=headers)


def state_fragment(request: Request, topic: str, version: int, event: StateEvent) -> Response[str]:
    """Return the state of a page's topic, like `step_fragment`, with the id that it has in the stream."""
    response = step_fragment(request, event.html)
    response.headers["State-Id"] = f"{topic}@{version}"
    return response


def stream_response(stream_bytes: AsyncGenerator[bytes, None], headers: Mapping[str, str]) -> Stream:
    """Return the response that sends a stream and then closes it.

    If the connection is cut during a send, the generator stays suspended, so it must be closed explicitly.
    """

    async def close() -> None:  # given the bound method itself, the framework calls it in a thread and never awaits it
        await stream_bytes.aclose()

    closing = BackgroundTask(close)
    return Stream(stream_bytes, media_type="text/event-stream", headers=dict(headers), background=closing)


def download(text: str, name: str) -> Response[str]:
    """Return a text as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def redirect(path: str, cookies: list[Cookie] | None = None) -> Redirect:
    """Redirect after a form to the page that shows its effect."""
    return Redirect(path, status_code=303, cookies=cookies)


def table_context(request: Request) -> dict[str, Any]:
    """Return the context for sentences about the table of this request: game, players' names, address of the rules."""
    table = request.table
    if table is None or table.setup is None:
        return {"rules_page": ""}
    return {"game": table.game, "names": table.names, "rules_page": f"/games/{table.game.key}/rules"}
