"""Routes that exist only for some visitors: for all others their addresses are unknown ones."""

from collections.abc import Awaitable, Callable
from typing import cast

from litestar.types import ASGIApp, Receive, Scope, Send

from spieltisch.store import StoreError
from spieltisch.web.http.rate_limits import count_request
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request


def hide(app: ASGIApp, hidden: ASGIApp, path: str, admits: Callable[[Request], Awaitable[bool]]) -> ASGIApp:
    """Return an application that hands requests at `path` and below to `hidden` if it admits them, else to `app`.

    `app` has no such route. So whatever is asked there, by any method, is answered as at every unknown address.
    """

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["path"]
        is_below = asked == path or asked.startswith(f"{path}/")
        await (hidden if is_below and await is_admitted(Request(scope)) else app)(scope, receive, send)

    async def is_admitted(request: Request) -> bool:
        try:
            count_request(request)  # before `admits` reads the database
            return await admits(request)
        except (PageRefusal, StoreError):
            return False

    return cast(ASGIApp, respond)
