"""Check limits per person and address on tables and files, and the closing of old open tables."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT
from spieltisch.store.schema import DATABASE
from tests.live.live_fixture import PLAN
from tests.sentences import sentence_after
from tests.web.servers import SERVE_DEFAULT_LIMITS, Server, running_server
from tests.web.visitors import MANY_ADDRESSES, Visitor

Start = Callable[..., Server]
SEATS = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}


def request_new_table(visitor: Visitor, token: str, name: str = "Ada", **fields: str) -> httpx.Response:
    """Request a new table with the token of this session."""
    return visitor.post("/new/paris-connection", data={"token": token, "name": name, **SEATS, **fields})


def sentence(refusal: httpx.Response) -> str:
    return refusal.text.partition("<h1>")[2].partition("</h1>")[0]


def open_tables_until_refused(server: Server, stack: ExitStack, max_tables: int) -> tuple[int, httpx.Response]:
    """Open tables under new names until refused; return their number and the refusal."""
    opened_count = 0
    while opened_count < max_tables:
        stranger = stack.enter_context(Visitor(server))
        answer = request_new_table(stranger, stranger.token())
        if answer.status_code != 303:
            return opened_count, answer
        token = stranger.token()
        while answer.status_code == 303 and opened_count < max_tables:
            opened_count += 1
            answer = request_new_table(stranger, token)
    raise AssertionError(f"{opened_count} tables were opened from one address")


@MANY_ADDRESSES
def test_an_address_at_its_quota_does_not_stop_other_addresses_from_opening_tables(own_server: Start) -> None:
    server = own_server(command=SERVE_DEFAULT_LIMITS)
    with ExitStack() as stack, Visitor(server, address="127.0.0.2") as neighbour:
        opened_count, refusal = open_tables_until_refused(server, stack, 3 * DEFAULT.tables_per_address)
        assert (opened_count, refusal.status_code) == (DEFAULT.tables_per_address, 409)
        assert sentence(refusal) == sentence_after(
            "live/quotas.py", "origin=origin) + more > address_limit", count=DEFAULT.tables_per_address
        )
        path = neighbour.table("me", "open", "open", name="Ben")
        count = 0
        stranger = stack.enter_context(Visitor(server))
        token = stranger.token()
        while (table_response := request_new_table(stranger, token)).status_code == 409:
            count += 1
            assert count < DEFAULT.new_tables_per_hour
        assert table_response.status_code == 429
        assert int(table_response.headers["retry-after"]) > 0
        assert sentence(table_response) == sentence_after("web/http/rate_limits.py", '"too-many-openings",')
        neighbour.table("me", "open", "open")
        assert stranger.sit(path, "Cid").status_code == 303, "at others' tables the stranger may sit"
    with closing(sqlite3.connect(server.file)) as database:
        hosts = dict(database.execute("SELECT host, count(*) FROM tables GROUP BY host"))
    assert sorted(hosts.values()) == [2, 20, DEFAULT.tables_per_host, DEFAULT.tables_per_host], (
        "one person has fewer than an address"
    )
    assert not any(b"127.0.0.2" in file.read_bytes() for file in server.data.iterdir())
    assert server.stop() == 0
    with Visitor(own_server(command=SERVE_DEFAULT_LIMITS)) as ben:
        assert request_new_table(ben, ben.token()).status_code == 409, "it counts after a restart too"


@pytest.fixture(scope="module")
def small_limits_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with few tables for each address and any number for each person."""
    limits = ("tables_per_address=5", "tables_per_host=0", "component_files_per_address=2")
    options = [word for limit in limits for word in ("--limit", limit)]
    with running_server(tmp_path_factory.mktemp("small"), *options) as started_server:
        yield started_server


@MANY_ADDRESSES
def test_concurrent_requests_cannot_exceed_the_quota(small_limits_server: Server) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(20) as crowd:
        visitors = [stack.enter_context(Visitor(small_limits_server, address="127.0.0.2")) for _ in range(20)]
        tokens = [visitor.token() for visitor in visitors]
        answers = [response.status_code for response in crowd.map(request_new_table, visitors, tokens)]
    assert sorted(answers) == [303] * 5 + [409] * 15


