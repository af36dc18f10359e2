"""Requests: what guards and handlers ask of them, and the page to which a response leads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import quote

import litestar

from spieltisch.web.http.parts import Parts

if TYPE_CHECKING:
    from spieltisch.live import Live
    from spieltisch.tables import Table
    from spieltisch.web.http.rate_limits import RateLimits
    from spieltisch.web.http.sessions import Site, Visitor
    from spieltisch.web.http.stream import Streams
    from spieltisch.web.pages.fragments import Fragments
    from spieltisch.web.pages.perspectives import Perspective
    from spieltisch.web.pages.renderer import Renderer

Form: TypeAlias = dict[str, str]
"""The fields of a form; of a repeated field the last value, which a browser never sends."""
_HERE: Final = re.compile(r"/(?![/\\])[^\\\x00-\x1f]*")
_PAGE_OF_FORMS: Final = re.compile(r"(/table/[^/]+|/devices?|/me/passkeys|/me/log-out)/.+")
"""Addresses that only accept forms; the first group is the page with these forms."""


class TableView(NamedTuple):
    """A table, and the perspective from which the visitor of a request views it."""

    table: Table
    perspective: Perspective


class Request(litestar.Request[Any, Any, Any]):
    """A request, with the parts of the server, and with what the guards of the site have found before its handler."""

    @property
    def parts(self) -> Parts:
        """The parts of the server."""
        return cast(Parts, self.app.state.parts)

    @property
    def live(self) -> Live:
        """The tables in play, and everything else that is live."""
        return self.parts.live

    @property
    def streams(self) -> Streams:
        """The open streams."""
        return self.parts.streams

    @property
    def site(self) -> Site:
        """The addresses of the server."""
        return self.parts.site

    @property
    def rate_limits(self) -> RateLimits:
        """The limits for each address."""
        return self.parts.rate_limits

    @property
    def pages(self) -> Renderer:
        """The templates in all languages."""
        return self.parts.pages

    @property
    def fragments(self) -> Fragments:
        """The live parts of pages."""
        return self.parts.fragments

    @property
    def visitor(self) -> Visitor:
        """The visitor, as `identify_visitor` has found them."""
        return cast("Visitor", self.scope["state"]["visitor"])

    @property
    def fields(self) -> Form:
        """The form, as `check_form` has read it; empty if there was none to check."""
        return cast(Form, self.scope["state"].get("fields", {}))

    @property
    def table_view(self) -> TableView:
        """The table in the address, as `require_table_access` has found it."""
        return cast(TableView, self.scope["state"]["table_view"])

    @property
    def table(self) -> Table | None:
        """The table in the address; None without one, and for visitors who may not view it."""
        return self.table_view.table if "table_view" in self.scope["state"] else None


def safe_path(path: str) -> str:
    """Return the path of the page that sent a form if it is on this site, else the lobby.

    >>> safe_path("/table/k3J?me=2"), safe_path("//elsewhere.example/")
    ('/table/k3J?me=2', '/')
    """
    return path if _HERE.fullmatch(path) else "/"


def is_number(text: str, digits: int = 3) -> bool:
    """Return True if this is a number as in this site's addresses and forms, of at most `digits` digits.

    >>> [is_number(text) for text in ("17", "0", "017", "+1", "1000", "")]
    [True, True, False, False, False, False]
    """
    return len(text) <= digits and text.isascii() and text.isdecimal() and (text[0] != "0" or text == "0")


def wants_json(request: Request) -> bool:
    """Return True if the client accepts JSON."""
    return "application/json" in request.headers.get("accept", "")


def is_htmx(request: Request) -> bool:
    """Return True if htmx sent the request, for the notice of a page that is already open."""
    return request.headers.get("hx-request") == "true"


def is_navigation(request: Request) -> bool:
    """Return True if a person has opened this page from this site, a bookmark or the address bar.

    Older browsers do not say so; they are believed.
    """
    headers = request.headers
    return (
        headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        and headers.get("sec-fetch-dest", "document") == "document"
        and "prefetch" not in headers.get("sec-purpose", "")
    )


def table_url(request: Request) -> str:
    """Return the URL of the table of a request, as this visitor views it.

    It is "" without a table, for visitors who may not view it, and on the table page itself.
    """
    if request.table is None or request.url.path == f"/table/{request.table.id}":
        return ""
    table, perspective = request.table_view
    me = request.fields.get("me", "")
    chosen = {"me": me} if is_number(me) and not perspective.hot_seat else {}
    return perspective.url(f"/table/{table.id}", **chosen)


def page_of_form(request: Request) -> str:
    """Return the page whose forms an address below a table accepts; "" for any other address."""
    match = _PAGE_OF_FORMS.fullmatch(quote(request.url.path))
    return match[1] if match and match[1].startswith("/table/") else ""


def page_path(request: Request) -> str:
    """Return the path of a page; for the target of a form, the path of the page with the form."""
    path = quote(request.url.path)
    if request.method == "POST":
        form = _PAGE_OF_FORMS.fullmatch(path)
        return form[1] if form else path
    return f"{path}?{request.url.query}" if request.url.query else path
