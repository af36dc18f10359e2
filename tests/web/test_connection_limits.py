"""Check limits of connections before a request is parsed, by raw sockets against default settings."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import httpx
import pytest

from spieltisch.live.limits import DEFAULT
from spieltisch.web.http.connection_limits import MAX_HEADER_BYTES, MAX_HEADER_FIELDS, MAX_PIPELINED_REQUESTS, READ_SIZE
from tests.web.servers import SERVE_DEFAULT_LIMITS, Server
from tests.web.visitors import MANY_ADDRESSES, Visitor

SERVE_SHORT_TIMEOUTS = [
    sys.executable,
    "-c",
    "from spieltisch.web.http import connection_limits, stream;"
    "connection_limits.HEADER_SECONDS, connection_limits.BODY_SECONDS, stream.HEARTBEAT_SECONDS = 2.0, 3.0, 2.0;"
    "from spieltisch.cli import app; app()",
    *SERVE_DEFAULT_LIMITS[1:],
]
"""The command of a server with the limits that it has by itself, and less patience."""
GET = b"GET /health HTTP/1.1\r\nHost: here\r\n"
POST = b"POST /preferences HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-www-form-urlencoded\r\n"
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def default_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("plain"), command=SERVE_DEFAULT_LIMITS)
    yield server
    assert server.stop() == 0
    assert without_refusals(server) == server.quiet_log


@pytest.fixture(scope="module")
def short_timeout_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("hurried"), command=SERVE_SHORT_TIMEOUTS)
    yield server
    assert server.stop() == 0
    assert without_refusals(server) == server.quiet_log


def without_refusals(server: Server) -> str:
    """Return the log without the lines about refused requests."""
    return "".join(entry for entry in server.log.splitlines(keepends=True) if "a request was refused" not in entry)


def connect(server: Server, *, host: str = "127.0.0.1") -> socket.socket:
    """Connect to the server from this address of the machine."""
    port = int(server.address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(host, 0))


def receive_all(open_line: socket.socket) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):  # it hung up before it had read all
        while received_bytes := open_line.recv(65536):
            received += received_bytes
    return received


def status(open_line: socket.socket) -> int:
    """Return the status of a refusal, or 0 if the connection was cut before."""
    received_bytes = receive_all(open_line)
    return int(received_bytes.split()[1]) if received_bytes else 0


def send_until_blocked(open_line: socket.socket, piece: bytes, max_bytes: int) -> int:
    """Send a piece again and again until the server stops reading; return the number of bytes sent."""
    sent_count = 0
    with suppress(ConnectionResetError, BrokenPipeError):
        while sent_count < max_bytes:
            open_line.sendall(piece)
            sent_count += len(piece)
    return sent_count


def memory(server: Server) -> int:
    """Return the resident bytes of the server."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def check_health(server: Server) -> None:
    assert httpx.get(f"{server.address}/health", verify=False).status_code == 200


# --- Headers. ---


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_header_of_forty_megabytes_is_cut_off(default_server: Server) -> None:
    before = memory(default_server)
    with connect(default_server) as stranger:
        stranger.sendall(GET + b"X-Long: ")
        assert send_until_blocked(stranger, b"x" * MEGABYTE, 40 * MEGABYTE) < 40 * MEGABYTE
        assert status(stranger) in (0, 431)
    assert memory(default_server) - before < 8 * MEGABYTE
    check_health(default_server)


def test_endless_small_headers_are_cut_off(default_server: Server) -> None:
    with connect(default_server) as stranger:
        stranger.sendall(GET)
        assert send_until_blocked(stranger, b"X-A: b\r\n" * 8192, 60 * MEGABYTE) < 60 * MEGABYTE
        assert status(stranger) in (0, 431)
    check_health(default_server)


