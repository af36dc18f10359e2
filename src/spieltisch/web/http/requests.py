"""Requests: the form, the expected kind of response, and the table in the URL."""

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
"""Addresses that only accept forms; the first group is the page with these forms."""


def safe_path(path: str) -> str:
    """Return the path of the page that sent a form if it is on this site, else the lobby.

    >>> safe_path("/table/k3J?me=2"), safe_path("//elsewhere.example/")
    ('/table/k3J?me=2', '/')
    """
    return path if _HERE.fullmatch(path) else "/"


async def form_of(request: Request) -> Form:
    """Return the fields of a form; of a repeated field the last value, which a browser never sends.

    Store the player of a hot seat who sent it, for the link back from an error.
    """
    form = await request.form()
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    request.scope["state"]["me"] = fields.get("me", "")
    return fields


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


def table_of(request: Request) -> Table | None:
    """Return the table of a request, as `require_table_access` has stored it; None without one."""
    table = request.scope["state"].get("table")
    return table if isinstance(table, Table) else None


def remember_view(request: Request, address: str) -> None:
    """Store the URL at which this visitor views the table of the request, for the link back from an error."""
    request.scope["state"]["looks_at"] = address


def table_url(request: Request) -> str:
    """Return the URL of the table of a request, as this visitor views it.

    It is "" without a table, for visitors who may not view it, and on the table page itself.
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
