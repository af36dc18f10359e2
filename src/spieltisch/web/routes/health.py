"""Whether the server is well, for who looks after it."""

from __future__ import annotations

from litestar import get

from spieltisch import __version__
from spieltisch.web.http.stream import Streams


@get("/health")
async def health(streams: Streams) -> dict[str, str | int]:
    """The version, and how many streams are open."""
    return {"version": __version__, "streams": len(streams)}


ROUTES = [health]