@pytest.mark.parametrize(
    ("request_bytes", "expected"),
    [
        (GET + b"X-Long: " + b"x" * (MAX_HEADER_BYTES - 100) + b"\r\nConnection: close\r\n\r\n", 200),
        (GET + b"X-Long: " + b"x" * (MAX_HEADER_BYTES + READ_SIZE), 431),
        (b"GET /" + b"x" * (MAX_HEADER_BYTES + READ_SIZE), 431),
        (GET + b"X-A: b\r\n" * (MAX_HEADER_FIELDS - 2) + b"Connection: close\r\n\r\n", 200),
        (GET + b"X-A: b\r\n" * (MAX_HEADER_FIELDS + 1), 431),
        (b"\r\n" * (MAX_HEADER_BYTES + READ_SIZE), 431),
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: here:-1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: here:65536\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: here:" + b"9" * 4400 + b"\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: [::1]:0\r\nConnection: close\r\n\r\n", 200),
        (b"CONNECT here:22 HTTP/1.1\r\nHost: here:22\r\n\r\n", 400),
        (b"GET http:///health HTTP/1.1\r\nHost: here\r\n\r\n", 400),
        (b"GET http://a:b@c:99999/ HTTP/1.1\r\nHost: here\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\n\r\n", 400),
        (b"GET /health HTTP/1.0\r\n\r\n", 200),
        (GET + b"Host: here\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n0\r\n\r\n", 403),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-After: y\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * (MAX_HEADER_BYTES + READ_SIZE), 400),
    ],
    ids=[
        *("long", "too long", "address", "many", "too many", "nothing", "nonsense", "port", "high port", "long port"),
        *("every port", "connect", "no authority", "bad authority", "no host", "no host in 1.0"),
        *("two hosts", "coding before chunked", "coding alone", "chunked", "after the body", "between parts"),
    ],
)
def test_requests_are_accepted_or_refused_by_their_headers(
    default_server: Server, request_bytes: bytes, expected: int
) -> None:
    with connect(default_server) as stranger:
        stranger.sendall(request_bytes)
        assert status(stranger) == expected


def test_pipelined_requests_are_limited(default_server: Server) -> None:
    last_request = GET + b"Connection: close\r\n\r\n"
    with connect(default_server) as stranger:
        stranger.sendall((GET + b"\r\n") * 4 + last_request)
        assert receive_all(stranger).count(b"HTTP/1.1 200 ") == 5
    with connect(default_server) as stranger:
        send_until_blocked(stranger, (GET + b"\r\n") * 1000 + last_request, 1)
        assert receive_all(stranger).count(b"HTTP/1.1 200 ") <= MAX_PIPELINED_REQUESTS + 1
    check_health(default_server)


def test_disconnecting_during_the_first_of_two_requests_leaves_no_error_and_no_stream(default_server: Server) -> None:
    """`default_server` fails the test if the log has errors, as it would after the next event of an open stream."""
    with connect(default_server) as stranger:
        stranger.sendall(b"GET /stream?watch=lobby@0 HTTP/1.1\r\nHost: here\r\n\r\n" + GET + b"\r\n")
        assert stranger.recv(100).startswith(b"HTTP/1.1 200 ")
    check_health(default_server)
    with Visitor(default_server) as ada:
        ada.table("me", "open", "open")
    while httpx.get(f"{default_server.address}/health", verify=False).json()["streams"]:
        pass


def test_a_form_of_100_kilobytes_in_small_pieces_is_accepted(default_server: Server) -> None:
    body = b"padding=" + b"x" * 50_000
    with connect(default_server) as visitor:
        visitor.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body))
        for start in range(0, len(body), 1000):
            visitor.sendall(body[start : start + 1000])
        assert visitor.recv(20).startswith(b"HTTP/1.1 403 ")  # read, and refused for want of an origin
    with Visitor(default_server) as ada:
        ada.table("me", "open", "open")
        text = ada.get("/games/paris-connection/components.toml").text
        assert ada.submit("/games/paris-connection/components", text=text + "\n" * 100_000).status_code == 303


