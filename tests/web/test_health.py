"""Check `/health`, which tries the store, and `/ready`, which says whether the server can be used."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.postgres import Server as Postgres
from tests.web.servers import SERVE_DATABASE, Server, running_server
from tests.web.visitors import Visitor

HELD = (
    "import asyncio, pathlib, sys; from spieltisch.live import loaded_tables; from spieltisch.web.server import serve\n"
    "load_table = loaded_tables.load_table\n"
    "async def held(*those):\n"
    "    await asyncio.to_thread(open, sys.argv[2], 'rb')\n"
    "    return await load_table(*those)\n"
    "loaded_tables.load_table, loaded_tables.rules_digest = held, lambda: 'others'\n"
    "serve(port=0, database=pathlib.Path(sys.argv[1], 'spieltisch.sqlite3'), open_browser=False, compile_search=False)"
)
"""A server under other rules that loads its tables only after the test has written into a pipe."""


def ask(server: Server, path: str = "/health") -> tuple[int, dict[str, Any]]:
    answer = httpx.get(server.address + path, timeout=60, verify=False)
    return answer.status_code, answer.json()


def wait_until_store(server: Server, fault: str) -> int:
    """Request the health until this problem is reported, since results are cached for a second."""
    while True:
        status, health = ask(server)
        if health["fault"] == fault:
            return status


def turn_at_a_new_table(visitor: Visitor) -> str:
    """Open a table with bots; return its path when it is this visitor's turn."""
    path = visitor.table("me", "bot:random", "bot:random")
    while not visitor.state(path)["moves"]:
        pass
    return path


def refused_as_not_written(visitor: Visitor, path: str) -> bool:
    """Return True if a move is refused because it cannot be stored."""
    answer = visitor.play(path, visitor.state(path)["moves"][0])
    return (answer.status_code, answer.json()["code"]) == (503, "not-written")


@contextmanager
def full(server: Server) -> Iterator[None]:
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def deleted(server: Server) -> Iterator[None]:
    moved_file = server.file.rename(server.data / "aside")
    yield
    moved_file.rename(server.file)


@pytest.fixture(scope="module")
def failing_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("unlucky")) as started_server:
        yield started_server


def test_health_reports_a_full_disk_until_space_is_free(failing_server: Server) -> None:
    server, before = failing_server, len(failing_server.log)
    with Visitor(server) as ada:
        path = turn_at_a_new_table(ada)
        assert ask(server)[0] == 200
        with full(server):
            assert wait_until_store(server, "not-written") == 503
            assert ask(server, "/ready") == (503, {"ready": False, "why": "not-written"})
            assert ada.get(path).status_code == 200, "tables can be looked at"
            for _ in range(20):
                assert refused_as_not_written(ada, path)
        assert wait_until_store(server, "") == 200
        assert ask(server, "/ready")[0] == 200
    server.says(rf"(?s).{{{before}}}.*the store is well again")
    log = server.log[before:]
    (line,) = (line for line in log.splitlines() if "] not written " in line)
    assert path.rpartition("/")[2] in line
    assert log.count("the store is not well") == 1, log
    assert log.count("the store is well again") == 1


def test_health_reports_a_missing_lock_or_database_until_the_file_is_back(failing_server: Server) -> None:
    server = failing_server
    lock = server.data / "spieltisch.sqlite3.lock"
    with Visitor(server) as ada:
        path = turn_at_a_new_table(ada)
        version = ada.state(path)["version"]
        for file in (lock, server.file):
            moved_file = file.rename(server.data / "aside")
            assert refused_as_not_written(ada, path), "before anybody has asked how the server is"
            assert wait_until_store(server, "lost") == 503
            assert ask(server, "/ready") == (503, {"ready": False, "why": "lost"})
            assert ada.state(path)["version"] == version
            moved_file.rename(file)
            assert wait_until_store(server, "") == 200
            assert ask(server, "/ready")[0] == 200
        assert ada.play(path, ada.state(path)["moves"][0]).status_code == 200


def test_all_open_pages_show_a_notice_while_nothing_can_be_saved(
    own_server: Callable[..., Server], chromium: Browser
) -> None:
    """The pages are a table of a waiting player, with and without a shared worker, and the lobby of a new visitor."""
    server = own_server()
    with (
        Visitor(server) as ada,
        closing(chromium.new_context()) as waiting_context,
        closing(chromium.new_context()) as alone,
    ):
        path = turn_at_a_new_table(ada)
        alone.add_init_script("delete window.SharedWorker")
        pages = [waiting_context.new_page(), alone.new_page(), waiting_context.new_page()]
        for page, page_path in zip(pages, (path, path, "/"), strict=True):
            page.goto(server.address + page_path)
        for problem in (deleted, full):
            with problem(server):
                if problem is full:
                    assert refused_as_not_written(ada, path)
                for page in pages:
                    expect(page.locator("#unsaved-notice")).to_be_visible()
                pages[0].reload()
                expect(pages[0].locator("#unsaved-notice")).to_be_visible()
                assert ada.get("/changes").headers["Unsaved"] == "yes"
            for page in pages:
                expect(page.locator("#unsaved-notice")).to_be_hidden()
            assert ada.get("/changes").headers["Unsaved"] == "no"
    assert server.stop() == 0


def test_a_server_is_ready_after_loading_its_tables_and_not_while_stopping(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    first = own_server()
    with Visitor(first) as ada:
        ada.table("me", "bot:random", "bot:random")
    assert ask(first, "/ready") == (200, {"ready": True, "why": ""})
    first.stop()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held_server = own_server(str(pipe), command=[sys.executable, "-c", HELD])
    assert ask(held_server, "/ready") == (503, {"ready": False, "why": "starting"})
    assert ask(held_server)[0] == 200
    with pipe.open("wb"):
        while ask(held_server, "/ready")[0] != 200:
            pass
    held_server.process.send_signal(signal.SIGTERM)
    statuses = []
    with suppress(httpx.TransportError):
        while True:
            statuses.append(ask(held_server, "/ready")[0])
    assert sorted(statuses) == statuses, "once it said no, it says so to its end"
    held_server.process.wait(timeout=60)  # told once more while it ends, it would end at once
    assert held_server.stop() == 0


@pytest.mark.postgresql
def test_pages_show_an_explanation_while_the_database_is_away(private_server: Postgres) -> None:
    started_server = Server(private_server.url, command=SERVE_DATABASE)
    try:
        with Visitor(started_server) as ada, Visitor(started_server) as unknown_visitor:
            path = turn_at_a_new_table(ada)
            unknown_visitor.cookies["session"] = "x" * 43
            private_server.kill()
            assert refused_as_not_written(ada, path)
            for visitor, page in (ada, "/me/history"), (unknown_visitor, "/"):
                assert visitor.get(page).status_code == 503
                answer = visitor.get(page, headers={"Accept": "application/json"})
                assert (answer.status_code, answer.json()["code"]) == (503, "not-read")
            assert ask(started_server, "/ready")[0] == 503
            private_server.start()
            assert ada.get("/me/history").status_code == 200
            assert unknown_visitor.get("/").status_code == 200
    finally:
        assert started_server.stop() == 0, started_server.log
    assert "request failed" not in started_server.log
    assert "Traceback" not in started_server.log
