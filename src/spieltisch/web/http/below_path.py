"""A server below a path of its host, such as https://example.org/games."""

from http import HTTPStatus
from typing import Final, cast

from litestar.datastructures import MutableScopeHeaders
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from spieltisch.web.pages.site_paths import in_site

OF_HOST: Final = frozenset({"/robots.txt", "/.well-known/security.txt", "/health"})
"""The paths that are also at the root of the host: files that clients request only there, and the health check."""


def serve_below(app: ASGIApp, path: str) -> ASGIApp:
    """Return the application below `path`, "" for the root of its host.

    Inside, there is no such path: requests lose it here, and redirects get it here. The proxy in front leaves it in
    what it hands on. If it were to remove it, there would be no telling whether "/games/x" is "x" at "/games".
    """
    if not path:
        return app

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_below(event: Message) -> None:
            if event["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(event)
                if "location" in headers:
                    headers["location"] = in_site(path, headers["location"])
            await send(event)

        requested = scope["path"]
        if requested.startswith(f"{path}/"):
            inner = {**scope, "path": requested[len(path) :], "raw_path": scope["raw_path"][len(path) :]}
            await app(cast(HTTPScope, inner), receive, send_below)
        elif requested in OF_HOST:
            await app(scope, receive, send_below)
        else:
            await _send_elsewhere(send, f"{path}/" if requested in ("/", path) else "")

    return cast(ASGIApp, serve)


async def _send_elsewhere(send: Send, address: str) -> None:
    """Redirect to an address, or say that there is none."""
    status = HTTPStatus.PERMANENT_REDIRECT if address else HTTPStatus.NOT_FOUND
    headers = [(b"location", address.encode()), (b"cache-control", b"no-store"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": status, "headers": headers[not address :]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
