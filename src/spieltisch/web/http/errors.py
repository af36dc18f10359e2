"""Responses to errors: a page, a line in the notice of the table page, or JSON, with the proper status."""

import traceback
from typing import Any, Final

import structlog
from litestar import Response
from litestar.exceptions import HTTPException

from spieltisch.core.errors import UnknownGame
from spieltisch.core.words import Message, message
from spieltisch.live.limits import KILOBYTE
from spieltisch.live.log_limit import LogLimit
from spieltisch.store import ReadFailed
from spieltisch.store.errors import SignedOut
from spieltisch.tables import TableRefusal, refusals
from spieltisch.web.http.rate_limits import count_request
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, is_htmx, page_of_form, table_url, wants_json
from spieltisch.web.http.responses import notice, page, redirect, table_context
from spieltisch.web.http.statuses import status_of

log = structlog.get_logger("spieltisch.web")
_log_limit = LogLimit()

INVALID: Final = "bad-request", message("Invalid request. Reload the page and try again.")
BUG: Final = message("Something went wrong on the server. Nothing was changed; the error has been logged.")
NOT_READ: Final = message("The server can’t reach its data at the moment. Try again in a minute.")
ERRORS: Final[dict[int, tuple[str, Message]]] = {
    400: INVALID,
    404: ("not-found", message("Page not found.")),
    405: ("method-not-allowed", message("This page doesn’t support this kind of request.")),
    415: ("unsupported-media-type", message("This page only accepts forms.")),
}
"""Codes and texts for errors that the framework raises; other errors have their own."""

GONE: Final = "client disconnected prematurely"
"""The framework's error, with status 5xx, if a visitor disconnects before a form is complete."""


def refusal_response(request: Request, error: TableRefusal | PageRefusal, watch_url: str = "") -> Response[Any]:
    """Return a refused request's status, page or JSON, with the time to wait where trying again can help.

    The page offers to watch the table at `watch_url` unless that is "".
    """
    status = error.status if isinstance(error, PageRefusal) else status_of(error.code)
    response = _response(request, status, error.code, error.message, error.rule, watch_url)
    if isinstance(error, PageRefusal) and error.wait:
        response.headers["Retry-After"] = str(error.wait)
    return response


def no_game(request: Request, error: UnknownGame) -> Response[Any]:
    """Return the response to a request for an unknown game."""
    return _response(request, 404, "no-game", message("Game not found."), "")


def http_error(request: Request, error: HTTPException) -> Response[Any]:
    """Return the response to an error of the framework."""
    status = error.status_code
    if error.detail == GONE:
        return Response(b"", status_code=400)  # no one reads it
    if status >= 500:
        return bug_response(request, error)
    if status in (404, 405):  # no route, so no guard has counted it
        try:
            count_request(request)
        except PageRefusal as refusal:
            return refusal_response(request, refusal)
    if status == 405 and request.method == "GET" and not wants_json(request) and (form := page_of_form(request)):
        return redirect(form)  # the page of a form was reloaded after it was sent without a script
    code, what = ("content-too-large", form_limit(request)) if status == 413 else ERRORS.get(status, INVALID)
    return _response(request, status, code, what, "")


def form_limit(request: Request) -> Message:
    """Return the text with the size limit that a form exceeded."""
    max_bytes = request.route_handler.resolve_request_max_body_size() or 0
    return message("Too much data: the limit is {count} kB.", count=max_bytes // KILOBYTE)


def signed_out(request: Request, _: SignedOut) -> Response[Any]:
    """Return the response to a request that would have written in a session that has ended."""
    return refusal_response(request, refusals.signed_out())


def not_read(request: Request, error: ReadFailed) -> Response[Any]:
    """Return the response while the store cannot be read; the log has the reason, once a minute."""
    if _log_limit.allows(str(error)):
        log.error("not read", problem=str(error))
    return _response(request, 503, "not-read", NOT_READ, "")


def bug_response(request: Request, error: Exception) -> Response[Any]:
    """Log a bug with its traceback and return a response without details."""
    log.error(
        "request failed", path=request.url.path, error=repr(error), trace="".join(traceback.format_exception(error))
    )
    return _response(request, 500, "failed", BUG, "")


def _response(request: Request, status: int, code: str, what: Message, rule: str, watch_url: str = "") -> Response[Any]:
    if wants_json(request):
        body = {"status": status, "code": code, "message": str(what), "rule": rule}
        return Response(body, status_code=status, media_type="application/json")
    if is_htmx(request):
        return notice(request, "refusal.html", status=status, refusals=[(rule, what)], **table_context(request))
    context = table_context(request)
    context |= {"what": what, "code": code, "rule": rule, "is_missing": status == 404}
    context |= {"way_back": table_url(request), "watch_url": watch_url}
    return page(request, "error.html", status=status, **context)
