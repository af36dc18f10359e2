"""The single stream of a browser: `/stream?watch=<topic>@<version>&watch=...&changes=yes`.

Where something between server and browser holds the stream back, the browser asks for `/changes?watch=...` instead.
"""

import asyncio
from collections import Counter
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from litestar import Response, get
from litestar.response import Stream

from spieltisch.core.words import message
from spieltisch.web.http.content_encoding import accepts_gzip
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import stream_response
from spieltisch.web.http.sessions import refresh_visitor
from spieltisch.web.http.stream import topic_subject

MAX_TOPICS: Final = 48
MAX_TOPICS_OF_SUBJECT: Final = 8
"""Topics about the same table: more than there are players on a device, and no more, for each may be rendered alone."""


@get("/stream")
async def stream(request: Request) -> Stream:
    """Stream the changes of the watched topics.

    It sends shared bytes: a ServerSentEvent would be encoded again for each client.
    """
    params = QueryParams(request)
    known = _known_versions(params)
    address = address_of(request)
    request.rate_limits.stream(request.streams.count_of(address))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    is_gzipped = accepts_gzip(request.headers.get("accept-encoding", ""))
    if is_gzipped:
        headers["Content-Encoding"] = "gzip"
    connected = request.live.presence.connected(request.visitor.person_id, request.live.quotas.unnamed_at(address))

    async def has_session() -> bool:
        person_id = (await refresh_visitor(request.visitor, request.live.people)).person_id
        return person_id == request.visitor.person_id and not request.parts.is_banned(person_id, address)

    fragment, changes = partial(request.fragments.event, visitor=request.visitor), params.text("changes") == "yes"
    stream_bytes = request.streams.open(
        known,
        fragment,
        address,
        pressed=is_gzipped,
        changes=changes,
        person=request.visitor.person_id,
        while_open=connected,
        build=request.pages.build,
        is_allowed=has_session,
    )
    return stream_response(stream_bytes, headers)


@get("/changes")
async def changes(request: Request) -> Response[Any]:
    """Return the watched topics of which there is a newer version; 204 if there are none."""
    states = []
    for topic, version in _known_versions(QueryParams(request)).items():
        state = await request.fragments.event(topic, version, request.visitor)
        if state is not None and state[0] > version:
            states.append({"topic": topic, "version": state[0], "html": state[1].html})
        await asyncio.sleep(0)  # each topic may have been rendered for this request
    return Response(
        states or None,
        status_code=200 if states else 204,
        media_type="application/json",
        headers={
            "Cache-Control": "no-store",
            "Build": request.pages.build,
            "Unsaved": "yes" if request.streams.is_unsaved else "no",
            "Announcement": quote(request.streams.announcement),
        },
    )


def _known_versions(params: QueryParams) -> dict[str, int]:
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
