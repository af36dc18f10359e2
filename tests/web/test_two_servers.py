"""Check two servers on one PostgreSQL database, which any browser may use interchangeably."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.live.two_processes import end_listening
from tests.postgres import Server as Postgres
from tests.web.servers import SHARING, Server
from tests.web.visitors import Visitor, table_of_three

pytestmark = pytest.mark.postgresql


class Both(Visitor):
    """A browser whose requests go to either of two servers, as through a load balancer."""

    def __init__(self, first: Server, second: Server) -> None:
        super().__init__(first)
        self.first, self.second = first, second

    def via(self, server: Server) -> Both:
        """Send requests to this server from now on."""
        self.base_url = server.address
        self.headers["Origin"] = server.address
        return self


@pytest.fixture(scope="module")
def servers(postgres: Postgres) -> Iterator[tuple[Server, Server]]:
    url = postgres.schema()
    with ExitStack() as stack:
        started_servers = [Server(url, command=SHARING, forked=False) for _ in range(2)]
        for server in started_servers:
            stack.callback(server.stop)
        yield started_servers[0], started_servers[1]
        assert [server.stop() for server in started_servers] == [0, 0]


@contextmanager
def pushed(visitor: Visitor, path: str, version: int) -> Iterator[Callable[[int], None]]:
    """Follow a table; yield a function that waits until a version of it is pushed."""
    topic = path.removeprefix("/table/")
    with visitor.stream("GET", "/stream", params={"watch": f"{topic}@{version}"}, timeout=60) as answer:
        lines = answer.iter_lines()

        def wait_for(newer: int) -> None:
            for line in lines:
                if line.startswith(f"id: {topic}@") and int(line.rpartition("@")[2]) >= newer:
                    return
            raise AssertionError("the stream has ended")

        assert next(lines)
        yield wait_for


def test_people_of_two_servers_play_at_one_table(servers: tuple[Server, Server]) -> None:
    first, second = servers
    with Both(first, second) as ada, Both(first, second) as ben, Both(first, second) as cleo:
        path, people = table_of_three(ada, ben.via(second), cleo)
        state = ada.via(second).state(path)
        assert state == ada.via(first).state(path)
        with pushed(ben, path, state["version"]) as wait_for:
            mover = people[state["to_decide"]].via(first)
            assert mover.play(path, mover.state(path)["moves"][0]).is_success
            wait_for(state["version"] + 1)
        assert ben.state(path)["version"] == mover.state(path)["version"] > state["version"]


def test_a_session_that_ends_on_one_server_ends_on_the_other_server_at_once(servers: tuple[Server, Server]) -> None:
    first, second = servers
    with Both(first, second) as ada, Both(first, second) as copy:
        path = ada.table("me", "open", "open")
        copy.via(second).cookies.update(ada.cookies)
        seat = copy.state(path)["seat"]
        assert seat is not None
        with pushed(copy, path, 0) as wait_for:
            key = "k" * 43
            ada.submit("/devices/sign-out", **{"next-session": key})
            assert copy.state(path)["seat"] is None
            with pytest.raises(AssertionError, match="ended"):
                wait_for(10**6)
        assert ada.via(second).state(path)["seat"] == seat


def test_a_device_code_from_one_server_opens_a_session_on_the_other_server(servers: tuple[Server, Server]) -> None:
    first, second = servers
    with Both(first, second) as ada, Both(first, second) as telephone:
        path = ada.table("me", "open", "open")
        ada.submit("/devices")
        code = ada.via(second).get("/devices").text.partition('id="code" translate="no">')[2].partition("<")[0]
        assert telephone.via(second).submit("/device", code=code).status_code == 303
        assert telephone.via(first).state(path)["seat"] == ada.state(path)["seat"]


def test_a_table_is_unchanged_after_one_of_two_servers_was_killed(postgres: Postgres) -> None:
    url = postgres.schema()
    first, second = (Server(url, command=SHARING, forked=False) for _ in range(2))
    try:
        with Both(first, second) as ada:
            path = ada.table("me", "open", "open")
            before = ada.state(path)
            first.stop(signal.SIGKILL)
            assert ada.via(second).state(path) == before
            assert ada.submit(f"{path}/leave").status_code in (200, 303)
            health = json.loads(ada.get("/health").text)
            assert not health["fault"]
    finally:
        second.stop()


def test_a_server_that_misses_notices_still_shows_new_moves_and_ends_streams_of_ended_sessions(
    postgres: Postgres,
) -> None:
    url = postgres.schema()
    first, second = (Server(url, command=SHARING, forked=False) for _ in range(2))
    try:
        with Both(first, second) as ada, Both(first, second) as ben, Both(first, second) as cleo:
            path, people = table_of_three(ada, ben, cleo)
            state = ada.via(second).state(path)
            mover = people[state["to_decide"]].via(first)
            move = mover.state(path)["moves"][0]
            with Both(first, second) as copy:
                copy.via(second).cookies.update(mover.cookies)
                with pushed(copy, path, 0) as wait_for:
                    end_listening(url)  # until they try again, after half a second
                    assert mover.play(path, move).is_success
                    assert mover.via(second).state(path)["version"] > state["version"]
                    mover.via(first).submit("/devices/sign-out", **{"next-session": "k" * 43})
                    with pytest.raises(AssertionError, match="ended"):
                        wait_for(10**6)
                assert copy.state(path)["seat"] is None
    finally:
        assert [server.stop() for server in (first, second)] == [0, 0]
