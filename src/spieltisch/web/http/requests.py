"""A request: what was sent, what is wanted back, and which table it is about."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias
from urllib.parse import quote, urlencode

import litestar

from spieltisch.tables import Table, TableRefusal, seat_of_viewer
from spieltisch.web.http.sessions import visitor_of

Request: TypeAlias = litestar.Request[Any, Any, Any]
Form: TypeAlias = dict[str, str]
_HERE: Final = re.compile(r"/(?![/\\])[^\\\x00-\x1f]*")
_PAGE_OF_FORMS: Final = re.compile(r"(/table/[^/]+|/devices?|/me/passkeys|/me/log-out)/.+")
"""The addresses that only take forms; what they stand below is the page of these forms."""


def safe_path(path: str) -> str:
    """Where a form says that it stood, if that is on this site; the lobby otherwise.

    >>> safe_path("/table/k3J?me=2"), safe_path("//elsewhere.example/")
    ('/table/k3J?me=2', '/')
    """
    return path if _HERE.fullmatch(path) else "/"


async def form_of(request: Request) -> Form:
    """The fields of a form; of a field that comes twice the last, which a browser never sends.

    Who of those on a device has sent it is remembered, for the way back from an error.
    """
    form = await request.form()
    found = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    request.scope["state"]["me"] = found.get("me", "")
    return found


def is_number(text: str, digits: int = 3) -> bool:
    """Whether this is a number as it stands in our own addresses and forms, of so many digits at most.

    >>> [is_number(text) for text in ("17", "0", "017", "+1", "1000", "")]
    [True, True, False, False, False, False]
    """
    return len(text) <= digits and text.isascii() and text.isdecimal() and (text[0] != "0" or text == "0")


def wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def is_htmx(request: Request) -> bool:
    """Whether htmx asks, for the notice of a page that is already there."""
    return request.headers.get("hx-request") == "true"


def table_of(request: Request) -> Table | None:
    """The table that a request is about."""
    table = request.scope["state"].get("table")
    return table if isinstance(table, Table) else None


def remember_view(request: Request, address: str) -> None:
    """Remember the address at which this visitor sees the table of the request, for the way back from an error."""
    request.scope["state"]["looks_at"] = address


def table_url(request: Request) -> str:
    """The address of the table that a request is about, as this visitor looks at it; "" where there is none, where they
    may not look, and on the page of the table itself.
    """
    state, table = request.scope["state"], table_of(request)
    if table is None or request.url.path == f"/table/{table.id}":
        return ""
    if "looks_at" in state:
        return str(state["looks_at"])
    try:
        seat_of_viewer(table, visitor_of(request).person_id)
    except TableRefusal:
        return ""
    me = str(state.get("me", ""))
    return f"/table/{table.id}" + (f"?{urlencode({'me': me})}" if is_number(me) else "")


def page_of_form(request: Request) -> str:
    """Of an address at a table that only takes forms, the page with these forms; "" for any other address."""
    found = _PAGE_OF_FORMS.fullmatch(quote(request.url.path))
    return found[1] if found and found[1].startswith("/table/") else ""


def page_path(request: Request) -> str:
    """The address of a page; of what a form leads to, that of the page with the form."""
    path = quote(request.url.path)
    if request.method == "POST":
        form = _PAGE_OF_FORMS.fullmatch(path)
        return form[1] if form else path
    return f"{path}?{request.url.query}" if request.url.query else path
