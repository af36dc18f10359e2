"""Duplicate tables: the list of tables, links to share, and the comparison at the end."""

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch import tables
from spieltisch.tables import Table, refusals
from spieltisch.web.http.query_params import number
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages.duplicates import DuplicatePages, may_see


@get("/duplicate/{duplicate_id:str}")
async def show(request: Request, duplicate_id: str) -> Response[str]:
    """Show the tables of a duplicate, and, when all are over, their comparison.

    Raise TableRefusal no-table for a visitor who may not know of it.
    """
    duplicate_pages = request.fragments.part(DuplicatePages)
    content = await duplicate_pages.page(duplicate_id, request.visitor)
    if content.is_closed:  # an earlier attempt to reveal it has failed
        await request.live.tables.reveal_duplicate(duplicate_id)
        content = await duplicate_pages.page(duplicate_id, request.visitor)
    html = Markup(content.html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "duplicate.html", game=content.game, live=html)


async def _table(request: Request, duplicate_id: str, at: str) -> Table:
    """Return the table with this number of a duplicate.

    Raise TableRefusal no-table, also for a visitor who may not know of the duplicate.
    """
    duplicate_tables = await request.live.tables.duplicate_tables(duplicate_id)
    is_known = may_see(duplicate_tables, request.visitor.person_id)
    if not is_known or not 0 < number("table", at) <= len(duplicate_tables):
        raise refusals.no_table()
    return duplicate_tables[int(at) - 1]


@post("/duplicate/{duplicate_id:str}/{at:str}/close")
async def close(request: Request, duplicate_id: str, at: str) -> Redirect:
    """Close a table that no one plays at, as its host."""
    table = await _table(request, duplicate_id, at)
    await request.live.tables.run(table.id, tables.ask_abort, require_person(request.visitor).id)
    return redirect(f"/duplicate/{duplicate_id}")


@post("/duplicate/{duplicate_id:str}/{at:str}/reclaim/{seat:str}")
async def hand_out(request: Request, duplicate_id: str, at: str, seat: str) -> Redirect:
    """Reclaim a seat, as the host, whose player no longer has access; a player who is present is asked first."""
    table = await _table(request, duplicate_id, at)
    is_here = request.live.presence.is_present
    await request.live.tables.run(
        table.id, tables.reclaim_seat, require_person(request.visitor).id, number("seat", seat), is_here
    )
    return redirect(f"/duplicate/{duplicate_id}")


@post("/duplicate/{duplicate_id:str}/{at:str}/replace/{seat:str}/{bot:str}")
async def replace(request: Request, duplicate_id: str, at: str, seat: str, bot: str) -> Redirect:
    """Put a bot into an empty seat, as the host."""
    table = await _table(request, duplicate_id, at)
    await request.live.tables.run(
        table.id,
        tables.replace_with_bot,
        require_person(request.visitor).id,
        number("seat", seat),
        bot,
        request.live.tables.bots,
    )
    return redirect(f"/duplicate/{duplicate_id}")
