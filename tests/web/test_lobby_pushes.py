"""The cost of an open lobby, counted inside the server; its shared part contains nothing personal."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import fields
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from litestar import Litestar

from spieltisch import tables
from spieltisch.bots import BEGINNER, BOTS
from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from spieltisch.live import Live
from spieltisch.store import Person, lobby
from spieltisch.store.people import NO_ACCESS
from spieltisch.tables import NewTable, Table
from spieltisch.web.app import LOBBY_SECONDS, publish_changes
from spieltisch.web.http.assets import MAX_DRAWN, Assets, DrawnFiles
from spieltisch.web.http.sessions import Site, Visitor
from spieltisch.web.http.stream import END, HEARTBEAT, Streams
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.fragments import CHAT, PLANS, Fragments
from spieltisch.web.pages.lobby import LOBBY
from spieltisch.web.pages.renderer import Renderer
from tests.live.live_fixture import move

OPEN = NewTable("paris-connection", ("me", "open", "open"))
BY_LINK = NewTable("paris-connection", ("me", "link", "link"))


class House:
    """A server's inside with its streams; `timers` holds what waits for a second to pass."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.streams = Streams()
        self.drawn = DrawnFiles()
        self.fragments = Fragments(live, Renderer(Assets(), self.drawn))
        self.timers: list[Callable[[], None]] = []
        self.rendered: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        state = SimpleNamespace(streams=self.streams, fragments=self.fragments, reach=SimpleNamespace())
        publish_changes(live, cast(Litestar, SimpleNamespace(state=state)), self.later)

    def later(self, seconds: float, job: Callable[[], None]) -> None:
        assert seconds == LOBBY_SECONDS == 1
        self.timers.append(job)

    def second(self) -> None:
        """A second passes."""
        timers, self.timers = self.timers, []
        for job in timers:
            job()

    async def visitor(self, name: str = "", language: str = "en") -> Visitor:
        """Return a visitor with this name, or an unknown one."""
        known: dict[str, Any] = {
            "site": Site(),
            "session_key": "",
            "language": language,
            "is_new": False,
            "access": NO_ACCESS,
            "seen_devices": 0,
        }
        if name:
            known["person"], known["session_key"] = await self.live.people.create(name, language)
        return Visitor(**{field.name: None for field in fields(Visitor)} | known)

    async def lobby(self, visitor: Visitor) -> str:
        """The lobby as a stream brings it."""
        event = await self.fragments.event(LOBBY, 0, visitor)
        assert event is not None
        return event[1].plain.decode()

    async def running(self, *people: Visitor) -> Table:
        """Open a table that no other person may join."""
        table = await self.live.tables.open(person(people[0]), BY_LINK)
        for other in people[1:]:
            table = await self.live.tables.run(table.id, tables.sit, person(other), by_link=True)
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
    live = await Live.open(path / "house.sqlite3")
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


class Page:
    """An open lobby page: what its stream brings is in `events`."""

    def __init__(self, house: House, visitor: Visitor) -> None:
        self.visitor = visitor
        self.events: asyncio.Queue[str] = asyncio.Queue()
        self._house = house
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        known = {LOBBY: self._house.fragments.lobby.version(self.visitor)}
        fragment = partial(self._house.fragments.event, visitor=self.visitor)
        async for data in self._house.streams.open(known, fragment, person=self.visitor.person_id):
            self.events.put_nowait(data.decode())

    async def connected(self) -> Page:
        assert await self.events.get() == HEARTBEAT.plain.decode()
        return self


