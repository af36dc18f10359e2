"""Upload of the record of a game played elsewhere, to replay and analyse it."""

from typing import Any

from litestar import Response, get, post
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect


@get("/records")
async def show(request: Request) -> Response[Any]:
    """Show the upload form."""
    return page(request, "upload_record.html")


async def upload(request: Request) -> Redirect:
    """Store a record and redirect to its table."""
    address = address_of(request)
    request.rate_limits.new_table(address)
    text = request.fields.get("text", "")
    return redirect(f"/table/{await request.live.uploads.add(text, address, request.visitor.person_id)}")


def uploads(longest: int | None) -> list[BaseRouteHandler]:
    """Return routes for larger forms than others: `longest` is the limit in bytes, None for none."""
    return [post("/records", request_max_body_size=longest)(upload)]
