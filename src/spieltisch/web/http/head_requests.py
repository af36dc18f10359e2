"""HEAD, answered for every route that answers GET."""

from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send


def answer_head(app: ASGIApp) -> ASGIApp:
    """Return the application, which then gets HEAD as GET; the response has the same header, and no body."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await app(scope, receive, send)
            return
        is_complete = False

        async def send_header(message: Message) -> None:
            nonlocal is_complete
            if message["type"] != "http.response.body":
                await send(message)
            elif not is_complete:  # a stream, which has no end of its own, learns by this that it is closed
                is_complete = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await app(cast(Scope, {**scope, "method": "GET"}), receive, send_header)

    return respond
