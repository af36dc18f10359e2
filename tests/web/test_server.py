"""Check the server as a process: its start, its address, and its end."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore

import httpx
import pytest
import uvicorn
from litestar.types import Receive, Scope, Send

from spieltisch.commit import version_text
from spieltisch.web import server as web_server
from spieltisch.web.http.file_descriptors import Descriptors
from spieltisch.web.http.stream import Streams
from tests.web.servers import PUBLIC, SERVE, Server, ServerEnded
from tests.web.visitors import Visitor

Start = Callable[..., Server]
SIGNALLED = [
    sys.executable,
    "-c",
    "import os, signal; from spieltisch.web import server; create_app = server.create_app\n"
    "def signalled(*args, **kwargs):\n"
    "    os.kill(os.getpid(), signal.SIGTERM)\n"
    "    return create_app(*args, **kwargs)\n"
    "server.create_app = signalled; from spieltisch.cli import app; app()",
    *SERVE[1:],
]
"""The command of a server that is told to stop before it listens to requests."""


def follow(address: str, topic: str, arrived: Semaphore) -> list[str]:
    """Return all lines of a stream until its end; release `arrived` after the first state."""
    lines = []
    with (
        httpx.Client(timeout=30, verify=False) as client,
        client.stream("GET", f"{address}/stream", params={"watch": f"{topic}@0"}) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        for line in answer.iter_lines():
            lines.append(line)
            if line == "event: state":
                arrived.release()
    return lines


def test_the_server_stops_at_once_with_three_streams_open_and_a_clean_log(own_server: Start) -> None:
    """If the server waited for its streams to end, it would log the wait."""
    server = own_server(forked=False)
    with Visitor(server) as ada, ThreadPoolExecutor(3) as readers:
        path = ada.table("me", "open", "open")
        table = path.rpartition("/")[2]
        arrived = Semaphore(0)
        streams = [readers.submit(follow, server.address, topic, arrived) for topic in (table, table, "lobby")]
        for _ in streams:
            assert arrived.acquire(timeout=30)
        assert httpx.get(f"{server.address}/health", verify=False).json()["streams"] == 3
        code = server.stop()
        lines = [stream.result() for stream in streams]
    assert code == 0
    assert f"id: {table}@2" in lines[0]
    assert lines[0] == lines[1]
    assert "event: state" in lines[2]
    assert server.log == server.quiet_log


def test_the_server_can_be_stopped_while_it_starts(own_server: Start) -> None:
    server = own_server(command=SIGNALLED)
    assert server.process.wait(timeout=60) == 0
    assert server.stop() == 0
    assert server.log.endswith("Spieltisch has stopped.\n")


def test_a_visitor_who_does_not_read_their_stream_delays_no_other_visitor(caplog: pytest.LogCaptureFixture) -> None:
    """The server must keep the events that such a visitor, like a sleeping phone, has not read."""

    async def main() -> None:
        is_full = asyncio.Event()

        async def flood(scope: Scope, receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while not server.should_exit:
                sending = asyncio.ensure_future(
                    send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})
                )
                if not (await asyncio.wait([sending], timeout=0.5))[0]:
                    is_full.set()
                await sending

        config = uvicorn.Config(flood, lifespan="off", log_config=None, timeout_graceful_shutdown=600)
        server = web_server.Server(config, Streams(), Descriptors())
        with socket.create_server(("127.0.0.1", 0)) as listening:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            with socket.create_connection(listening.getsockname()) as asleep:
                asleep.sendall(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n")
                await is_full.wait()
                server.should_exit = True
                await asyncio.wait_for(serving, 60)  # of the ten minutes that it may wait

    asyncio.run(main())
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_second_server_on_the_same_data_is_refused(server: Server) -> None:
    with pytest.raises(ServerEnded, match="is using"):
        Server(server.data)
    assert httpx.get(f"{server.address}/", verify=False).status_code == 200


def test_a_port_in_use_is_named_in_the_error(own_server: Start) -> None:
    with socket.socket() as taken_socket:
        taken_socket.bind(("127.0.0.1", 0))
        taken_socket.listen()
        port = taken_socket.getsockname()[1]
        with pytest.raises(ServerEnded, match="in use"):
            own_server("--port", str(port))


def test_behind_https_cookies_are_secure_and_bound_to_the_host(proxied_server: Server) -> None:
    assert f"Spieltisch {version_text()} is at {PUBLIC}" in proxied_server.log
    with Visitor(proxied_server, Origin=PUBLIC) as ada:
        cookie = ada.get("/").headers["set-cookie"]
        assert cookie.startswith("__Host-session=")
        assert {part.strip().lower() for part in cookie.split(";")[1:]} >= {
            "secure",
            "httponly",
            "samesite=lax",
            "path=/",
        }
        key = cookie.partition("=")[2].partition(";")[0]
        ada.headers["Cookie"] = f"__Host-session={key}"
        seats = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
        answer = ada.submit("/new/paris-connection", name="Ada", **seats)
        assert answer.status_code == 303
        fields = {"token": ada.token(), "name": "Ada", **seats}
        answer = ada.post("/new/paris-connection", data=fields, headers={"Origin": proxied_server.address})
        assert answer.status_code == 403


def test_over_http_the_session_cookie_is_not_secure_but_http_only(ada: Visitor) -> None:
    cookie = ada.get("/").headers["set-cookie"]
    assert cookie.startswith("session=")
    assert "secure" not in cookie.lower()
    assert "httponly" in cookie.lower()


def test_strict_transport_security_is_sent_only_over_https(server: Server, proxied_server: Server) -> None:
    header, proxied = "strict-transport-security", {"X-Forwarded-Proto": "https"}
    for path in ("/", "/nowhere", "/static/0/nothing", "/health"):
        by_http, by_https = (
            httpx.get(proxied_server.address + path, headers=headers, verify=False).headers for headers in ({}, proxied)
        )
        assert by_https[header] == "max-age=31536000"
        assert header not in by_http
    answer = httpx.get(server.address, headers=proxied, verify=False)
    assert header not in answer.headers, "nobody's word is taken for it"
