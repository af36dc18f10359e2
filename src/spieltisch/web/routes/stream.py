"""The one stream of a browser: `/stream?watch=<topic>@<version>&watch=...&changes=yes`."""

from __future__ import annotations

from functools import partial
from typing import Final

from litestar import get
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.renderer import Renderer

MOST_TOPICS: Final = 32


@get("/stream")
async def stream(
    request: Request,
    live: Live,
    visitor: Visitor,
    fragments: Fragments,
    streams: Streams,
    rate_limits: RateLimits,
    pages: Renderer,
) -> Stream:
    """Whatever changes in what is watched. Plain shared bytes: a ServerSentEvent would be encoded anew for each
    client.
    """
    known: dict[str, int] = {}
    asked = QueryParams(request)
    for watch in asked.texts("watch")[:MOST_TOPICS]:
        topic, _, version = watch.rpartition("@")
        if not topic:
            raise PageRefusal(400, "watch", message("This request cannot be understood."))
        known[topic] = number("watch", version)
    address = address_of(request)
    rate_limits.stream(streams.count_of(address))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    pressed = _takes_gzip(request.headers.get("accept-encoding", ""))
    if pressed:
        headers["Content-Encoding"] = "gzip"
    here = live.presence.connected(visitor.person_id)
    shown, changes = partial(fragments.event, visitor=visitor), asked.text("changes") == "yes"
    sent = streams.open(
        known,
        shown,
        address,
        pressed=pressed,
        changes=changes,
        person=visitor.person_id,
        meanwhile=here,
        build=pages.build,
    )
    # Whose line is cut while something is being sent leaves the generator where it is: it must be closed by hand.
    closed = BackgroundTask(sent.aclose)
    return Stream(sent, media_type="text/event-stream", headers=headers, background=closed)


def _takes_gzip(accepted: str) -> bool:
    """Whether a browser reads gzip (RFC 9110, section 12.5.3).

    >>> _takes_gzip("gzip, deflate, br"), _takes_gzip("gzip;q=0, br"), _takes_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


ROUTES = [stream]
