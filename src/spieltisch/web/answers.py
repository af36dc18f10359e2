"""Answers: pages, notices for the table page, redirects. Whatever renders for a visitor goes through here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, cast
from urllib.parse import quote, urlencode

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.handlers.base import BaseRouteHandler
from litestar.response import Redirect

from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.store import House
from spieltisch.tables import Table, TableRefusal, perspective
from spieltisch.web.pages import NOTHING_DRAWN, Pages
from spieltisch.web.visits import Site, Visit, devices_version, visit_of

Asked = Request[Any, Any, Any]
HTML = "text/html"
_PAGE_OF_FORMS: Final = re.compile(r"(/table/[^/]+|/devices)/.+")
"""The addresses that only take forms; what they stand below is the page of these forms."""


def house_of(request: Asked) -> House:
    return cast(House, request.app.state.house)


def pages_of(request: Asked) -> Pages:
    return cast(Pages, request.app.state.pages)


def site_of(request: Asked) -> Site:
    return cast(Site, request.app.state.site)


def visit(request: Asked) -> Visit:
    """Who asks."""
    return visit_of(request, site_of(request), house_of(request))


def at_table(request: Asked, table: Table) -> None:
    """Remember the table that a request is about, so that an error can name its players and lead to its rules."""
    request.scope["state"]["table"] = table


async def remember_table(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard of the whole site that refuses nothing: `at_table` for the table in the address, so that every error
    there knows the way back to it.
    """
    table_id = connection.path_params.get("table_id")
    if isinstance(connection, Request) and table_id is not None:
        with suppress(TableRefusal):  # whoever asks for the table next says so
            at_table(connection, await house_of(connection).table(table_id))


def looks_at(request: Asked, address: str) -> None:
    """Remember the address at which this visitor sees the table of the request, for the way back from an error."""
    request.scope["state"]["looks_at"] = address


def way_back(request: Asked) -> str:
    """The address of the table that a request is about, as this visitor looks at it; "" where there is none, where they
    may not look, and on the page of the table itself.
    """
    state = request.scope["state"]
    table = state.get("table")
    if not isinstance(table, Table) or request.url.path == f"/table/{table.id}":
        return ""
    if "looks_at" in state:
        return str(state["looks_at"])
    try:
        perspective(table, visit(request).person_id)
    except TableRefusal:
        return ""
    me = str(state.get("me", ""))
    return f"/table/{table.id}" + (f"?{urlencode({'me': me})}" if me.isdecimal() else "")


def page_of_form(request: Asked) -> str:
    """Of an address at a table that only takes forms, the page with these forms; "" for any other address."""
    found = _PAGE_OF_FORMS.fullmatch(quote(request.url.path))
    return found[1] if found and found[1] != "/devices" else ""


def table_context(request: Asked) -> dict[str, Any]:
    """What sentences about the table of this request need: the game, its players' names, the address of its rules."""
    table = request.scope["state"].get("table")
    if not isinstance(table, Table) or table.setup is None:
        return {"rules_page": ""}
    return {"game": table.game, "names": table.names, "rules_page": f"/games/{table.game.key}/rules"}


def wants_json(request: Asked) -> bool:
    return "application/json" in request.headers.get("accept", "")


def wants_notice(request: Asked) -> bool:
    """Whether htmx asks, for the notice of a page that is already there."""
    return request.headers.get("hx-request") == "true"


def page(
    request: Asked,
    template: str,
    *,
    status: int = 200,
    game: Game | None = None,
    setup: Setup | None = None,
    cookies: list[Cookie] | None = None,
    back: str | None = None,
    **context: Any,
) -> Response[str]:
    """A whole page in the visitor's language. It bears style and signs of what is played at the table of this request,
    or of `setup`. `back` is where one comes back to who switches the language there: None for where it is, "" for a
    page that says so itself, because its address changes.
    """
    who = visit(request)
    setup = setup or _setup(request)
    sessions = house_of(request).sessions(who.person.id) if who.person else ()
    text = pages_of(request).render(
        template,
        who.language,
        game,
        visit=who,
        back=_here(request) if back is None else back,
        tells_of_devices=request.url.path == "/devices",
        devices=devices_version(sessions),
        joined=_another_device(request, sessions),
        once=pages_of(request).drawn_once(setup, who.language) if setup is not None else NOTHING_DRAWN,
        **context,
    )
    return Response(text, status_code=status, media_type=HTML, cookies=[*who.cookies(), *(cookies or [])])


def _here(request: Asked) -> str:
    """The address of a page; of what answers a form, that of the page with the form."""
    path = quote(request.url.path)
    if request.method == "POST":
        form = _PAGE_OF_FORMS.fullmatch(path)
        return form[1] if form else path
    return f"{path}?{request.url.query}" if request.url.query else path


def _setup(request: Asked) -> Setup | None:
    table = request.scope["state"].get("table")
    return table.setup if isinstance(table, Table) else None


def _another_device(request: Asked, sessions: Sequence[float]) -> bool:
    """Whether another device has become this person since this browser last looked at its devices."""
    seen = request.cookies.get(site_of(request).cookie("devices"), "0")
    return len(sessions) > 1 and seen.isdecimal() and 1000 * sessions[-1] >= int(seen[:16]) + 1


def notice(
    request: Asked, template: str, *, status: int = 200, game: Game | None = None, **context: Any
) -> Response[str]:
    """A fragment for the notice of a page."""
    who = visit(request)
    text = pages_of(request).render(template, who.language, game, **context)
    return Response(text, status_code=status, media_type=HTML, cookies=who.cookies())


def go(path: str, cookies: list[Cookie] | None = None) -> Redirect:
    """After a form: to the page that shows what it did."""
    return Redirect(path, status_code=303, cookies=cookies)


async def fields(request: Asked) -> dict[str, str]:
    """The fields of a form; of a field that comes twice the last, which a browser never sends.

    Who of those on a device has sent it is remembered, for the way back from an error.
    """
    form = await request.form()
    found = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    request.scope["state"]["me"] = found.get("me", "")
    return found
