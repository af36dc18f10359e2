"""Health and readiness of the server, for monitoring."""

from typing import Any

from litestar import Response, get

from spieltisch import __version__
from spieltisch.live import Live
from spieltisch.web.http.stream import Streams


@get("/health")
async def health(live: Live, streams: Streams) -> Response[dict[str, Any]]:
    """Return the version, the number of open streams, and the fault, if any.

    The store has been written and read at most a second ago; if that failed, the status is 503, and `fault` is the code
    of the reason (see `Health.problem_code`).
    """
    fault = await live.health.problem_code()
    body = {"version": __version__, "streams": len(streams), "fault": fault}
    return Response(body, status_code=503 if fault else 200)


@get("/ready")
async def ready(live: Live, streams: Streams) -> Response[dict[str, Any]]:
    """Return 200 if the store is well, no table must be replayed because of new rules, and the server does not stop.

    Else 503; `why` is "starting", "stopping", or the fault of the store as in `health`.
    """
    if streams.have_ended:
        why = "stopping"
    else:
        why = await live.health.problem_code() if live.tables.replaying.done() else "starting"
    return Response({"ready": not why, "why": why}, status_code=503 if why else 200)
