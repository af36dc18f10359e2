"""Limits per person and per address on what anonymous clients can create, tables above all, tested from outside; old
tables whose game never began are closed.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT
from spieltisch.store.schema import DATABASE
from tests.live.live_fixture import PLAN
from tests.web.conftest import Server, Visitor
from tests.web.test_connection_limits import PLAIN

Start = Callable[..., Server]
SEATS = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
MANY_ADDRESSES = pytest.mark.skipif(sys.platform != "linux", reason="a machine with many addresses of its own")


def opens(visitor: Visitor, token: str, name: str = "Ada", **fields: str) -> httpx.Response:
    """Ask for a new table, with the token of this session's forms."""
    return visitor.post("/new/paris-connection", data={"token": token, "name": name, **SEATS, **fields})


def sentence(refusal: httpx.Response) -> str:
    return refusal.text.partition("<h1>")[2].partition("</h1>")[0]


def storm(server: Server, stack: ExitStack, most: int) -> tuple[int, httpx.Response]:
    """A stranger opens tables under one name after the other, until no new name helps: how many, and the refusal."""
    opened = 0
    while opened < most:
        stranger = stack.enter_context(Visitor(server))
        answer = opens(stranger, stranger.token())
        if answer.status_code != 303:
            return opened, answer
        token = stranger.token()
        while answer.status_code == 303 and opened < most:
            opened += 1
            answer = opens(stranger, token)
    raise AssertionError(f"{opened} tables were opened from one address")


@MANY_ADDRESSES
def test_one_address_fills_its_quota_and_all_others_open_tables(own_server: Start) -> None:
    server = own_server(command=PLAIN)
    with ExitStack() as stack, Visitor(server, address="127.0.0.2") as neighbour:
        opened, refusal = storm(server, stack, 3 * DEFAULT.tables_per_address)
        assert (opened, refusal.status_code) == (DEFAULT.tables_per_address, 409)
        assert sentence(refusal).startswith(f"Your network already has {DEFAULT.tables_per_address} open tables.")
        path = neighbour.table("me", "open", "open", name="Ben")
        count = 0
        stranger = stack.enter_context(Visitor(server))
        token = stranger.token()
        while (again := opens(stranger, token)).status_code == 409:
            count += 1
            assert count < DEFAULT.new_tables_per_hour
        assert again.status_code == 429
        assert int(again.headers["retry-after"]) > 0
        assert "Too many new tables" in sentence(again)
        neighbour.table("me", "open", "open")
        assert stranger.sit(path, "Cid").status_code == 303, "at others' tables the stranger may sit"
    with closing(sqlite3.connect(server.file)) as database:
        hosts = dict(database.execute("SELECT host, count(*) FROM tables GROUP BY host"))
    assert sorted(hosts.values()) == [2, 20, DEFAULT.tables_per_host, DEFAULT.tables_per_host], (
        "one person has fewer than an address"
    )
    assert server.stop() == 0


def test_many_at_once_have_no_more(own_server: Start) -> None:
    server = own_server("--limit", "tables_per_address=5", "--limit", "tables_per_host=0")
    with ExitStack() as stack, ThreadPoolExecutor(20) as crowd:
        visitors = [stack.enter_context(Visitor(server)) for _ in range(20)]
        tokens = [visitor.token() for visitor in visitors]
        answers = [response.status_code for response in crowd.map(opens, visitors, tokens)]
    assert sorted(answers) == [303] * 5 + [409] * 15


