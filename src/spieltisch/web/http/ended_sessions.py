"""No answer goes to a session that has ended while its request waited for something after its guards."""

from typing import Any, cast

from litestar import Response
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from spieltisch.store import ReadFailed
from spieltisch.store.sessions import outside_session
from spieltisch.tables import refusals
from spieltisch.web.http.errors import not_read, refusal_response
from spieltisch.web.http.requests import Request


def refuse_ended_sessions(app: ASGIApp) -> ASGIApp:
    """Return the application, which refuses what it would have answered in a session that has ended meanwhile."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        request, refusal = Request(cast(HTTPScope, scope)), None

        async def send_in_session(message: Message) -> None:
            nonlocal refusal
            if message["type"] == "http.response.start" and (refusal := await _refusal(request)) is not None:
                await refusal.to_asgi_response(app=None, request=request)(scope, receive, send)
            if refusal is None:
                await send(message)

        with outside_session():
            await app(scope, receive, send_in_session)

    return respond


async def _refusal(request: Request) -> Response[Any] | None:
    """Return what is answered in place of the response to a request; None if its session has not ended."""
    try:
        if await request.live.people.has_acting_session():
            return None
    except ReadFailed as error:
        return not_read(request, error)
    request.scope["state"]["visitor"] = request.visitor.signed_out()
    return refusal_response(request, refusals.signed_out())
