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
from spieltisch.web.http.queries import number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import go
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import person_of
from spieltisch.web.pages.templates import Pages
from spieltisch.web.routes.table import look


@post("/table/{table_id:str}/study")
async def study(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Pages, form: Form, table_id: str
) -> Redirect:
    """A table that goes on after move `at` of this game, with whoever asks in `seat` (from 1) and bots of one kind in
    the others; who has no name yet is a guest. Whoever may see the game may ask.
    """
    table, _ = await look(request, live, visitor, table_id)
    address, seat = address_of(request), number("seat", form.get("seat", "")) - 1
    rate_limits.opening(address)
    at = number("at", form.get("at", ""))
    begun = await asyncio.to_thread(tables.study_of, table, at, seat, secrets.randbits(63))
    plan = tables.study_plan(table, seat, form.get("bot", ""))
    named = {"name": pages.words(visitor.language).say(message("Guest"))} | form
    person, cookies = await person_of(request, named, lambda newcomer: live.tables.may_open(newcomer, plan, address))
    opened = await live.tables.open(person, plan, address, begun)
    return go(f"/table/{opened.id}", cookies)


ROUTES: list[Any] = [study]
