"""The time at a table: what was agreed on, a holiday, and coming back."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.deciding import Speaker
from spieltisch.web.http.queries import who
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import go, page
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import seated
from spieltisch.web.pages.charter import clock
from spieltisch.web.pages.unplayable import game_of
from spieltisch.web.routes.table import look


@get("/table/{table_id:str}/time")
async def show(request: Request, live: Live, visitor: Visitor, table_id: str) -> Response[str]:
    table, perspective = await look(request, live, visitor, table_id)
    shown = clock(table, perspective)
    return page(
        request,
        "time.html",
        game=game_of(table),
        table=table,
        perspective=perspective,
        names=table.names,
        holidays=table.timing.holidays if table.timing is not None else (),
        **shown,
    )


@post("/table/{table_id:str}/holiday")
async def holiday(live: Live, visitor: Visitor, form: Form, table_id: str) -> Redirect:
    """One's time does not run for some days."""
    speaker = Speaker(seated(visitor), who(form.get("me", "")))
    person, days = speaker.at(await live.tables.get(table_id)), (form.get("first", ""), form.get("last", ""))
    await live.tables.run(table_id, tables.take_holiday, person, *days, live.clock())
    return go(f"/table/{table_id}/time" + (f"?me={speaker.me}" if speaker.me else ""))


@post("/table/{table_id:str}/back")
async def back(live: Live, visitor: Visitor, form: Form, table_id: str) -> Redirect:
    """No bot plays for one any more."""
    speaker = Speaker(seated(visitor), who(form.get("me", "")))
    await live.tables.run(table_id, tables.come_back, speaker.at(await live.tables.get(table_id)))
    return go(f"/table/{table_id}" + (f"?me={speaker.me}" if speaker.me else ""))


ROUTES: list[Any] = [show, holiday, back]
