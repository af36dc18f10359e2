"""What a connection may cost before a request of it is seen: how many there are, how long a header is and takes.

The parser below (httptools) keeps a header field until it is whole, however long that is, and the server waits for the
rest of a request for ever. Both are bounded here, on the bytes as they arrive.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from spieltisch.live.limits import Limits
from spieltisch.web.http.file_descriptors import Descriptors
from spieltisch.web.http.rate_limits import network_of

HEADER_BYTES: Final = 32 * 1024
"""Of a request's line and header fields together; also of what frames a body, between two parts of it."""
MAX_HEADER_FIELDS: Final = 100
"""Header fields of a request."""
HEADER_SECONDS: Final = 10.0
"""From the first byte of a request (of a new connection: from its beginning) to the end of its header."""
BODY_SECONDS: Final = 30.0
"""From the end of the header to the end of the body."""
PIPELINED: Final = 16
"""Requests sent after one that has no response yet."""
READ_SIZE: Final = 16 * 1024
"""Bytes that are read before all of this is checked again."""
_HOST: Final = re.compile(rb"(?:\[[^\]]*\]|[^:]*)(?::([0-9]{0,5}))?")
MOST_PORT: Final = 65535


class ConnectionLimits:
    """How many connections are open, in all and from each address; 0 in `limits` is no bound.

    A proxy brings other people's requests: its connections are bounded with all others only.

    >>> limits = Limits(connections_per_address=1, total_connections=3)
    >>> door = ConnectionLimits(limits, is_proxy=lambda host: host == "127.0.0.1")
    >>> [door.acquire(host) for host in ("192.0.2.1", "192.0.2.1", "127.0.0.1", "127.0.0.1")]
    [None, <HTTPStatus.TOO_MANY_REQUESTS: 429>, None, <HTTPStatus.SERVICE_UNAVAILABLE: 503>]
    """

    def __init__(self, limits: Limits, is_proxy: Callable[[str], bool]) -> None:
        self._each = limits.connections_per_address
        self._most = limits.total_connections
        self._is_proxy = is_proxy
        self._open: Counter[str] = Counter()
        self._count = 0

    def acquire(self, host: str) -> HTTPStatus | None:
        """One more connection from this host; why not, when it may not stay. It counts until it leaves."""
        address = network_of(host)
        self._count += 1
        self._open[address] += 1
        if self._most and self._count > self._most:
            return HTTPStatus.SERVICE_UNAVAILABLE
        if self._each and self._open[address] > self._each and not self._is_proxy(host):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    def release(self, host: str) -> None:
        address = network_of(host)
        self._count -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def protocol_class(door: ConnectionLimits, descriptors: Descriptors) -> type[asyncio.Protocol]:
    """The protocol of connections that come through this door, as uvicorn takes one."""
    return type("Connection", (_Connection,), {"door": door, "descriptors": descriptors})


class _Refused(Exception):
    """Raised in a callback of the parser, which ends the parsing."""


class _Connection(HttpToolsProtocol):
    door: ClassVar[ConnectionLimits]
    descriptors: ClassVar[Descriptors]

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self._seen = 0  # bytes that have become neither a header nor a part of a body
        self._fields = 0
        self._in_request = False
        self._in_body = False
        self._why = HTTPStatus.BAD_REQUEST
        self._deadline: asyncio.TimerHandle | None = None
        self._answered: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        if refused := self.door.acquire(self._host):
            self._refuse(refused)
        else:
            self._await(HEADER_SECONDS)
        self.descriptors.look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._nobody_listens()
        self.door.release(self._host)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        for start in range(0, len(data), READ_SIZE):
            part = data[start : start + READ_SIZE]
            self._seen += len(part)
            try:
                self.parser.feed_data(part)
            except httptools.HttpParserUpgrade:  # to what nobody speaks here; the request itself has been taken
                return
            except httptools.HttpParserError:
                self._refuse(self._why)
                return
            if self._seen > HEADER_BYTES:
                too_long = HTTPStatus.BAD_REQUEST if self._in_body else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                self._refuse(too_long)
                return
        if self._deadline is None and (self._in_request or self._idle):
            self._await(BODY_SECONDS if self._in_body else HEADER_SECONDS)

    def on_message_begin(self) -> None:
        self._in_request, self._fields = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        if self._in_body or self._fields > MAX_HEADER_FIELDS:  # fields after a body have no use here
            self._why = HTTPStatus.BAD_REQUEST if self._in_body else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refused
        if name.lower() == b"host" and not _is_valid_host(value):
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._seen, self._in_body = 0, True
        self._stop_waiting()
        if len(self.pipeline) >= PIPELINED:
            self._why = HTTPStatus.TOO_MANY_REQUESTS
            raise _Refused
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._seen = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._seen, self._in_body, self._in_request = 0, False, False
        self._stop_waiting()
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _nobody_listens(self) -> None:
        """What is being answered now is told: uvicorn tells only the request that came last, and a response to the
        others would fail on a line that is closed, with a long trace in the log.
        """
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()

    @property
    def _idle(self) -> bool:
        return self.cycle is None or (self.cycle.response_complete and not self.pipeline)

    def _await(self, seconds: float) -> None:
        """The rest of the header or of the body, for so long."""
        self._deadline = self.loop.call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Say so, unless a response is under way, and close. A line that has asked nothing is closed without a word:
        browsers open some ahead, and would take it for the response to what they ask next.
        """
        self._stop_waiting()
        if self.transport.is_closing():
            return
        untouched = status is HTTPStatus.REQUEST_TIMEOUT and not self._in_request and not self._seen
        waits_for_body = self._in_body and not self.pipeline and not self.cycle.response_started
        if waits_for_body or (self._idle and not untouched):
            said = status.phrase.encode()
            length = str(len(said)).encode()
            self.transport.write(
                b"HTTP/1.1 %d %s\r\ncontent-type: text/plain\r\ncontent-length: %s\r\nconnection: close\r\n\r\n%s"
                % (status.value, said, length, said)
            )
        self._nobody_listens()
        self.transport.close()


def _is_valid_host(host: bytes) -> bool:
    """Whether this can be a `Host`: of one whose port is no number, the application could not even say so.

    >>> [_is_valid_host(host) for host in (b"here:80", b"[::1]:80", b"here", b"here:+1", b"here:99999")]
    [True, True, True, False, False]
    """
    found = _HOST.fullmatch(host)
    return found is not None and int(found[1] or 0) <= MOST_PORT
