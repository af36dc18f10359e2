"""Whether the server is well, and whether it is ready, for who looks after it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from spieltisch import __version__
from spieltisch.live import Live
from spieltisch.web.http.stream import Streams


@get("/health")
async def health(live: Live, streams: Streams) -> Response[dict[str, Any]]:
    """The version, and how many streams are open. The store was written to and read, at most a second ago; when it
    could not be, the status is 503, and `fault` says why in a word (see `Health.fault`).
    """
    fault = await live.health.problem_code()
    said = {"version": __version__, "streams": len(streams), "fault": fault}
    return Response(said, status_code=503 if fault else 200)


@get("/ready")
async def ready(live: Live, streams: Streams) -> Response[dict[str, Any]]:
    """Whether every table that is not over was loaded, and the server is not stopping; until then 503."""
    why = "stopping" if streams.ended else "" if live.tables.replaying.done() else "starting"
    return Response({"ready": not why, "why": why}, status_code=503 if why else 200)


ROUTES = [health, ready]
