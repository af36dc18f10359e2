"""A server's inside on a clock that is set by hand, and a mail server and a web server outside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from spieltisch import tables
from spieltisch.alerts.channels import MAIL, SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.store import Person, Preferences, Telling
from spieltisch.store.ways import Way
from spieltisch.tables import Plan, Table
from tests.live.opened import SECONDS, move
from tests.live.outside import Post, Web, posting, web_server

BEGIN = 1_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        return self.now


class House(NamedTuple):
    """A server's inside, with Ada and Ben, and what stands outside."""

    live: Live
    ada: Person
    ben: Person
    clock: Clock
    post: Post
    web: Web

    async def table(self) -> Table:
        """A table of Ada's, at which it is her turn."""
        table = await self.live.tables.open(self.ada, Plan("paris-connection", ("me", "link", "link")))
        table = await self.live.tables.run(table.id, tables.sit, self.ben, by_link=True)
        cleo, _ = await self.live.people.arrive("Cleo")
        return await self.until(await self.live.tables.run(table.id, tables.sit, cleo, by_link=True), self.ada)

    async def until(self, table: Table, person: Person) -> Table:
        """Moves until this person is to decide."""
        while table.summary().waits_on != person.id:
            table = await move(self.live, table)
        return table

    async def mailed(self, person: Person, address: str = "ben@example.org") -> Way:
        """A way by mail, which has been confirmed."""
        way = await self.live.ways.add(person, MAIL, {"address": address})
        await self.live.ways.confirm(way)
        return await self.live.ways.get(person.id, way.id)

    async def hooked(self, person: Person) -> Way:
        return await self.live.ways.add(person, SERVICE, {"address": f"{self.web.address}/hook"})

    async def look(self) -> float | None:
        """The loop looks once, and all that it begins is over."""
        due = await self.live.alerting.look()
        await self.live.alerting.settle()
        return due

    async def wish(self, person: Person, **wishes: int | str) -> None:
        telling = msgspec.structs.replace(Telling(), **wishes)
        await self.live.people.change(person.id, preferences=Preferences(telling=telling))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Runs a job in a house. Without `private` its guard is the one that hosts have."""
    with web_server() as web:

        def run(
            job: Callable[[House], Awaitable[None]],
            *,
            private: bool = True,
            seconds: float = 20.0,
            limits: Limits = UNLIMITED,
        ) -> None:
            async def main() -> None:
                clock = Clock()
                async with posting(seconds) as post:
                    live = await Live.open(
                        tmp_path / "house.sqlite3",
                        clock=clock,
                        limits=limits,
                        mail=post.settings,
                        guard=SsrfGuard(private=private, seconds=seconds),
                        address=lambda: "https://games.example.org",
                    )
                    try:
                        ada, _ = await live.people.arrive("Ada")
                        ben, _ = await live.people.arrive("Ben", "de")
                        await asyncio.wait_for(job(House(live, ada, ben, clock, post, web)), SECONDS)
                    finally:
                        await live.close()

            asyncio.run(main())

        yield run
