"""Check the cost of an open lobby, and that its shared part contains nothing personal."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from unittest.mock import patch

from spieltisch import tables
from spieltisch.bots import BEGINNER, BOTS
from spieltisch.core.words import LANGUAGES
from spieltisch.features.chat.service import TOPIC as CHAT
from spieltisch.features.planned_turns.service import TOPIC as PLANS
from spieltisch.games import game_modules
from spieltisch.tables import NewTable
from spieltisch.web.http.assets import MAX_DRAWN
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.stream import END
from spieltisch.web.http.stream_events import HEARTBEAT
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.lobby import LOBBY
from tests.web.server_inside import BY_LINK, House, opened, person

OPEN = NewTable("paris-connection", ("me", "open", "open"))


class Page:
    """An open page of the lobby; `events` are the events of its stream."""

    def __init__(self, house: House, visitor: Visitor) -> None:
        self.visitor = visitor
        self.events: asyncio.Queue[str] = asyncio.Queue()
        self._house = house
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        known_versions = {LOBBY: self._house.fragments.lobby.version(self.visitor)}
        fragment = partial(self._house.fragments.event, visitor=self.visitor)
        async for data in self._house.streams.open(known_versions, fragment, person=self.visitor.person_id):
            self.events.put_nowait(data.decode())

    async def connected(self) -> Page:
        assert await self.events.get() == HEARTBEAT.plain.decode()
        return self


def test_a_change_is_pushed_only_to_lobbies_that_show_the_change(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, ben, cleo, dora = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
            table = await house.running(ada, ben, cleo)
            house.second()
            house.second()
            unknown_pages = [await Page(house, await house.visitor()).connected() for _ in range(20)]
            pages_of_people = [await Page(house, visitor).connected() for visitor in (ada, ben, cleo, dora)]
            house.rendered.clear()
            await house.move(table)
            for page in pages_of_people[:3]:
                assert table.id in await page.events.get()
            assert house.rendered["lobby_live.html"] == 3
            opening = await house.live.tables.open(person(dora), OPEN)
            house.second()
            for page in (*unknown_pages, *pages_of_people):
                assert opening.id in await page.events.get(), "nothing was pushed before"
            assert house.rendered["lobby_live.html"] == 3 + 1 + 4, "once for all who are unknown"
            assert all(page.events.empty() for page in (*unknown_pages, *pages_of_people))

    asyncio.run(job())


def test_a_public_game_is_pushed_to_all_when_it_begins_but_not_with_a_move(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, ben, cleo = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo")]
            table = await house.live.tables.open(person(ada), OPEN)
            page = await Page(house, await house.visitor()).connected()
            for player in (ben, cleo):
                house.second()
                table = await house.live.tables.run(table.id, tables.sit, person(player))
                house.second()
                pushed = await page.events.get()
            assert table.status == "running"
            assert 'id="running-tables"' in pushed
            assert table.id in pushed
            before = house.live.tables.lobby.public
            await house.move(table)
            assert house.live.tables.lobby.public == before

    asyncio.run(job())


def test_changes_of_open_tables_are_pushed_at_most_once_a_second(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, page = await house.visitor("Ada"), await Page(house, await house.visitor()).connected()
            first, *other_ids = [(await house.live.tables.open(person(ada), OPEN)).id for _ in range(5)]
            assert first in await page.events.get()
            assert (len(house.timers), page.events.empty()) == (1, True)
            house.second()
            pushed_event = await page.events.get()
            assert all(table_id in pushed_event for table_id in (first, *other_ids))
            house.second()
            assert (house.timers, page.events.empty()) == ([], True)

    asyncio.run(job())


def test_a_lobby_push_is_not_delayed_by_changes_shown_only_to_others(tmp_path: Path) -> None:
    """Otherwise the time of a push would reveal activity at tables unknown to the reader."""

    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, ben, cleo, dora = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
            table = await house.running(ada, ben, cleo)
            unknown_pages = await Page(house, await house.visitor()).connected()
            own_page = await Page(house, dora).connected()
            await house.move(table)
            linked_table = await house.live.tables.open(person(dora), BY_LINK)
            assert linked_table.id in await own_page.events.get()
            public = await house.live.tables.open(person(dora), OPEN)
            assert public.id in await unknown_pages.events.get()

    asyncio.run(job())


def test_the_shared_part_of_the_lobby_is_read_once_and_rendered_once_for_each_language(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada")
            for _ in range(3):
                await house.live.tables.open(person(ada), OPEN)
            people = [await house.visitor(name, language) for language in LANGUAGES for name in ("", "", "Ben", "Eve")]
            house.asked.clear()
            await asyncio.gather(*(house.lobby(visitor) for visitor in people))
            people_count = sum(visitor.person is not None for visitor in people)
            assert house.asked["lists"] == 2 + 2 * people_count
            assert house.rendered["lobby_row.html"] == 3 * len(LANGUAGES)
            await house.live.tables.open(person(ada), OPEN)
            await asyncio.gather(*(house.lobby(visitor) for visitor in people))
            assert house.asked["lists"] == 4 + 2 * people_count, "nobody's own tables have changed"
            assert house.rendered["lobby_row.html"] == 4 * len(LANGUAGES), "the rows of before are kept"

    asyncio.run(job())


def test_the_game_cards_of_the_lobby_are_rendered_once_for_each_language(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            people = [await house.visitor(name, language) for language in LANGUAGES for name in ("", "Ben", "Eve")]
            levels = dict.fromkeys(game_modules(), "easy")
            for visitor in people:
                html = await house.fragments.lobby.page(visitor, levels, {})
                (plate, *_) = re.findall(r'href="/drawn/([^"#]+)#plate"', html)
                assert house.drawn.read(plate)
            games = len(game_modules())
            assert house.rendered["quick_start.html"] == len(LANGUAGES)
            assert house.rendered["game_card.html"] == games * len(LANGUAGES)
            for number in range(MAX_DRAWN):
                house.drawn.keep(f"<svg id='{number}'/>", ".svg")
            assert plate in await house.fragments.lobby.page(visitor, levels, {})
            assert house.drawn.read(plate), "a cached card does not lose its picture"
            harder = await house.fragments.lobby.page(visitor, dict.fromkeys(game_modules(), BOTS[-1]), {})
            assert f'value="{BOTS[-1]}" form="quick-start-form" checked' in harder

    asyncio.run(job())


def test_the_shared_part_of_the_lobby_contains_nothing_personal(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            people = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo", "Dora", "")]
            ada, ben, *_ = people
            private = await house.running(*people[:3])
            ada_table = await house.live.tables.open(person(ada), OPEN)
            ben_table = await house.live.tables.open(person(ben), BY_LINK)
            lobby_parts = {
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
                    for html in (await house.lobby(visitor), await house.fragments.lobby.page(visitor, levels, {})):
                        assert set(re.findall(r'href="/table/([^"]+)"', html)) == lobby_parts[visitor]
                        own_part, _, public = html.partition('id="open-tables-title"')
                        assert (ada_table.id in own_part, ada_table.id in public) == (
                            visitor is ada,
                            visitor is not ada,
                        )
                        turn = private.summary().is_turn_of(visitor.person_id or "")
                        assert html.count('class="turn-note"') == html.count('class="is-my-turn"') == turn

    asyncio.run(job())


def test_a_lobby_page_with_the_newest_version_is_sent_nothing(tmp_path: Path) -> None:
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


def test_a_lobby_picture_is_drawn_on_request_and_once_for_each_version(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada, *people = [await house.visitor(name) for name in ("Ada", "Ben", "Cleo")]
            with patch.object(BoardPictures, "_draw", autospec=True, side_effect=BoardPictures._draw) as draw:
                running_tables = [await house.running(ada, *people) for _ in range(3)]
                house.asked.clear()
                for table in running_tables:
                    assert f"/table/{table.id}/picture?v={table.version}" in await house.lobby(ada)
                assert (house.asked["lists"], draw.call_count) == (4, 0)
                pictures = house.fragments.pictures
                first, *other_pictures = await asyncio.gather(*(pictures.of(running_tables[0]) for _ in range(5)))
                assert first is not None
                assert other_pictures == [first] * 4
                assert await pictures.of(running_tables[0]) is first
                assert draw.call_count == 1
                later_table = await house.move(running_tables[0])
                assert (await pictures.of(later_table) or first).version == later_table.version > first.version
                assert draw.call_count == 2
                waiting_table = await house.live.tables.open(person(ada), OPEN)
                assert await pictures.of(waiting_table) is None

    asyncio.run(job())