def test_a_refusal_is_logged_once_a_minute_for_each_address_and_kind(own_server: Callable[..., Server]) -> None:
    server = own_server(command=SERVE_DEFAULT_LIMITS)
    for _ in range(20):
        for request_bytes in (
            b"CONNECT here:22 HTTP/1.1\r\n\r\n",
            POST + b"Transfer-Encoding: gzip\r\n\r\n",
            b"nonsense\r\n\r\n",
        ):
            with connect(server) as stranger:
                stranger.sendall(request_bytes)
                assert status(stranger) in (400, 501)
    assert server.stop() == 0
    assert server.log.count("a request was refused") == 2
    assert without_refusals(server) == server.quiet_log


METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"OPTIONS", b"CONNECT", b"PRI", b"get", b"M-SEARCH", b"", b"\x00", b"\xff")
TARGETS = (
    *(
        b"/",
        b"//",
        b"*",
        b"/health",
        b"/stream",
        b"/stream?watch=\xff@9",
        b"/?a=%00",
        b"/%ff",
        b"/%",
        b"/table/x",
        b"/../",
    ),
    *(
        b"/join/x",
        b"/\xc3\xa9",
        b"\xf0\x9f\x98\x80",
        b"here:22",
        b"http://",
        b"http:///x",
        b"http://here",
        b"?",
        b"#",
        b"",
    ),
    *(b"http://a:b@c:99999/", b"https://here/", b"/games/paris-connection", b"/x" * 9000),
)
VERSIONS = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/", b"")
FIELDS = (
    *(
        b"Host: here",
        b"Host:",
        b"Host: \xff",
        b"Host: [",
        b"Host: a, b",
        b"Cookie: session=\xff;=;",
        b"Cookie: =",
        b":",
    ),
    *(b"Content-Length: 0", b"Content-Length: 3", b"Content-Length: -1", b"Content-Length: " + b"9" * 30),
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: ,", b"Expect: 100-continue", b"Connection: close, upgrade"),
    *(
        b"Connection: upgrade",
        b"Upgrade: websocket",
        b"Upgrade: h2c",
        b"HTTP2-Settings: x",
        b"Sec-WebSocket-Version: 13",
    ),
    *(b"Accept: \xff", b"Accept: */*;q=x", b"Accept-Language: \xff,;q=", b"Accept-Encoding: gzip;q=", b"Origin: null"),
    *(b"Content-Type: multipart/form-data", b"Content-Type: application/x-www-form-urlencoded", b"Range: bytes=9-1"),
    *(
        b"Hx-Request: \xff",
        b"If-None-Match: \xff",
        b"X: " + b"x" * 40_000,
        b" folded",
        b"Content-Type: \xff;=;boundary",
    ),
)
BODIES = (b"", b"a=b", b"a=%", b"token=\xff", b"3\r\na=b\r\n0\r\n\r\n", b"fffffffffffffffff\r\n")
BREAKS = (b"\r\n", b"\n", b"\r", b"\r\n\r\n", b" ", b"\t", b"\x00")
"""Parts of requests, right and wrong, of which the next test makes requests."""


def odd_request(random: Random) -> bytes:
    """Return a request of these parts, sometimes damaged, or the parts in any order."""
    parts = METHODS + TARGETS + VERSIONS + FIELDS + BODIES + BREAKS
    if random.random() < 0.2:
        return b"".join(random.choices(parts, k=random.randint(1, 12)))
    version = b"HTTP/1.1" if random.random() < 0.8 else random.choice(VERSIONS)
    fields = [b"Host: here"] * (random.random() < 0.8) + random.choices(FIELDS, k=random.randint(0, 2))
    method, target = (
        random.choice((b"GET", b"POST", random.choice(METHODS))),
        random.choice((b"/", random.choice(TARGETS))),
    )
    first = b" ".join((method, target, version))
    request = b"\r\n".join((first, *fields, b"", random.choice((b"", b"", random.choice(BODIES)))))
    if random.random() < 0.2:
        cut_index = random.randrange(len(request))
        request = request[:cut_index] + random.choice(parts) + request[cut_index + random.randint(0, 3) :]
    return request


@MANY_ADDRESSES
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(3, 30))])
def test_malformed_requests_leave_no_traceback_in_the_log(default_server: Server, seed: int) -> None:
    """`default_server` fails the test if the log has lines about anything but refusals."""
    random = Random(seed)
    for _ in range(100):
        with connect(default_server, host=f"127.0.1.{1 + seed}") as stranger, suppress(OSError):
            stranger.sendall(odd_request(random))
            stranger.shutdown(socket.SHUT_WR)
            receive_all(stranger)
    check_health(default_server)


