"""What every response carries and what every form must prove.

A change of state is a POST from a form of ours: the browser says so (`Origin`, `Sec-Fetch-Site`), and the form
carries the token of the session. A guard of the whole app asks for both, so a new route is guarded before anybody
thinks of it.
"""

from __future__ import annotations

from typing import Any, Final, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Message as Sent
from litestar.types import Scope

from spieltisch.core.words import message
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.sessions import YEAR, Site, visitor_of

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
HSTS: Final = f"max-age={YEAR}"
"""Over https: this name is not asked for over plain http any more. Other names below it are not ours to decide on."""
MOST_FIELDS: Final = 500
"""Fields of a form; a quarter of a million, which fit into an upload, would keep everybody else waiting."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


async def add_headers(sent: Sent, scope: Scope) -> None:
    """The security headers on every response, errors too; what says nothing of caching is not kept."""
    if sent["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(sent)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", HSTS)


async def check_form(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse what is not a form of this site and this session, nor sent by a mail program to a signed address."""
    if not isinstance(connection, Request) or connection.method in SAFE_METHODS or handler.opt.get("by_token"):
        return
    site = cast(Site, connection.app.state.site)
    origin = connection.headers.get("origin")
    fetched = connection.headers.get("sec-fetch-site")
    elsewhere = PageRefusal(403, "origin", message("This form was not sent from this site."))
    if (origin is None and fetched is None) or fetched not in (None, "same-origin"):
        raise elsewhere
    if origin is not None and origin != site.origin(connection):
        raise elsewhere
    kind, _options = connection.content_type
    if kind != "application/x-www-form-urlencoded":
        raise PageRefusal(415, "form", message("Only forms are read here."))
    if (await connection.body()).count(b"&") > MOST_FIELDS:
        raise PageRefusal(400, "form", message("This request cannot be understood."))
    form = await connection.form()
    token = form.get("token", "")
    if not isinstance(token, str) or not visitor_of(connection).is_valid_form_token(token):
        raise PageRefusal(403, "form", message("This page is out of date. Reload it and try again."))
