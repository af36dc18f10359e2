"""A random id for each request: in the lines that the log has about it, and in responses that say the server failed."""

import secrets
from http import HTTPStatus
from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

HEADER: Final = "X-Request-ID"


def add_request_ids(app: ASGIApp) -> ASGIApp:
    """Return the application with an id for each request; what a client sends as an id is ignored."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(6)

        async def send_with_id(sent: Message) -> None:
            if sent["type"] == "http.response.start" and sent["status"] >= HTTPStatus.INTERNAL_SERVER_ERROR:
                MutableScopeHeaders.from_message(sent)[HEADER] = request_id
            await send(sent)

        with bound_contextvars(request=request_id):
            await app(scope, receive, send_with_id)

    return respond
