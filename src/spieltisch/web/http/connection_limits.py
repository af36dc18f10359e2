"""Limits that apply before a request is parsed: number of connections, size of the header, time to send it.

The parser (httptools) buffers a header field of any length until it is complete, and the server waits indefinitely for
the rest of a request. Both are bounded here, on the bytes as they arrive.
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, Final

import httptools
import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from spieltisch.live.limits import Limits
from spieltisch.live.log_limit import LogLimit
from spieltisch.web.http.file_descriptors import Descriptors
from spieltisch.web.http.rate_limits import network_of

MAX_HEADER_BYTES: Final = 32 * 1024
"""Maximum size of request line and header fields; also of the framing between two parts of a body."""
MAX_HEADER_FIELDS: Final = 100
"""Maximum number of header fields of a request."""
HEADER_SECONDS: Final = 10.0
"""Seconds from the first byte of a request (of a new connection: from its start) to the end of its header."""
BODY_SECONDS: Final = 30.0
"""Seconds from the end of the header to the end of the body."""
MAX_PIPELINED_REQUESTS: Final = 16
"""Maximum number of requests sent after one that has no response yet."""
READ_SIZE: Final = 16 * 1024
"""Bytes read before the limits are checked again."""
_HOST: Final = re.compile(rb"(?:\[[^\]]*\]|[^:]*)(?::([0-9]{0,5}))?")
MAX_PORT: Final = 65535

_logger = structlog.get_logger("spieltisch.web")


class ConnectionLimits:
    """Counts open connections, in total and for each address; 0 in `limits` means no limit.

    Each of several `processes` allows its share. Connections of a proxy carry other people's requests, so they count
    only towards the total.

    >>> limits = Limits(connections_per_address=1, total_connections=3)
    >>> counter = ConnectionLimits(limits, is_proxy=lambda host: host == "127.0.0.1")
    >>> [counter.acquire(host) for host in ("192.0.2.1", "192.0.2.1", "127.0.0.1", "127.0.0.1")]
    [None, <HTTPStatus.TOO_MANY_REQUESTS: 429>, None, <HTTPStatus.SERVICE_UNAVAILABLE: 503>]
    """

    def __init__(
        self, limits: Limits, is_proxy: Callable[[str], bool], processes: Callable[[], int] = lambda: 1
    ) -> None:
        self._max_per_address = limits.connections_per_address
        self._max_total = limits.total_connections
        self._is_proxy = is_proxy
        self._processes = processes
        self._open: Counter[str] = Counter()
        self._count = 0

    def acquire(self, host: str) -> HTTPStatus | None:
        """Count a connection from this host; return the status with which to refuse it, None to accept it.

        A refused connection also counts until `release`.
        """
        address = network_of(host)
        self._count += 1
        self._open[address] += 1
        if self._max_total and self._count > self._share(self._max_total):
            return HTTPStatus.SERVICE_UNAVAILABLE
        if (
            self._max_per_address
            and self._open[address] > self._share(self._max_per_address)
            and not self._is_proxy(host)
        ):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    def _share(self, maximum: int) -> int:
        return math.ceil(maximum / self._processes())

    def release(self, host: str) -> None:
        """Stop counting a connection from this host."""
        address = network_of(host)
        self._count -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def protocol_class(limits: ConnectionLimits, descriptors: Descriptors) -> type[asyncio.Protocol]:
    """Return the protocol class for uvicorn whose connections are counted by these limits."""
    shared = {"limits": limits, "descriptors": descriptors, "log_limit": LogLimit()}
    return type("Connection", (_Connection,), shared)


class _Refused(Exception):
    """Raised in a callback of the parser, which ends the parsing."""


class _Connection(HttpToolsProtocol):
    """A connection of uvicorn with limits on headers, bodies and time."""

    limits: ClassVar[ConnectionLimits]
    descriptors: ClassVar[Descriptors]
    log_limit: ClassVar[LogLimit]

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self._pending = 0  # bytes received that are not yet part of a complete header or of a body
        self._fields = 0
        self._has_host = False
        self._in_request = False
        self._in_body = False
        self._parse_status = HTTPStatus.BAD_REQUEST
        self._deadline: asyncio.TimerHandle | None = None
        self._cycle: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        if status := self.limits.acquire(self._host):
            self._refuse(status)
        else:
            self._set_deadline(HEADER_SECONDS)
        self.descriptors.look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        self._notify_disconnected()
        self.limits.release(self._host)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        for start in range(0, len(data), READ_SIZE):
            part = data[start : start + READ_SIZE]
            self._pending += len(part)
            try:
                self.parser.feed_data(part)
            except httptools.HttpParserUpgrade:  # to an unsupported protocol; the request itself was parsed
                return
            except httptools.HttpParserError:
                self._refuse(self._parse_status)
                return
            if self._pending > MAX_HEADER_BYTES:
                status = HTTPStatus.BAD_REQUEST if self._in_body else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                self._refuse(status)
                return
        if self._deadline is None and (self._in_request or self._is_idle):
            self._set_deadline(BODY_SECONDS if self._in_body else HEADER_SECONDS)

    def on_message_begin(self) -> None:
        self._in_request, self._fields, self._has_host = True, 0, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        if self._in_body or self._fields > MAX_HEADER_FIELDS:  # trailers are not supported
            self._parse_status = HTTPStatus.BAD_REQUEST if self._in_body else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refused
        if name.lower() == b"host":
            if self._has_host or not _is_valid_host(value):
                raise _Refused
            self._has_host = True
        if name.lower() == b"transfer-encoding" and value.strip().lower() != b"chunked":
            self._parse_status = HTTPStatus.NOT_IMPLEMENTED
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._pending = 0
        self._cancel_deadline()
        if not self._has_host and self.parser.get_http_version() == "1.1":
            raise _Refused
        if len(self.pipeline) >= MAX_PIPELINED_REQUESTS:
            self._parse_status = HTTPStatus.TOO_MANY_REQUESTS
            raise _Refused
        super().on_headers_complete()  # fails for a target without a path
        self._in_body = True

    def on_body(self, body: bytes) -> None:
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._pending, self._in_body, self._in_request = 0, False, False
        self._cancel_deadline()
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._cycle = cycle
        super()._start_asgi_task(cycle, app)

    def _notify_disconnected(self) -> None:
        """Notify the request that is being processed that the client has disconnected.

        uvicorn notifies only the last request. Responses to earlier ones would fail on a closed connection, with a long
        traceback in the log.
        """
        if self._cycle is not None and not self._cycle.response_complete:
            self._cycle.disconnected = True
            self._cycle.message_event.set()

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or (self.cycle.response_complete and not self.pipeline)

    def _set_deadline(self, seconds: float) -> None:
        """Refuse the request if the rest of its header or body takes longer than this."""
        self._deadline = self.loop.call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Send the status, unless a response has begun, log it, and close the connection.

        A connection without any request is closed silently: browsers open some in advance and would read the status as
        the response to their next request.
        """
        self._cancel_deadline()
        if self.transport.is_closing():
            return
        is_unused = status is HTTPStatus.REQUEST_TIMEOUT and not self._in_request and not self._pending
        if not is_unused and self.log_limit.allows(f"{status} {network_of(self._host)}"):
            _logger.warning("a request was refused", address=self._host, status=int(status), why=status.phrase)
        is_awaiting_body = self._in_body and not self.pipeline and not self.cycle.response_started
        if is_awaiting_body or (self._is_idle and not is_unused):
            body = status.phrase.encode()
            length = str(len(body)).encode()
            self.transport.write(
                b"HTTP/1.1 %d %s\r\ncontent-type: text/plain\r\ncontent-length: %s\r\nconnection: close\r\n\r\n%s"
                % (status.value, body, length, body)
            )
        self._notify_disconnected()
        self.transport.close()


def _is_valid_host(host: bytes) -> bool:
    """Return True if this is a valid `Host`.

    For one whose port is not a number the application could not even send an error page.

    >>> [_is_valid_host(host) for host in (b"here:80", b"[::1]:80", b"here", b"here:+1", b"here:99999")]
    [True, True, True, False, False]
    """
    match = _HOST.fullmatch(host)
    return match is not None and int(match[1] or 0) <= MAX_PORT
