"""The clock of a table: its settings, holidays, and coming back."""

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.live.player_commands import Actor
from spieltisch.web.http.query_params import hot_seat_param
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages.table_settings import clock_view
from spieltisch.web.pages.unplayable import game_of


@get("/table/{table_id:str}/clock")
async def show(request: Request) -> Response[str]:
    """Show the clock page."""
    table, perspective = request.table_view
    return page(
        request,
        "clock_page.html",
        game=game_of(table),
        table=table,
        perspective=perspective,
        names=table.names,
        holidays=table.clock.holidays if table.clock is not None else (),
        **msgspec.structs.asdict(clock_view(table, perspective)),
    )


@post("/table/{table_id:str}/clock/holiday")
async def take_holiday(request: Request, table_id: str) -> Redirect:
    """Take a holiday: the player's time does not run on these days."""
    form = request.fields
    actor = Actor(require_person(request.visitor), hot_seat_param(form.get("me", "")))
    person, days = actor.id_at(await request.live.tables.get(table_id)), (form.get("first", ""), form.get("last", ""))
    await request.live.tables.run(table_id, tables.take_holiday, person, *days, request.live.clock())
    return redirect(f"/table/{table_id}/clock" + (f"?me={actor.hot_seat}" if actor.hot_seat else ""))


@post("/table/{table_id:str}/resume")
async def resume(request: Request, table_id: str) -> Redirect:
    """Play again in place of the bot that has substituted for the player."""
    actor = Actor(require_person(request.visitor), hot_seat_param(request.fields.get("me", "")))
    await request.live.tables.run(table_id, tables.resume_play, actor.id_at(await request.live.tables.get(table_id)))
    return redirect(f"/table/{table_id}" + (f"?me={actor.hot_seat}" if actor.hot_seat else ""))
