"""Check what spectators with a delay see of a table while time passes, clocks are set, and servers start again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.delayed_tables import DelayedTables
from spieltisch.store import Person, lobby
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.table_settings import MINUTE, UNTIL_END
from tests.live.hand_set_clocks import Clocks, serve
from tests.live.live_fixture import ENDING, move, to_the_end

FIVE = TableSettings(watch_delay=5)
DAY = TableSettings(watch_delay=1440)


class Timers:
    """Timers that wait until the test lets them ring, and the tables to look at again."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.looked: list[str] = []

    def later(self, seconds: float, job: Callable[[], None]) -> asyncio.TimerHandle:
        self.waiting.append((seconds, job))
        return asyncio.get_running_loop().call_later(3600, job)

    def ring(self) -> None:
        waiting, self.waiting = self.waiting, []
        for _, job in waiting:
            job()


async def opened(live: Live, ada: Person, ben: Person, charter: TableSettings, hands: Clocks) -> Table:
    """Open a table with a running game of Ada and Ben, which anyone may watch."""
    table = await live.tables.open(
        ada, NewTable("paris-connection", ("me", "open", "here:Cleo"), ENDING, charter=charter)
    )
    table = await live.tables.run(table.id, tables.sit, ben)
    hands.run(10)
    return table


async def seen(live: Live, table: Table, person: str | None = None) -> Table:
    return await live.delayed_tables.seen_by(await live.tables.get(table.id), person)


def test_spectators_see_each_move_when_its_delay_is_over(tmp_path: Path) -> None:
    hands, timers = Clocks(), Timers()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        live.delayed_tables = DelayedTables(live.clock, timers.looked.append, timers.later)
        table = await opened(live, ada, ben, FIVE, hands)
        start = await seen(live, table)
        assert (start.version, len(start.moves), start.status) == (table.version, 0, "running"), "the deal at once"
        first = await move(live, table)
        hands.run(60)
        second = await move(live, first)
        assert (await seen(live, second)).version == table.version
        assert await seen(live, second, ada.id) is second
        assert await seen(live, second, ben.id) is second
        ((seconds, _),) = timers.waiting
        assert seconds == pytest.approx(4 * MINUTE, abs=1)
        hands.run(seconds)
        timers.ring()
        assert timers.looked == [table.id]
        now = await seen(live, second)
        assert (now.version, now.position_version) == (first.version, first.position_version)
        assert now is await seen(live, second), "one object, so that pages of it are rendered once"
        hands.run(60)
        assert (await seen(live, second)).version == second.version
        await live.delayed_tables.close()

    serve(tmp_path, hands, job)


def test_setting_the_clock_shows_nothing_earlier(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await opened(live, ada, ben, FIVE, hands)
        moved = await move(live, table)
        hands.wall += 3600
        assert (await seen(live, moved)).version == table.version
        hands.run(4 * MINUTE)
        hands.wall -= 7200
        assert (await seen(live, moved)).version == table.version
        hands.run(2 * MINUTE)
        assert (await seen(live, moved)).version == moved.version

    serve(tmp_path, hands, job)


def test_a_restart_keeps_the_delay(tmp_path: Path) -> None:
    hands, kept = Clocks(), list[Table]()

    async def before(live: Live, ada: Person, ben: Person) -> None:
        table = await opened(live, ada, ben, DAY, hands)
        kept.extend([table, await move(live, table)])

    async def after(live: Live, *_: Person) -> None:
        table, moved = kept
        assert (await seen(live, moved)).version == table.version
        hands.run(2 * 86_400)
        assert (await seen(live, moved)).version >= moved.version

    serve(tmp_path, hands, before)
    hands.run(3600)
    serve(tmp_path, hands, after)


@pytest.mark.parametrize("charter", [FIVE, TableSettings(watch_delay=UNTIL_END)])
def test_at_the_end_of_the_game_everything_is_seen_at_once(tmp_path: Path, charter: TableSettings) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await opened(live, ada, ben, charter, hands)
        moved = await move(live, table)
        hands.run(MINUTE if charter == FIVE else 10 * MINUTE)
        assert (await seen(live, moved)).version == table.version
        over = await to_the_end(live, moved)
        assert over.is_over
        assert await seen(live, over) is over

    serve(tmp_path, hands, job)


def test_spectators_see_who_sits_there_now(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await opened(live, ada, ben, FIVE, hands)
        moved = await move(live, table)
        assert (await seen(live, moved)).seats[1].kind == "person"
        left = await live.tables.run(table.id, tables.leave, ben.id)
        now = await seen(live, left, ben.id)
        assert (now.version, now.seats[1].kind) == (table.version, "left")
        assert now is await seen(live, left)

    serve(tmp_path, hands, job)


def test_a_renamed_person_is_renamed_in_what_spectators_see(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await opened(live, ada, ben, FIVE, hands)
        await move(live, table)
        assert "Ben" in str([recorded.event for recorded in (await seen(live, table)).events])
        await live.person_data.delete(ben)
        assert "Ben" not in str([recorded.event for recorded in (await seen(live, table)).events])

    serve(tmp_path, hands, job)


def test_lists_of_people_without_a_seat_keep_their_order(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        plan = NewTable("paris-connection", ("open", "bot:easy", "bot:easy"), charter=FIVE)
        opened_tables = []
        for _ in range(2):
            hands.run(10)
            table = await live.tables.open(ben, plan)
            opened_tables.append(await live.tables.run(table.id, tables.sit, ada))
        older, newer = opened_tables
        hands.run(10)
        await move(live, older)
        hosted = await lobby.own_tables(live.store, ben.id)
        watched = await lobby.running_tables(live.store)
        assert [table.id for table in hosted.unfinished.tables] == [newer.id, older.id]
        assert [table.id for table in watched] == [newer.id, older.id]
        later = msgspec.structs.replace(hosted.unfinished.tables[1].summary, turns=5)
        assert [later.seen_by(person.id).turns for person in (ada, ben)] == [5, 0], "a delay hides turns"
        assert {table.seen_by(ben.id).changed for table in hosted.unfinished.tables} == {older.created, newer.created}

    serve(tmp_path, hands, job)
