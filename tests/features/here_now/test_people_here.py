"""Check the number of people here: whom it counts, how often it is pushed, and that it tells nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from spieltisch.features.here_now.pages import HerePages
from spieltisch.features.here_now.service import PAUSE_SECONDS, TOPIC, HereNow
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.web.http.sessions import Visitor
from tests.live.two_processes import run_in_two_servers, until
from tests.postgres import Server as Postgres
from tests.web.conftest import Person as Page
from tests.web.server_inside import House, opened, person
from tests.web.servers import Server
from tests.web.visitors import Visitor as Client

SHOWN = re.compile(r"\d+")
SENT = re.compile(r"^data: (\d+) ", re.MULTILINE)


class Timers:
    """Jobs that wait for the end of the pause."""

    def __init__(self, house: House) -> None:
        self._jobs: list[Callable[[], None]] = []
        house.live.service(HereNow).later = cast(Any, self._add)

    def _add(self, seconds: float, job: Callable[[], None]) -> Timers:
        assert seconds == PAUSE_SECONDS
        self._jobs.append(job)
        return self

    def cancel(self) -> None:
        """Do nothing: no time passes by itself."""

    def run(self) -> int:
        """Let the pause end; return the number of jobs that waited for that."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job()
        return len(jobs)


async def number_for(house: House, visitor: Visitor) -> int:
    """Return the number that a stream would send to a visitor."""
    event = await house.fragments.event(TOPIC, 0, visitor)
    assert event is not None
    (number,) = SHOWN.findall(event[1].html)
    return int(number)


def test_each_person_counts_once_and_visitors_without_a_name_once_for_an_address(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            Timers(house)
            ada, ben, presence = await house.visitor("Ada"), await house.visitor("Ben"), house.live.presence
            unnamed = house.live.quotas.unnamed_at
            with ExitStack() as streams:
                for visitor, address in ((ada, "192.0.2.1"), (ada, "192.0.2.2"), (ben, "192.0.2.1")):
                    streams.enter_context(presence.connected(visitor.person_id, unnamed(address)))
                assert await number_for(house, ada) == 2
                for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
                    streams.enter_context(presence.connected(None, unnamed(address)))
                assert await number_for(house, ada) == 4
                presence.forget(person(ben).id)
                assert await number_for(house, ada) == 3, "a deleted person is not here"
            assert await number_for(house, ada) == 0

    asyncio.run(job())


def test_the_page_of_the_lobby_counts_its_visitor_before_the_stream_is_open(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            Timers(house)
            pages, here = house.fragments.part(HerePages), house.live.service(HereNow)
            ada, unknown = await house.visitor("Ada"), await house.visitor()
            for visitor in (ada, unknown):
                section = await pages.lobby_section(visitor, "192.0.2.1")
                assert 'data-version="0"' in section, "its stream brings the number"
                assert SHOWN.findall(section)[-1] == "1"
            with house.live.presence.connected(person(ada).id):
                section = await pages.lobby_section(ada, "192.0.2.1")
                assert f'data-version="{here.version()}"' in section, "this page was reloaded"
                assert SHOWN.findall(section)[-1] == "1"

    asyncio.run(job())


def test_many_arrivals_are_one_push_and_a_reloaded_page_is_none(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            timers, reader = Timers(house), await house.visitor("Reader")
            states: asyncio.Queue[str] = asyncio.Queue()

            async def read() -> None:
                fragment = partial(house.fragments.event, visitor=reader)
                async for data in house.streams.open(
                    {TOPIC: 0}, fragment, person=reader.person_id, while_open=house.live.presence.connected("reader")
                ):
                    states.put_nowait(data.decode())

            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(read())
                assert "heartbeat" in await states.get()
                assert SENT.findall(await states.get()) == ["1"]
                timers.run()
                with ExitStack() as crowd:
                    for number in range(50):
                        crowd.enter_context(house.live.presence.connected(f"person {number}"))
                    assert timers.run() == 1
                    assert SENT.findall(await states.get()) == ["51"]
                    with house.live.presence.connected("person 50"):
                        pass
                    assert timers.run() == 1
                    crowd.pop_all().close()
                assert timers.run() == 1
                assert SENT.findall(await states.get()) == ["1"], "nothing was sent for the one who came and went"
                reading.cancel()

    asyncio.run(job())


def test_all_see_the_same_number_and_nothing_else(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            Timers(house)
            ada, ben, unknown = await house.visitor("Ada"), await house.visitor("Ben"), await house.visitor()
            sent = []
            for present in ((ada, ben), (ben, await house.visitor("Zoe"))):
                with ExitStack() as streams:
                    for visitor in present:
                        streams.enter_context(house.live.presence.connected(visitor.person_id))
                    for reader in (ada, unknown):
                        event = await house.fragments.event(TOPIC, 0, reader)
                        assert event is not None
                        sent.append(event[1].html)
            assert len(set(sent)) == 1
            assert SHOWN.findall(sent[0]) == ["2"]

    asyncio.run(job())


@pytest.mark.postgresql
def test_a_person_with_pages_at_two_processes_counts_once(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        here = [live.service(HereNow) for live in (first, second)]
        with first.presence.connected(ada.id):
            with second.presence.connected(ada.id), second.presence.connected(ben.id):
                for each in here:
                    each._tell()
                await until(lambda: [each.count() for each in here] == [2, 2])
                assert here[0].count(ben.id) == 2
            here[1]._tell()
            await until(lambda: [each.count() for each in here] == [1, 1])

    run_in_two_servers(postgres.schema(), job)


def test_an_open_table_says_for_how_many_it_waits_and_since_when(server: Server, ada: Client) -> None:
    path = ada.table("me", "open", "open", "link", "bot:easy")
    with Client(server) as ben:
        page = ben.get("/tables/open").text
        (row,) = [row for row in page.split("<li") if f'href="{path}"' in row]
        waiting = re.search(r'<span class="table-state">(.*?)</span>', row, re.DOTALL)
        assert waiting is not None
        assert SHOWN.findall(waiting[1])[0] == "3"
        opening = re.search(r'data-since\s+datetime="([^"]+)"', waiting[1])
        ben.sit(path, "Ben")
        page = ada.get("/").text
        (row,) = [row for row in page.split("<li") if f'href="{path}"' in row]
        waiting = re.search(r'<span class="table-state">(.*?)</span>', row, re.DOTALL)
        assert waiting is not None
        assert SHOWN.findall(waiting[1])[0] == "2"
        assert opening is not None
        assert f'datetime="{opening[1]}"' in waiting[1], "it still waits since it was opened"


@pytest.mark.browser
def test_the_number_changes_in_an_open_lobby_and_stays_when_the_lobby_is_pushed(
    own_server: Callable[..., Server], open_page: Page
) -> None:
    server, page = own_server(), open_page()
    page.goto(f"{server.address}/")
    people = page.locator(".people-here")
    expect(people).to_contain_text("1")
    with Client(server) as ben:
        path = ben.table("me", "open", "open", name="Ben")
        opened_row = page.locator(f'#open-tables a[href="{path}"]')
        expect(opened_row).to_be_attached()
        expect(people).to_contain_text("1")
        with ben.stream("GET", "/stream", params={"watch": "lobby@0"}):
            expect(people).to_contain_text("2")
