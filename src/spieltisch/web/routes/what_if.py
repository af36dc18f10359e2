"""What-if games: continue against bots from a step of a finished game."""

import secrets

from litestar import post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.live.client_threads import run_in_thread
from spieltisch.web.http.query_params import number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import person_or_newcomer
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.routes.table import table_view


@post("/table/{table_id:str}/what-if")
async def start_what_if(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Renderer, form: Form, table_id: str
) -> Redirect:
    """Open a table that continues after move `at` of this game.

    The visitor plays `seat` (from 1), bots of one kind play the others; a visitor without a name becomes a guest.
    Anyone who may see the game may start one.
    """
    table, _ = await table_view(request, live, visitor, table_id)
    address, seat = address_of(request), number("seat", form.get("seat", "")) - 1
    rate_limits.new_table(address)
    at = number("at", form.get("at", ""))
    what_if = await run_in_thread(tables.what_if_from, table, at, seat, secrets.randbits(63))
    new_table = tables.what_if_table(table, seat, form.get("bot", ""))
    guest_form = {"name": pages.words(visitor.language).say(message("Guest"))} | form
    person, cookies = await person_or_newcomer(
        request, guest_form, lambda newcomer: live.tables.require_can_open(newcomer, new_table, address)
    )
    opened = await live.tables.open(person, new_table, address, what_if)
    return redirect(f"/table/{opened.id}", cookies)