def test_without_a_proxy_forwarded_addresses_are_ignored(small_limits_server: Server) -> None:
    """The requests come from the address of this machine, which would be trusted as a proxy if one were configured."""
    answers = []
    for number in range(6):
        with Visitor(small_limits_server, **{"X-Forwarded-For": f"192.0.2.{number}"}) as visitor:
            answers.append(request_new_table(visitor, visitor.token()).status_code)
    assert answers == [303] * 5 + [409]


@MANY_ADDRESSES
def test_a_rematch_counts_towards_the_quota_of_tables(small_limits_server: Server) -> None:
    local_address = "127.0.0.3"
    with (
        Visitor(small_limits_server, address=local_address) as ada,
        Visitor(small_limits_server, address=local_address) as ben,
    ):
        path = ada.table("me", "bot:random", "bot:random")
        assert ada.submit(f"{path}/consent/ask-abort?confirmed=1").status_code == 303
        assert ada.state(path)["status"] == "aborted"
        for _ in range(5):
            ben.table("me", "open", "open", name="Ben")
        assert ada.submit(f"{path}/rematch").status_code == 409


@MANY_ADDRESSES
def test_component_files_of_one_address_are_limited(small_limits_server: Server) -> None:
    upload_address = "/games/paris-connection/components"
    with ExitStack() as stack:
        people = [stack.enter_context(Visitor(small_limits_server, address="127.0.0.4")) for _ in range(3)]
        text = people[0].get(f"{upload_address}.toml").text
        answers = []
        for number, visitor in enumerate(people):
            visitor.table("me", "open", "open")
            own_text = re.sub(r'(?m)^name = "', f'name = "own-{number}-', text, count=1)
            answers.append(visitor.submit(upload_address, text=own_text))
        assert [answer.status_code for answer in answers] == [303, 303, 409]
        assert "Your network already has 2 component files" in sentence(answers[-1])


@MANY_ADDRESSES
def test_the_digest_of_an_address_is_deleted_when_its_table_is_closed(small_limits_server: Server) -> None:
    with Visitor(small_limits_server, address="127.0.0.5") as ada:
        paths = [ada.table("me", "open", "open") for _ in range(2)]
        assert ada.submit(f"{paths[0]}/consent/ask-abort").status_code == 303

    with closing(sqlite3.connect(small_limits_server.file)) as database:
        stored_origins = {f"/table/{key}": origin for key, origin in database.execute("SELECT id, origin FROM tables")}
    assert stored_origins[paths[0]] is None
    assert len(stored_origins[paths[1]]) == 16


def test_old_tables_whose_game_never_began_are_closed(own_server: Start, tmp_path: Path) -> None:
    """A full server accepts new tables again once they are closed; running games are never closed."""

    async def long_ago() -> tuple[str, str]:
        live = await Live.open(tmp_path / "data" / DATABASE, clock=lambda: 1000.0, features=FEATURES)
        try:
            ada, _ = await live.people.create("Ada")
            open_table = await live.tables.open(ada, PLAN)
            bots = ("me", "bot:easy", "bot:easy")
            begun = await live.tables.open(ada, type(PLAN)(PLAN.game, bots))
            return f"/table/{open_table.id}", f"/table/{begun.id}"
        finally:
            await live.close()

    open_table, begun = asyncio.run(long_ago())
    server = own_server("--limit", "total_tables=2")
    with Visitor(server) as ben:
        while ben.state(open_table)["status"] == "open":
            pass
        assert ben.state(open_table)["status"] == "aborted"
        assert ben.state(open_table)["log"][-1]["text"] == [
            sentence_after("tables/fold.py", "if event.waited", count=7)
        ]
        assert ben.state(begun)["status"] == "running"
        ben.table("me", "open", "open", name="Ben")
        answer = request_new_table(ben, ben.token())
        assert answer.status_code == 409
        assert "The server is full (2 open tables)" in sentence(answer)
    assert server.stop() == 0
