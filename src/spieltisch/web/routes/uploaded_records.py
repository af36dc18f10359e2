"""A game played elsewhere, brought along by its record: to replay it, and to have it looked at."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from spieltisch.live import Live
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import Visitor


@get("/records")
async def show(request: Request, visitor: Visitor) -> Response[Any]:
    return page(request, "upload_record.html")


async def upload(request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, form: Form) -> Redirect:
    """To the table where this game can be looked at."""
    address = address_of(request)
    rate_limits.new_table(address)
    return redirect(f"/table/{await live.uploads.add(form.get('text', ''), address)}")


ROUTES = [show]


def uploads(longest: int | None) -> list[BaseRouteHandler]:
    """What takes forms that may be longer than others: as many bytes, or (None) any number."""
    return [post("/records", request_max_body_size=longest)(upload)]
