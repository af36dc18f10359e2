"""Errors as people and programs see them: a page, a line in the notice of the table page, or JSON; always with the
proper status.
"""

from __future__ import annotations

import traceback
from http import HTTPStatus
from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from spieltisch.core.refusal import UnknownGame
from spieltisch.core.words import Message, message
from spieltisch.tables import TableRefusal
from spieltisch.web.answers import (
    go,
    notice,
    page,
    page_of_form,
    table_context,
    wants_json,
    wants_notice,
    way_back,
)
from spieltisch.web.limits import KILOBYTE, address_of, gate_of
from spieltisch.web.refusals import PageRefusal
from spieltisch.web.statuses import status_of

log = structlog.get_logger("spieltisch.web")

SENTENCES: Final[dict[int, Message]] = {
    400: message("This request cannot be understood."),
    404: message("There is no such page."),
    405: message("This page does not take that kind of request."),
    415: message("Only forms are read here."),
    500: message("Something went wrong on the server. Nothing was changed; it has been written to the log."),
}
"""For errors that the framework raises; the others bring their own."""


def refused(request: Request[Any, Any, Any], error: TableRefusal | PageRefusal) -> Response[Any]:
    status = error.status if isinstance(error, PageRefusal) else status_of(error.code)
    answer = _answer(request, status, error.code, error.message, error.rule)
    if isinstance(error, PageRefusal) and error.wait:
        answer.headers["Retry-After"] = str(error.wait)
    return answer


def no_game(request: Request[Any, Any, Any], error: UnknownGame) -> Response[Any]:
    return _answer(request, 404, "no-game", message("There is no such game."), "")


def http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    status = error.status_code
    if status >= 500:
        return failed(request, error)
    if status in (404, 405):  # no route, so no guard has counted it
        try:
            gate_of(request).request(address_of(request))
        except PageRefusal as refusal:
            return refused(request, refusal)
    if (
        status == 405
        and request.method in ("GET", "HEAD")
        and not wants_json(request)
        and (form := page_of_form(request))
    ):
        return go(form)  # the address of an answer without a script, asked for again
    code = HTTPStatus(status).phrase.lower().replace(" ", "-")
    what = too_long(request) if status == 413 else SENTENCES.get(status, SENTENCES[400])
    return _answer(request, status, code, what, "")


def too_long(request: Request[Any, Any, Any]) -> Message:
    """How long the form may be that was longer."""
    most = request.route_handler.resolve_request_max_body_size() or 0
    return message("A form may hold {count} kilobytes here; this one holds more.", count=most // KILOBYTE)


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A bug. It goes to the log with its trace, never to the page."""
    log.error(
        "request failed", path=request.url.path, error=repr(error), trace="".join(traceback.format_exception(error))
    )
    return _answer(request, 500, "failed", SENTENCES[500], "")


def _answer(request: Request[Any, Any, Any], status: int, code: str, what: Message, rule: str) -> Response[Any]:
    if wants_json(request):
        said = {"status": status, "code": code, "message": str(what), "rule": rule}
        return Response(said, status_code=status, media_type="application/json")
    if wants_notice(request):
        return notice(request, "refusal.html", status=status, refusals=[(rule, what)], **table_context(request))
    context = table_context(request)
    return page(request, "error.html", status=status, what=what, rule=rule, way_back=way_back(request), **context)
