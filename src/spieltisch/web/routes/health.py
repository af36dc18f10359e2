"""Health and readiness of the server, for monitoring."""

from typing import Any

from litestar import Response, get

from spieltisch import __version__
from spieltisch.commit import commit
from spieltisch.web.http.requests import Request


@get("/health")
async def health(request: Request) -> Response[dict[str, Any]]:
    """Return the version, its commit, the number of open streams, and the fault, if any.

    The store has been written and read at most a second ago; if that failed, the status is 503, and `fault` is the code
    of the reason (see `Health.problem_code`).
    """
    fault = await request.live.health.problem_code()
    body = {"version": __version__, "commit": commit(), "streams": len(request.streams), "fault": fault}
    return Response(body, status_code=503 if fault else 200)


@get("/ready")
async def ready(request: Request) -> Response[dict[str, Any]]:
    """Return 200 if the store is well, no table must be replayed because of new rules, and the server does not stop.

    Else 503; `why` is "starting", "stopping", or the fault of the store as in `health`.
    """
    if request.streams.have_ended:
        why = "stopping"
    else:
        why = await request.live.health.problem_code() if request.live.tables.replaying.done() else "starting"
    return Response({"ready": not why, "why": why}, status_code=503 if why else 200)
