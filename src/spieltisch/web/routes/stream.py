"""The single stream of a browser: `/stream?watch=<topic>@<version>&watch=...&changes=yes`.

Where something between server and browser holds the stream back, the browser asks for `/changes?watch=...` instead.
"""

from collections import Counter
from functools import partial
from typing import Any, Final

from litestar import Response, get
from litestar.response import Stream

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.sessions import Visitor, refresh_visitor
from spieltisch.web.http.stream import Streams, stream_response, topic_subject
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.renderer import Renderer

MAX_TOPICS: Final = 48
MAX_TOPICS_OF_SUBJECT: Final = 8
"""Topics about the same table: more than there are players on a device, and no more, for each may be rendered alone."""


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
    """Stream the changes of the watched topics.

    It sends shared bytes: a ServerSentEvent would be encoded again for each client.
    """
    params = QueryParams(request)
    known = _known(params)
    address = address_of(request)
    rate_limits.stream(streams.count_of(address))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    is_gzipped = _accepts_gzip(request.headers.get("accept-encoding", ""))
    if is_gzipped:
        headers["Content-Encoding"] = "gzip"
    connected = live.presence.connected(visitor.person_id)

    async def has_session() -> bool:
        return (await refresh_visitor(visitor, live.people)).person_id == visitor.person_id

    fragment, changes = partial(fragments.event, visitor=visitor), params.text("changes") == "yes"
    stream_bytes = streams.open(
        known,
        fragment,
        address,
        pressed=is_gzipped,
        changes=changes,
        person=visitor.person_id,
        while_open=connected,
        build=pages.build,
        is_allowed=has_session,
    )
    return stream_response(stream_bytes, headers)


@get("/changes")
async def changes(
    request: Request, visitor: Visitor, fragments: Fragments, streams: Streams, pages: Renderer
) -> Response[Any]:
    """Return the watched topics of which there is a newer version; 204 if there are none."""
    states = []
    for topic, version in _known(QueryParams(request)).items():
        state = await fragments.event(topic, version, visitor)
        if state is not None and state[0] > version:
            states.append({"topic": topic, "version": state[0], "html": state[1].html})
    return Response(
        states or None,
        status_code=200 if states else 204,
        media_type="application/json",
        headers={"Cache-Control": "no-store", "Build": pages.build, "Unsaved": "yes" if streams.is_unsaved else "no"},
    )


def _known(params: QueryParams) -> dict[str, int]:
    """Return the watched topics, each with the version that the browser has."""
    known: dict[str, int] = {}
    subjects: Counter[str] = Counter()
    for watch in params.texts("watch")[:MAX_TOPICS]:
        topic, _, version = watch.rpartition("@")
        if not topic:
            raise PageRefusal(400, "watch", message("Invalid request. Reload the page and try again."))
        subject, seen = topic_subject(topic), number("watch", version)
        if topic in known or subjects[subject] < MAX_TOPICS_OF_SUBJECT:
            subjects[subject] += topic not in known
            known[topic] = seen
    return known


def _accepts_gzip(accepted: str) -> bool:
    """Return True if a browser accepts gzip (RFC 9110, section 12.5.3).

    >>> _accepts_gzip("gzip, deflate, br"), _accepts_gzip("gzip;q=0, br"), _accepts_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
