"""The server is opened to its network, and closed again, by who sits at its machine."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.web.http.reach import Reach, Wish
from spieltisch.web.http.requests import Form, Request, inside
from spieltisch.web.http.responses import go, page
from spieltisch.web.http.sessions import Visitor


@post("/network/open")
async def let_in(request: Request, reach: Reach, visitor: Visitor, form: Form) -> Response[str]:
    """To the doorstep, to let the network in."""
    return await _ask(request, reach, visitor, form, "open")


@post("/network/close")
async def keep_out(request: Request, reach: Reach, visitor: Visitor, form: Form) -> Response[str]:
    """To the doorstep, to keep the network out."""
    return await _ask(request, reach, visitor, form, "close")


@get("/network/{ticket:str}")
async def arrive(request: Request, reach: Reach, visitor: Visitor, ticket: str) -> Redirect:
    """At the doorstep, with a ticket: what was asked for is done."""
    return go(await reach.grant(request, visitor.key, ticket))


async def _ask(request: Request, reach: Reach, visitor: Visitor, form: Form, wish: Wish) -> Response[str]:
    back = inside(form.get("back", ""))
    address = await reach.ask(request, visitor.key, wish, back)
    # A redirect would do, but the site's policy lets forms lead to this very address only.
    return page(request, "doorstep.html", back=back, address=address)


ROUTES = [let_in, keep_out, arrive]