# --- Time. ---


def test_incomplete_requests_are_cut_off(short_timeout_server: Server) -> None:
    """A client that has sent at least one byte gets a response before its connection is cut."""
    form = POST + b"Origin: http://here\r\n"
    half_requests = {
        "nothing": b"",
        "line ends": b"\r\n\r\n",
        "header": GET,
        "second header": GET + b"\r\n" + GET,
        "body": form + b"Content-Length: 10\r\n\r\nx",
        "parts": form + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
    }
    with ExitStack() as stack:
        lines = {name: stack.enter_context(connect(short_timeout_server)) for name in half_requests}
        for name, half_request in half_requests.items():
            lines[name].sendall(half_request)
        responses = {name: receive_all(open_line) for name, open_line in lines.items()}
    assert responses.pop("nothing") == b""
    assert responses.pop("second header").startswith(b"HTTP/1.1 200 ")
    for name, answer in responses.items():
        assert answer.startswith(b"HTTP/1.1 408 "), (name, answer)
    check_health(short_timeout_server)


def test_slow_headers_are_cut_off(short_timeout_server: Server) -> None:
    with connect(short_timeout_server) as stranger:
        stranger.sendall(GET + b"X-Slow: ")
        stranger.settimeout(0.25)
        received_bytes = b""
        for _ in range(120):
            try:
                received_bytes = stranger.recv(100)
                break
            except TimeoutError:
                stranger.sendall(b"x")
    assert received_bytes.startswith(b"HTTP/1.1 408 ")


def test_a_stream_stays_open_longer_than_a_header_may_take(short_timeout_server: Server) -> None:
    with Visitor(short_timeout_server) as ada:
        table = ada.table("me", "open", "open").rpartition("/")[2]
        with ada.stream("GET", "/stream", params={"watch": f"{table}@2"}) as answer:
            beats = (received_line for received_line in answer.iter_lines() if received_line == "event: heartbeat")
            assert [next(beats), next(beats)] == ["event: heartbeat"] * 2


# --- Connections. ---


@pytest.fixture
def open_connections() -> Iterator[Callable[..., list[socket.socket]]]:
    with ExitStack() as stack:
        yield lambda server, count, **connect_options: [
            stack.enter_context(connect(server, **connect_options)) for _ in range(count)
        ]


def ask(open_line: socket.socket) -> int:
    with suppress(BrokenPipeError, ConnectionResetError):
        open_line.sendall(GET + b"Connection: close\r\n\r\n")
    return status(open_line)


@MANY_ADDRESSES
def test_one_address_cannot_take_all_connections(
    default_server: Server, open_connections: Callable[..., list[socket.socket]]
) -> None:
    local_address = "127.0.0.3"
    open_lines = open_connections(default_server, DEFAULT.connections_per_address, host=local_address)
    for late_connection in open_connections(default_server, 50, host=local_address):
        assert ask(late_connection) in (0, 429)
    with connect(default_server, host="127.0.0.2") as neighbour:
        assert ask(neighbour) == 200
    open_lines.pop().close()
    answers = set()
    while 200 not in answers:  # as soon as the server knows that one has gone
        with connect(default_server, host=local_address) as second_connection:
            answers.add(ask(second_connection))
    assert answers <= {0, 200, 429}


def test_connections_through_a_proxy_have_only_a_total_limit(
    own_server: Callable[..., Server], open_connections: Callable[..., list[socket.socket]]
) -> None:
    limits = ("--limit", "connections_per_address=2", "--limit", "total_connections=20")
    server = own_server(*limits, "--public-url", "https://table.example", command=SERVE_DEFAULT_LIMITS)
    open_lines = open_connections(server, 20)
    with connect(server) as late_connection:
        assert ask(late_connection) in (0, 503)
    assert [ask(visitor) for visitor in open_lines] == [200] * 20
