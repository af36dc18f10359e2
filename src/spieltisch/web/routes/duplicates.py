"""The same deal at several tables: who plays it where, links to hand on, and the comparison in the end."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.tables import Table, refusals
from spieltisch.web.http.query_params import number
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages.fragments import Fragments


@get("/duplicate/{deal_id:str}")
async def show(request: Request, live: Live, visitor: Visitor, fragments: Fragments, deal_id: str) -> Response[str]:
    """Its tables, and when all are over, how they compare. Raises TableRefusal no-table for who may not know of it."""
    shown = await fragments.duplicate(deal_id, visitor)
    if shown.closed:  # something had failed
        await live.tables.reveal_duplicate(deal_id)
        shown = await fragments.duplicate(deal_id, visitor)
    html = Markup(shown.html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "duplicate.html", game=shown.game, live=html)


async def _table(live: Live, deal_id: str, at: str) -> Table:
    found = await live.tables.duplicate_tables(deal_id)
    if not 0 < number("table", at) <= len(found):
        raise refusals.no_table()
    return found[int(at) - 1]


@post(["/duplicate/{deal_id:str}/{at:str}/close", "/deal/{deal_id:str}/{at:str}/close"])
async def close(live: Live, visitor: Visitor, deal_id: str, at: str) -> Redirect:
    """The host closes a table that nobody plays at."""
    table = await _table(live, deal_id, at)
    await live.tables.run(table.id, tables.ask_abort, require_person(visitor).id)
    return redirect(f"/duplicate/{deal_id}")


@post(["/duplicate/{deal_id:str}/{at:str}/reclaim/{seat:str}", "/deal/{deal_id:str}/{at:str}/hand-out/{seat:str}"])
async def hand_out(live: Live, visitor: Visitor, deal_id: str, at: str, seat: str) -> Redirect:
    """The host takes back the seat of somebody who has lost their way in; who is here is asked first."""
    table = await _table(live, deal_id, at)
    is_here = live.presence.is_present
    await live.tables.run(table.id, tables.reclaim_seat, require_person(visitor).id, number("seat", seat), is_here)
    return redirect(f"/duplicate/{deal_id}")


@post(
    [
        "/duplicate/{deal_id:str}/{at:str}/replace/{seat:str}/{bot:str}",
        "/deal/{deal_id:str}/{at:str}/replace/{seat:str}/{bot:str}",
    ]
)
async def replace(live: Live, visitor: Visitor, deal_id: str, at: str, seat: str, bot: str) -> Redirect:
    """The host puts a bot into a seat that nobody has."""
    table = await _table(live, deal_id, at)
    await live.tables.run(
        table.id, tables.replace_with_bot, require_person(visitor).id, number("seat", seat), bot, live.tables.bots
    )
    return redirect(f"/duplicate/{deal_id}")


ROUTES: list[Any] = [show, close, hand_out, replace]
