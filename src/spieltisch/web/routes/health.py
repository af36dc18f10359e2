"""Whether the server is well, for who looks after it."""

from __future__ import annotations

from typing import cast

from litestar import get

from spieltisch import __version__
from spieltisch.web.answers import Asked
from spieltisch.web.stream import Streams


@get("/health")
async def health(request: Asked) -> dict[str, str | int]:
    """The version, and how many streams are open."""
    return {"version": __version__, "streams": len(cast(Streams, request.app.state.streams))}


ROUTES = [health]
