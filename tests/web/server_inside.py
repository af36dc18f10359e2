"""Provide a server's inside with its streams, and count what it renders and reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from litestar import Litestar

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import Person, lobby
from spieltisch.store.people import NO_ACCESS
from spieltisch.tables import NewTable, Table
from spieltisch.web.app import FEATURE_SITE_TOPICS, FOLDERS, LOBBY_SECONDS, TOPICS, publish_changes
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import Site, Visitor
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.lobby import LOBBY
from spieltisch.web.pages.renderer import Renderer
from tests.live.live_fixture import move

BY_LINK = NewTable("paris-connection", ("me", "link", "link"))


class House:
    """The inside of a server with its streams; `timers` holds the jobs that wait for a second to pass."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.streams = Streams()
        self.drawn = DrawnFiles()
        pages = Renderer(Assets(), self.drawn, folders=FOLDERS)
        self.fragments = Fragments(live, pages, TOPICS, site_topics=FEATURE_SITE_TOPICS)
        self.timers: list[Callable[[], None]] = []
        self.rendered: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        state = SimpleNamespace(parts=SimpleNamespace(streams=self.streams, fragments=self.fragments))
        publish_changes(live, cast(Litestar, SimpleNamespace(state=state)), self.later)

    def later(self, seconds: float, job: Callable[[], None]) -> None:
        assert seconds == LOBBY_SECONDS == 1
        self.timers.append(job)

    def second(self) -> None:
        """Let a second pass."""
        timers, self.timers = self.timers, []
        for job in timers:
            job()

    async def visitor(self, name: str = "", language: str = "en") -> Visitor:
        """Return a visitor with this name, or an unknown one."""
        visitor_settings: dict[str, Any] = {
            "site": Site(),
            "session_key": "",
            "language": language,
            "is_new": False,
            "access": NO_ACCESS,
            "seen_devices": 0,
        }
        if name:
            visitor_settings["person"], visitor_settings["session_key"] = await self.live.people.create(name, language)
        return Visitor(**{field.name: None for field in fields(Visitor)} | visitor_settings)

    async def lobby(self, visitor: Visitor) -> str:
        """Return the lobby as sent by a stream."""
        event = await self.fragments.event(LOBBY, 0, visitor)
        assert event is not None
        return event[1].plain.decode()

    async def running(self, *people: Visitor) -> Table:
        """Open a table that no other person may join."""
        table = await self.live.tables.open(person(people[0]), BY_LINK)
        for other_player in people[1:]:
            table = await self.live.tables.run(table.id, tables.sit, person(other_player), by_link=True)
        return table

    async def move(self, table: Table) -> Table:
        """Play until another player is to decide."""
        before = table.to_decide
        while table.to_decide == before:
            table = await move(self.live, table)
        return table


def person(visitor: Visitor) -> Person:
    assert visitor.person is not None
    return visitor.person


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[House]:
    live = await Live.open(path / "house.sqlite3", features=FEATURES)
    house = House(live)
    render, ask = Renderer.render, lobby._table_page

    def rendering(pages: Renderer, template: str, *args: Any, **kwargs: Any) -> str:
        house.rendered[template] += 1
        return render(pages, template, *args, **kwargs)

    def asking(*args: Any) -> Any:
        house.asked["lists"] += 1
        return ask(*args)

    try:
        await live.tables.replaying
        with patch.object(Renderer, "render", rendering), patch.object(lobby, "_table_page", asking):
            yield house
    finally:
        house.streams.end()
        await live.close()
