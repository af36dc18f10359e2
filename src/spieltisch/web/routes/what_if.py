"""What-if games: continue against bots from a step of a finished game."""

import secrets

from litestar import post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.core.words import GUEST
from spieltisch.live.client_threads import run_in_thread
from spieltisch.web.http.query_params import number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import redirect
from spieltisch.web.http.sign_in import person_or_newcomer
from spieltisch.web.pages.shared_replay import SharedReplays


@post("/table/{table_id:str}/what-if")
async def start_what_if(request: Request) -> Redirect:
    """Open a table that continues after move `at` of this game.

    The visitor plays `seat` (from 1), bots of one kind play the others; a visitor without a name becomes a guest.
    Anyone who may see the game may start one. The others are shown the table if the visitor leads them in the replay.
    """
    table, perspective = request.table_view
    address, seat = address_of(request), number("seat", request.fields.get("seat", "")) - 1
    request.rate_limits.new_table(address)
    at = number("at", request.fields.get("at", ""))
    what_if = await run_in_thread(tables.what_if_from, table, at, seat, secrets.randbits(63))
    new_table = tables.what_if_table(table, seat, request.fields.get("bot", ""))
    guest_form = {"name": request.pages.words(request.visitor.language).say(GUEST)} | request.fields
    person, cookies = await person_or_newcomer(
        request, guest_form, lambda newcomer: request.live.tables.require_can_open(newcomer, new_table, address)
    )
    opened = await request.live.tables.open(person, new_table, address, what_if)
    shared = request.fragments.part(SharedReplays)
    if perspective.seat is not None and new_table.watch != "off" and shared.is_leading(table, person.id):
        shared.show_step(table, person.id, perspective.seat, at, request.live.invitations.spectator_link(opened))
    return redirect(f"/table/{opened.id}", cookies)
