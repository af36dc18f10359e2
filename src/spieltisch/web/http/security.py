"""Security headers of every response, and the checks of every form.

State changes only by a POST from a form of this site: the browser confirms it (`Origin`, `Sec-Fetch-Site`), and the
form contains the token of the session. A guard of the whole app checks both, so that new routes are guarded from the
start.
"""

from typing import Final

import structlog
from litestar.datastructures import MutableScopeHeaders
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Message as Sent
from litestar.types import Scope

from spieltisch.core.words import message
from spieltisch.live.log_limit import LogLimit
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.sessions import YEAR, Site

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
"""Over https: never request this name over plain http again. Subdomains are not ours to decide on."""
MAX_FORM_FIELDS: Final = 500
"""Maximum number of form fields; an upload has room for 250,000, whose parsing would block all other requests."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_LOGGED_ORIGIN: Final = 200

_logger = structlog.get_logger("spieltisch.web")
_log_limit = LogLimit()


async def add_headers(sent: Sent, scope: Scope) -> None:
    """Set the security headers on every response, errors included; without a caching header it is not stored."""
    if sent["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(sent)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", HSTS)


async def receive_form(request: Request, _: BaseRouteHandler) -> None:
    """Wait for a whole form, before its visitor is identified: their session may end while it arrives slowly."""
    if request.method not in SAFE_METHODS:
        await request.body()


async def check_form(request: Request, handler: BaseRouteHandler) -> None:
    """Refuse what is neither a form of this site and session nor sent by a mail program to a signed address.

    If it passes, it stores the fields of the form.
    """
    if request.method in SAFE_METHODS or handler.opt.get("by_token"):
        return
    origin, fetch_site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    if (origin is None and fetch_site is None) or fetch_site not in (None, "same-origin"):
        raise _other_site()
    if origin is not None and origin != (expected := request.site.origin(request)):
        if origin != "null":  # a page without an address: no setting of ours is at fault
            _log_origin(origin, expected)
        raise _other_site() if fetch_site is None else _other_address(request.site)
    kind, _options = request.content_type
    if kind != "application/x-www-form-urlencoded":
        raise PageRefusal(415, "form", message("This page only accepts forms."))
    if (await request.body()).count(b"&") > MAX_FORM_FIELDS:
        raise PageRefusal(400, "form", message("Invalid request. Reload the page and try again."))
    form = await request.form()
    request.scope["state"]["fields"] = dict(form.multi_items())
    if not request.visitor.is_valid_form_token(request.fields.get("token", "")):
        if request.visitor.is_new:
            what = message(
                "This site needs a cookie: with it, it knows which seat is yours. Allow cookies for this site, reload "
                "the page and try again."
            )
            raise PageRefusal(403, "cookie", what)
        raise PageRefusal(403, "form", message("This page is out of date. Reload it and try again."))


def _other_site() -> PageRefusal:
    return PageRefusal(403, "origin", message("This form came from another site. Reload the page and try again."))


def _log_origin(origin: str, expected: str) -> None:
    if _log_limit.allows("origin"):
        _logger.warning(
            "forms are refused: they come from a page at another address than the server knows. If people reach it "
            "there, start it with --public-url",
            origin=origin[:MAX_LOGGED_ORIGIN],
            expected=expected[:MAX_LOGGED_ORIGIN],
        )


def _other_address(site: Site) -> PageRefusal:
    """Return the refusal of a form whose page the browser had from this server, under an address it does not know."""
    if site.public:
        what = message("This site is at {address}. Open it there and try again.", address=site.public)
    else:
        what = message("The server doesn’t know this address. Its operator must start it with --public-url.")
    return PageRefusal(403, "origin", what)
