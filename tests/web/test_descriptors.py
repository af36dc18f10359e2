"""Check that a server without free file descriptors logs that once a minute and recovers."""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from spieltisch.web.http.file_descriptors import Descriptors
from tests.web.servers import Server
from tests.web.visitors import Visitor

CROWD = 200


def first_answers_to_crowd(server: Server) -> list[bytes]:
    """Open many connections at once with a request each, and return the first answer to each."""
    first_bytes = []
    port = int(server.address.rpartition(":")[2])
    with ExitStack() as lines:
        crowd = [lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(CROWD)]
        for line in crowd:
            first = b""
            with suppress(ConnectionResetError, BrokenPipeError):
                line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: here\r\n\r\n")
                first = line.recv(8)
            first_bytes.append(first)
    return first_bytes


def is_healthy(server: Server) -> bool:
    """Return True if the server responds after it has noticed the closed connections."""
    while True:
        with suppress(httpx.TransportError):
            return httpx.get(f"{server.address}/health", verify=False).status_code == 200


def test_a_server_recovers_after_its_file_descriptors_ran_out(own_server: Callable[..., Server]) -> None:
    server = own_server()
    pid = server.process.pid
    with Visitor(server) as ada:
        path = ada.table("me", "bot:easy", "bot:easy")
        descriptor_limit = len(list(Path(f"/proc/{pid}/fd").iterdir())) + CROWD // 4
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (descriptor_limit, before[1]))
        for _ in range(3):
            first_bytes = first_answers_to_crowd(server)
            assert set(first_bytes) == {b"HTTP/1.1", b""}, "some are served, and some are hung up on"
            assert is_healthy(server)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        version = ada.state(path)["version"]
        while (state := ada.state(path))["to_decide"] != 0:
            pass  # the bots go on
        ada.play(path, state["moves"][0])
        assert ada.state(path)["version"] > version
    assert server.stop() == 0
    assert server.log.count("no more file descriptors") == 1, server.log


def test_missing_file_descriptors_are_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    looking = Descriptors()
    assert looking.look()
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        # Kept in memory: a log on standard error would need a descriptor, too, if that is a file.
        with capture_logs() as log_entries:
            warnings = []
            for seconds in (0.0, 1.0, 58.9, 0.2):
                now += seconds
                warnings.append(looking.look())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert not any(warnings)
    assert [line["event"].partition(":")[0] for line in log_entries] == ["no more file descriptors"] * 2
