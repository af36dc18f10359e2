"""What if: from a step of a game that is over somebody plays on against bots."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from litestar import post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.web.http.query_params import number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import person_or_newcomer
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.routes.table import table_view


@post(["/table/{table_id:str}/what-if", "/table/{table_id:str}/study"])
async def start_what_if(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Renderer, form: Form, table_id: str
) -> Redirect:
    """A table that goes on after move `at` of this game, with whoever asks in `seat` (from 1) and bots of one kind in
    the others; who has no name yet is a guest. Whoever may see the game may ask.
    """
    table, _ = await table_view(request, live, visitor, table_id)
    address, seat = address_of(request), number("seat", form.get("seat", "")) - 1
    rate_limits.new_table(address)
    at = number("at", form.get("at", ""))
    begun = await asyncio.to_thread(tables.what_if_from, table, at, seat, secrets.randbits(63))
    plan = tables.what_if_table(table, seat, form.get("bot", ""))
    named = {"name": pages.words(visitor.language).say(message("Guest"))} | form
    person, cookies = await person_or_newcomer(
        request, named, lambda newcomer: live.tables.require_can_open(newcomer, plan, address)
    )
    opened = await live.tables.open(person, plan, address, begun)
    return redirect(f"/table/{opened.id}", cookies)


ROUTES: list[Any] = [start_what_if]
