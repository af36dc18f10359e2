"""Tables that are never started are closed after a while; other tables are not."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.limits import DAY, DEFAULT, Limits
from spieltisch.live.timekeeper import close_unbegun_tables
from spieltisch.store import Person
from spieltisch.tables import NewTable
from tests.live.live_fixture import PLAN, running
from tests.tables.harness import refused

WEEK = DEFAULT.waiting_days * DAY


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_what_waits_is_closed_in_time_and_what_has_begun_never(tmp_path: Path) -> None:
    clock = Clock()

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=clock, steady=clock, limits=Limits(total_tables=4))
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            begun = await running(live, ada, ben)
            waits, joined = await live.tables.open(ada, PLAN), await live.tables.open(ada, PLAN)
            clock.now += WEEK / 2
            await live.tables.sit(joined.id, ben, None)
            late = await live.tables.open(ada, PLAN)
            with refused("too-many-tables"):
                await live.tables.open(ada, PLAN)
            clock.now += WEEK / 2
            await live.tables.expire(DEFAULT.waiting_days)
            assert (await live.tables.get(waits.id)).status == "open", "a week is not over yet"
            clock.now += 1
            changed: list[str] = []
            live.tables.subscribe(None, lambda table: changed.append(table.id))
            await live.tables.expire(DEFAULT.waiting_days)
            assert changed == [waits.id], "who looks at it sees it closed"
            statuses = {table.id: table.status for table in await live.store.tables()}
            assert statuses == {begun.id: "running", waits.id: "aborted", joined.id: "open", late.id: "open"}
            await live.tables.open(ada, PLAN)
            clock.now += 1000 * WEEK
            await live.tables.expire(DEFAULT.waiting_days)
            assert {table.id for table in await live.store.tables("open", "running")} == {begun.id}
        finally:
            await live.close()

    asyncio.run(main())


def test_who_begins_while_it_is_closed_is_first_or_is_told(tmp_path: Path) -> None:
    """The command looks at the table as it stands then, and not at what the list said."""
    clock = Clock()

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=clock, steady=clock)
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "bot:easy")))
            clock.now += 2 * WEEK
            await asyncio.gather(live.tables.sit(table.id, ben, 1), live.tables.expire(DEFAULT.waiting_days))
            assert (await live.tables.get(table.id)).status == "running"
            assert tables.expire(await live.tables.get(table.id), 9 * WEEK, 7) == ()
        finally:
            await live.close()

    asyncio.run(main())


def test_without_a_limit_they_wait_for_ever(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        await close_unbegun_tables(live.tables, 0)  # ends at once
        assert (await live.tables.get(table.id)).status == "open"

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=lambda: 1.0)
        try:
            ada, _ = await live.people.create("Ada")
            await job(live, ada)
        finally:
            await live.close()

    asyncio.run(main())
