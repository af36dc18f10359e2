"""Provide a server's inside with a manual clock, and a mail server and a web server outside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest

from spieltisch import tables
from spieltisch.alerts.channels import MAIL, SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.store import AlertSettings, Person, Preferences
from spieltisch.store.alert_subscriptions import AlertSubscription
from spieltisch.tables import NewTable, Table
from tests.live.fake_services import Post, Web, posting, web_server
from tests.live.live_fixture import SECONDS, move

BEGIN = 1_000_000.0


class Clock:
    """A manual clock that shows `now`, or is ahead by `ahead` seconds while it is wrong."""

    def __init__(self) -> None:
        self.now = BEGIN
        self.ahead = 0.0

    def __call__(self) -> float:
        return self.now + self.ahead


class House(NamedTuple):
    """The inside of a server with Ada and Ben, and the mail and web servers outside."""

    live: Live
    ada: Person
    ben: Person
    clock: Clock
    post: Post
    web: Web

    async def table(self) -> Table:
        """Open a table at which it is Ada's turn."""
        table = await self.live.tables.open(self.ada, NewTable("paris-connection", ("me", "link", "link")))
        table = await self.live.tables.run(table.id, tables.sit, self.ben, by_link=True)
        cleo, _ = await self.live.people.create("Cleo")
        return await self.until(await self.live.tables.run(table.id, tables.sit, cleo, by_link=True), self.ada)

    async def until(self, table: Table, person: Person) -> Table:
        """Play moves until this person is to decide."""
        while table.summary().waiting_for != person.id:
            table = await move(self.live, table)
        return table

    async def mailed(self, person: Person, address: str = "ben@example.org") -> AlertSubscription:
        """Return a confirmed subscription by mail."""
        subscription = await self.live.subscriptions.add(person, MAIL, {"address": address})
        self.post.mails.pop()  # which asks for it
        self.post.received.pop()
        await self.live.subscriptions.confirm(subscription)
        return await self.live.subscriptions.get(person.id, subscription.id)

    async def hooked(self, person: Person) -> AlertSubscription:
        return await self.live.subscriptions.add(person, SERVICE, {"address": f"{self.web.address}/hook"})

    async def look(self) -> float | None:
        """Let the loop that sends alerts run once, and finish everything that it began."""
        due = await self.live.alert_sender.send_due()
        await self.live.alert_sender.sending.wait_idle()
        return due

    async def wish(self, person: Person, **alert_preferences: int | str) -> None:
        telling = msgspec.structs.replace(AlertSettings(), **alert_preferences)
        await self.live.people.update(person.id, preferences=Preferences(alerts=telling))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Return a function that runs a job inside a server, which may by default reach private networks."""
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
                        features=FEATURES,
                        clock=clock,
                        steady=lambda: clock.now,
                        limits=limits,
                        mail=post.settings,
                        guard=SsrfGuard(private=private, seconds=seconds),
                        push_services=[urlsplit(web.address).netloc],
                        address=lambda: "https://games.example.org",
                    )
                    try:
                        ada, _ = await live.people.create("Ada")
                        ben, _ = await live.people.create("Ben", "de")
                        await asyncio.wait_for(job(House(live, ada, ben, clock, post, web)), SECONDS)
                    finally:
                        await live.close()

            asyncio.run(main())

        yield run
