"""The server as a process: its start, its address, its clean end."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore

import httpx
import pytest
import uvicorn
from litestar.types import Receive, Scope, Send

from spieltisch.web import server as web_server
from spieltisch.web.http.file_descriptors import Descriptors
from spieltisch.web.http.stream import Streams
from tests.web.conftest import Server, ServerEnded, Visitor

Start = Callable[..., Server]


def follow(address: str, topic: str, arrived: Semaphore) -> list[str]:
    """All lines of a stream, until the server ends it; `arrived` is released when the first state is there."""
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


def processor(pid: int) -> float:
    """Seconds of the processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_first_page_takes_three_seconds_of_the_processor_at_most(own_server: Start) -> None:
    took: list[float] = []
    while not took or (min(took) >= 3 and len(took) < 3):  # the best of three
        server = own_server(forked=False)
        assert httpx.get(f"{server.address}/", verify=False).status_code == 200
        took.append(processor(server.process.pid))
        server.stop()
    assert min(took) < 3, took


def test_it_stops_at_once_with_three_streams_open_and_a_clean_log(own_server: Start) -> None:
    """A server that waited for its streams as long as it may would say so in its log."""
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


def test_it_can_be_told_to_stop_while_it_starts(own_server: Start) -> None:
    for _ in range(5):  # the moment between telling the address and listening to signals is a short one
        server = own_server()
        assert server.stop() == 0
        assert server.log.endswith("Spieltisch has stopped.\n")


def test_a_visitor_who_does_not_read_delays_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """A phone asleep with its stream open: what is sent to it stays in the server's hands."""

    async def main() -> None:
        full = asyncio.Event()

        async def flood(scope: Scope, receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while not server.should_exit:
                sending = asyncio.ensure_future(
                    send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})
                )
                if not (await asyncio.wait([sending], timeout=0.5))[0]:
                    full.set()
                await sending

        config = uvicorn.Config(flood, lifespan="off", log_config=None, timeout_graceful_shutdown=600)
        server = web_server.Server(config, Streams(), Descriptors())
        with socket.create_server(("127.0.0.1", 0)) as listening:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            with socket.create_connection(listening.getsockname()) as asleep:
                asleep.sendall(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n")
                await full.wait()
                server.should_exit = True
                await asyncio.wait_for(serving, 60)  # of the ten minutes that it may wait

    asyncio.run(main())
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_second_server_on_the_same_data_is_refused(own_server: Start) -> None:
    server = own_server()
    with pytest.raises(ServerEnded, match="is using"):
        own_server()
    assert httpx.get(f"{server.address}/", verify=False).status_code == 200


def test_a_port_that_is_taken_is_named(own_server: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServerEnded, match="in use"):
            own_server("--port", str(port))


def test_behind_https_cookies_are_secure_and_bound_to_the_host(own_server: Start) -> None:
    server = own_server("--public-url", "https://table.example")
    assert "Spieltisch is at https://table.example" in server.log
    with Visitor(server, Origin="https://table.example") as ada:
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
        answer = ada.post("/new/paris-connection", data=fields, headers={"Origin": server.address})
        assert answer.status_code == 403


def test_over_http_cookies_are_plain(own_server: Start) -> None:
    with Visitor(own_server()) as ada:
        cookie = ada.get("/").headers["set-cookie"]
    assert cookie.startswith("session=")
    assert "secure" not in cookie.lower()
    assert "httponly" in cookie.lower()


def test_a_table_is_there_after_the_power_went(own_server: Start) -> None:
    server = own_server()
    with Visitor(server) as ada:
        path = ada.table("me", "open", "open")
        cookies = dict(ada.cookies)
    server.stop(9)
    server = own_server()
    with Visitor(server) as ada:
        ada.cookies.update(cookies)
        assert ada.state(path)["seats"][0]["name"] == "Ada"
        assert ada.state(path)["seat"] == 0
        assert "Ada" in ada.get("/").text


def test_https_is_kept_to_where_it_was_used(own_server: Start) -> None:
    header, proxied = "strict-transport-security", {"X-Forwarded-Proto": "https"}
    server = own_server("--public-url", "https://table.example")
    for path in ("/", "/nowhere", "/static/0/nothing", "/health"):
        assert httpx.get(server.address + path, headers=proxied, verify=False).headers[header] == "max-age=31536000"
        assert header not in httpx.get(server.address + path, verify=False).headers, "by the way of plain http"
    server.stop()
    server = own_server()
    answer = httpx.get(server.address, headers=proxied, verify=False)
    assert header not in answer.headers, "nobody's word is taken for it"