@pytest.mark.parametrize("trusted", [False, True], ids=["nobody's word", "the proxy's word"])
def test_a_header_says_who_asks_only_where_it_is_trusted(own_server: Start, trusted: bool) -> None:
    public = "https://games.example.org"
    server = own_server("--limit", "tables_per_address=1", *(["--public-url", public] if trusted else []))
    over_https = {"Origin": public, "Cookie": "__Host-session=of-some-new-browser"} if trusted else {}

    def asks(address: str) -> int:
        with Visitor(server, **{**over_https, "X-Forwarded-For": address}) as visitor:
            return opens(visitor, visitor.token()).status_code

    answers = [asks(address) for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")]
    # Two IPv4 addresses, one IPv6 network of 64 bits, and another one.
    assert answers == ([303, 303, 303, 409, 303] if trusted else [303, 409, 409, 409, 409])


def test_one_click_against_bots_counts_too(own_server: Start) -> None:
    server = own_server("--limit", "new_tables_per_hour=2")
    with Visitor(server) as ada:
        answers = [ada.submit("/new/paris-connection/now", bot="random").status_code for _ in range(3)]
        assert answers == [303, 303, 429]
        assert opens(ada, ada.token()).status_code == 429


def test_a_rematch_counts_too(own_server: Start) -> None:
    server = own_server("--limit", "tables_per_address=1")
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "bot:random", "bot:random")
        assert ada.submit(f"{path}/consent/ask-abort?confirmed=1").status_code == 303
        assert ada.state(path)["status"] == "aborted"
        ben.table("me", "open", "open", name="Ben")
        assert ada.submit(f"{path}/rematch").status_code == 409


def test_component_files_of_one_address(own_server: Start) -> None:
    server = own_server("--limit", "component_files_per_address=2")
    where = "/games/paris-connection/components"
    with ExitStack() as stack:
        people = [stack.enter_context(Visitor(server)) for _ in range(3)]
        text = people[0].get(f"{where}.toml").text
        answers = []
        for number, visitor in enumerate(people):
            visitor.table("me", "open", "open")
            own = re.sub(r'(?m)^name = "', f'name = "own-{number}-', text, count=1)
            answers.append(visitor.submit(where, text=own))
        assert [answer.status_code for answer in answers] == [303, 303, 409]
        assert "Your network already has 2 component files" in sentence(answers[-1])


def test_no_address_is_in_the_file_and_what_stands_for_it_goes_with_the_table(own_server: Start) -> None:
    server = own_server(command=PLAIN)
    with Visitor(server) as ada:
        paths = [ada.table("me", "open", "open") for _ in range(2)]
        assert ada.submit(f"{paths[0]}/consent/ask-abort").status_code == 303

    def origins() -> dict[str, bytes | None]:
        with closing(sqlite3.connect(server.file)) as database:
            return {f"/table/{key}": origin for key, origin in database.execute("SELECT id, origin FROM tables")}

    stored = origins()
    assert stored[paths[0]] is None
    assert stored[paths[1]] is not None
    assert len(stored[paths[1]] or b"") == 16
    assert not any(b"127.0.0.1" in file.read_bytes() for file in server.data.iterdir())
    server.stop()
    again = own_server("--limit", "tables_per_address=1")
    with Visitor(again) as ben:
        assert opens(ben, ben.token()).status_code == 409, "it counts after a restart too"


def test_what_nobody_began_gives_way(own_server: Start, tmp_path: Path) -> None:
    """A server that was full long ago accepts new tables again: open ones were closed, running games remain."""

    async def long_ago() -> tuple[str, str]:
        live = await Live.open(tmp_path / "data" / DATABASE, clock=lambda: 1000.0)
        try:
            ada, _ = await live.people.create("Ada")
            waits = await live.tables.open(ada, PLAN)
            bots = ("me", "bot:easy", "bot:easy")
            begun = await live.tables.open(ada, type(PLAN)(PLAN.game, bots))
            return f"/table/{waits.id}", f"/table/{begun.id}"
        finally:
            await live.close()

    waits, begun = asyncio.run(long_ago())
    server = own_server("--limit", "total_tables=2")
    with Visitor(server) as ben:
        while ben.state(waits)["status"] == "open":
            pass
        assert ben.state(waits)["status"] == "aborted"
        assert ben.state(waits)["log"][-1]["text"] == [
            "The table was closed: no activity for 7 days before the game began."
        ]
        assert ben.state(begun)["status"] == "running"
        ben.table("me", "open", "open", name="Ben")
        answer = opens(ben, ben.token())
        assert answer.status_code == 409
        assert "The server is full (2 open tables)" in sentence(answer)
    assert server.stop() == 0