def test_only_those_are_told_who_are_shown_something_else(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, ben, cleo, dora = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
            table = await house.running(ada, ben, cleo)
            house.second()
            house.second()
            unknown = [await Page(house, await house.visitor()).connected() for _ in range(20)]
            named = [await Page(house, visitor).connected() for visitor in (ada, ben, cleo, dora)]
            house.rendered.clear()
            await house.move(table)
            for page in named[:3]:
                assert table.id in await page.events.get()
            assert house.rendered["lobby_live.html"] == 3
            opening = await house.live.tables.open(person(dora), OPEN)
            house.second()
            for page in (*unknown, *named):
                assert opening.id in await page.events.get(), "nothing was pushed before"
            assert house.rendered["lobby_live.html"] == 3 + 1 + 4, "once for all who are unknown"
            assert all(page.events.empty() for page in (*unknown, *named))

    asyncio.run(job())


def test_many_changes_are_one_push_a_second(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, page = await house.visitor("Ada"), await Page(house, await house.visitor()).connected()
            first, *others = [(await house.live.tables.open(person(ada), OPEN)).id for _ in range(5)]
            assert first in await page.events.get()
            assert (len(house.timers), page.events.empty()) == (1, True)
            house.second()
            pushed = await page.events.get()
            assert all(table_id in pushed for table_id in (first, *others))
            house.second()
            assert (house.timers, page.events.empty()) == ([], True)

    asyncio.run(job())


def test_a_push_waits_for_nothing_that_others_are_shown(tmp_path: Path) -> None:
    """Otherwise its time would tell that somebody plays at a table that its reader may not know."""

    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, ben, cleo, dora = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
            table = await house.running(ada, ben, cleo)
            unknown = await Page(house, await house.visitor()).connected()
            own = await Page(house, dora).connected()
            await house.move(table)
            by_link = await house.live.tables.open(person(dora), BY_LINK)
            assert by_link.id in await own.events.get()
            public = await house.live.tables.open(person(dora), OPEN)
            assert public.id in await unknown.events.get()

    asyncio.run(job())


def test_what_all_see_is_read_once_and_rendered_once_for_each_language(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada")
            for _ in range(3):
                await house.live.tables.open(person(ada), OPEN)
            people = [await house.visitor(name, language) for language in LANGUAGES for name in ("", "", "Ben", "Eve")]
            house.asked.clear()
            await asyncio.gather(*(house.lobby(visitor) for visitor in people))
            named = sum(visitor.person is not None for visitor in people)
            assert house.asked["lists"] == 2 + 2 * named
            assert house.rendered["lobby_row.html"] == 3 * len(LANGUAGES)
            await house.live.tables.open(person(ada), OPEN)
            await asyncio.gather(*(house.lobby(visitor) for visitor in people))
            assert house.asked["lists"] == 4 + 2 * named, "nobody's own tables have changed"
            assert house.rendered["lobby_row.html"] == 4 * len(LANGUAGES), "the rows of before are kept"

    asyncio.run(job())


def test_the_cards_of_games_are_rendered_once_for_each_language(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            people = [await house.visitor(name, language) for language in LANGUAGES for name in ("", "Ben", "Eve")]
            levels = dict.fromkeys(game_modules(), "easy")
            for visitor in people:
                html = await house.fragments.lobby.page(visitor, levels)
                (plate, *_) = re.findall(r'href="/drawn/([^"#]+)#plate"', html)
                assert house.drawn.read(plate)
            games = len(game_modules())
            assert house.rendered["quick_start.html"] == len(LANGUAGES)
            assert house.rendered["game_card.html"] == games * len(LANGUAGES)
            for number in range(MAX_DRAWN):
                house.drawn.keep(f"<svg id='{number}'/>", ".svg")
            assert plate in await house.fragments.lobby.page(visitor, levels)
            assert house.drawn.read(plate), "a cached card does not lose its picture"
            harder = await house.fragments.lobby.page(visitor, dict.fromkeys(game_modules(), BOTS[-1]))
            assert f'value="{BOTS[-1]}" form="quick" checked' in harder

    asyncio.run(job())


def test_what_is_shared_holds_nothing_of_one_alone(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            people = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora", "")]
            ada, ben, *_ = people
            private = await house.running(*people[:3])
            ada_table = await house.live.tables.open(person(ada), OPEN)
            ben_table = await house.live.tables.open(person(ben), BY_LINK)
            seen = {
                ada: {private.id, ada_table.id},
                ben: {private.id, ada_table.id, ben_table.id},
                people[2]: {private.id, ada_table.id},
                people[3]: {ada_table.id},
                people[4]: {ada_table.id},
            }
            for order in (people, people[::-1]):
                house.live.tables.lobby.change_all()
                for visitor in order:
                    levels = dict.fromkeys(game_modules(), BEGINNER)
                    for html in (await house.lobby(visitor), await house.fragments.lobby.page(visitor, levels)):
                        assert set(re.findall(r'href="/table/([^"]+)"', html)) == seen[visitor]
                        own, _, public = html.partition('id="open-title"')
                        assert (ada_table.id in own, ada_table.id in public) == (visitor is ada, visitor is not ada)
                        turn = private.summary().is_turn_of(visitor.person_id or "")
                        assert html.count('class="turn"') == html.count('class="mine"') == turn

    asyncio.run(job())


def test_who_comes_back_with_the_newest_is_sent_nothing_and_nothing_is_rendered(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, *people = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "")]
            table = await house.move(await house.running(ada, *people[:2]))
            topics = [LOBBY, table.id, f"{CHAT}{table.id}", f"{PLANS}{table.id}", f"{END}{table.id}"]
            for visitor in people:
                for topic in topics:
                    event = await house.fragments.event(topic, -1, visitor)
                    if event is None:
                        assert (topic, visitor.person) == (f"{PLANS}{table.id}", None)
                        continue
                    house.rendered.clear()
                    house.asked.clear()
                    assert await house.fragments.event(topic, event[0], visitor) is None
                    assert (house.rendered.total(), house.asked.total()) == (0, 0), topic
                    assert await house.fragments.event(topic, event[0] - 1, visitor) is not None

    asyncio.run(job())


def test_a_picture_is_drawn_when_it_is_asked_for_and_once_for_each_version(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, *people = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo")]
            with patch.object(BoardPictures, "_draw", autospec=True, side_effect=BoardPictures._draw) as draw:
                running = [await house.running(ada, *people) for _ in range(3)]
                house.asked.clear()
                for table in running:
                    assert f"/table/{table.id}/picture?v={table.version}" in await house.lobby(ada)
                assert (house.asked["lists"], draw.call_count) == (4, 0)
                pictures = house.fragments.pictures
                first, *others = await asyncio.gather(*(pictures.of(running[0]) for _ in range(5)))
                assert first is not None
                assert others == [first] * 4
                assert await pictures.of(running[0]) is first
                assert draw.call_count == 1
                later = await house.move(running[0])
                assert (await pictures.of(later) or first).version == later.version > first.version
                assert draw.call_count == 2
                waiting = await house.live.tables.open(person(ada), OPEN)
                assert await pictures.of(waiting) is None

    asyncio.run(job())
