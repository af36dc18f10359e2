"""`/health` tries the store, `/ready` says whether the server can be used; both without words for people."""

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
from playwright.sync_api import Browser, expect

from tests.web.conftest import Server, Visitor

HELD = (
    "import asyncio, pathlib, sys; from spieltisch.live import loaded_tables; from spieltisch.web.server import serve\n"
    "load_table = loaded_tables.load_table\n"
    "async def held(*those):\n"
    "    await asyncio.to_thread(open, sys.argv[2], 'rb')\n"
    "    return await load_table(*those)\n"
    "loaded_tables.load_table, loaded_tables.rules_digest = held, lambda: 'others'\n"
    "serve(port=0, data=pathlib.Path(sys.argv[1]), open_browser=False, compile_search=False)"
)
"""A server under other rules that loads its tables only after the test has written into a pipe."""


def ask(server: Server, path: str = "/health") -> tuple[int, dict[str, Any]]:
    answer = httpx.get(server.address + path, timeout=60, verify=False)
    return answer.status_code, answer.json()


def becomes(server: Server, fault: str) -> int:
    """Ask until this is wrong with the store; what was found a second ago may be said again."""
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
    """Try to move; return whether that was refused because it could not be stored."""
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
    aside = server.file.rename(server.data / "aside")
    yield
    aside.rename(server.file)


def test_a_full_disk(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada:
        path = turn_at_a_new_table(ada)
        assert ask(server)[0] == 200
        with full(server):
            assert becomes(server, "not-written") == 503
            assert ask(server, "/ready") == (503, {"ready": False, "why": "not-written"})
            assert ada.get(path).status_code == 200, "tables can be looked at"
            for _ in range(20):
                assert refused_as_not_written(ada, path)
        assert becomes(server, "") == 200
        assert ask(server, "/ready")[0] == 200
    assert server.stop() == 0
    (line,) = (line for line in server.log.splitlines() if "] not written " in line)
    assert path.rpartition("/")[2] in line
    assert server.log.count("the store is not well") == 1, server.log
    assert server.log.count("the store is well again") == 1


def test_a_lock_or_a_database_that_is_gone(own_server: Callable[..., Server]) -> None:
    server = own_server()
    lock = server.data / "spieltisch.sqlite3.lock"
    with Visitor(server) as ada:
        path = turn_at_a_new_table(ada)
        version = ada.state(path)["version"]
        for file in (lock, server.file):
            aside = file.rename(server.data / "aside")
            assert refused_as_not_written(ada, path), "before anybody has asked how the server is"
            assert becomes(server, "lost") == 503
            assert ask(server, "/ready") == (503, {"ready": False, "why": "lost"})
            assert ada.state(path)["version"] == version
            aside.rename(file)
            assert becomes(server, "") == 200
            assert ask(server, "/ready")[0] == 200
        assert ada.play(path, ada.state(path)["moves"][0]).status_code == 200
    assert server.stop() == 0


def test_all_open_pages_say_that_nothing_can_be_saved_until_it_can_again(
    own_server: Callable[..., Server], chromium: Browser
) -> None:
    """The table's page of one who waits, also without a shared worker, and the lobby of one who is at no table."""
    server = own_server()
    with Visitor(server) as ada, closing(chromium.new_context()) as waiting, closing(chromium.new_context()) as alone:
        path = turn_at_a_new_table(ada)
        alone.add_init_script("delete window.SharedWorker")
        pages = [waiting.new_page(), alone.new_page(), waiting.new_page()]
        for page, at in zip(pages, (path, path, "/"), strict=True):
            page.goto(server.address + at)
        for problem in (deleted, full):
            with problem(server):
                if problem is full:
                    assert refused_as_not_written(ada, path)
                for page in pages:
                    expect(page.locator("#unsaved")).to_be_visible()
                pages[0].reload()
                expect(pages[0].locator("#unsaved")).to_be_visible()
                assert ada.get("/changes").headers["Unsaved"] == "yes"
            for page in pages:
                expect(page.locator("#unsaved")).to_be_hidden()
            assert ada.get("/changes").headers["Unsaved"] == "no"
    assert server.stop() == 0


def test_ready_when_the_tables_are_loaded_and_not_while_it_stops(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    first = own_server()
    with Visitor(first) as ada:
        ada.table("me", "bot:random", "bot:random")
    assert ask(first, "/ready") == (200, {"ready": True, "why": ""})
    first.stop()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = own_server(str(pipe), command=[sys.executable, "-c", HELD])
    assert ask(held, "/ready") == (503, {"ready": False, "why": "starting"})
    assert ask(held)[0] == 200
    with pipe.open("wb"):
        while ask(held, "/ready")[0] != 200:
            pass
    held.process.send_signal(signal.SIGTERM)
    seen = []
    with suppress(httpx.TransportError):
        while True:
            seen.append(ask(held, "/ready")[0])
    assert sorted(seen) == seen, "once it said no, it says so to its end"
    held.process.wait(timeout=60)  # told once more while it ends, it would end at once
    assert held.stop() == 0
