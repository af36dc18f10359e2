"""Check that only tables that are never started are closed after some time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.limits import DAY, DEFAULT, Limits
from spieltisch.live.timekeeper import close_unbegun_tables
from spieltisch.store import Person
from spieltisch.tables import NewTable
from tests.live.live_fixture import PLAN, running
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases

WEEK = DEFAULT.waiting_days * DAY


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_waiting_tables_expire_and_running_tables_never_expire(tmp_path: Path) -> None:
    clock = Clock()

    async def main() -> None:
        live = await Live.open(
            tmp_path / "house.sqlite3", clock=clock, steady=clock, limits=Limits(total_tables=4), features=FEATURES
        )
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            running_table = await running(live, ada, ben)
            open_table, joined_table = await live.tables.open(ada, PLAN), await live.tables.open(ada, PLAN)
            clock.now += WEEK / 2
            await live.tables.sit(joined_table.id, ben, None)
            late_table = await live.tables.open(ada, PLAN)
            with refused("too-many-tables"):
                await live.tables.open(ada, PLAN)
            clock.now += WEEK / 2
            await live.tables.expire(DEFAULT.waiting_days)
            assert (await live.tables.get(open_table.id)).status == "open", "a week is not over yet"
            clock.now += 1
            changed_tables: list[str] = []
            live.tables.subscribe(None, lambda table: changed_tables.append(table.id))
            await live.tables.expire(DEFAULT.waiting_days)
            assert changed_tables == [open_table.id], "who looks at it sees it closed"
            statuses = {table.id: table.status for table in await live.store.tables()}
            assert statuses == {
                running_table.id: "running",
                open_table.id: "aborted",
                joined_table.id: "open",
                late_table.id: "open",
            }
            await live.tables.open(ada, PLAN)
            clock.now += 1000 * WEEK
            await live.tables.expire(DEFAULT.waiting_days)
            assert {table.id for table in await live.store.tables("open", "running")} == {running_table.id}
        finally:
            await live.close()

    asyncio.run(main())


def test_a_game_that_starts_during_expiry_runs_or_is_refused(tmp_path: Path) -> None:
    """A waiting table may start after it was listed as expired, so its state is checked again before it is closed."""
    clock = Clock()

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=clock, steady=clock, features=FEATURES)
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


def test_without_a_limit_waiting_tables_never_expire(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        await close_unbegun_tables(live.tables, 0, live.leases)  # ends at once
        assert (await live.tables.get(table.id)).status == "open"

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=lambda: 1.0, features=FEATURES)
        try:
            ada, _ = await live.people.create("Ada")
            await job(live, ada)
        finally:
            await live.close()

    asyncio.run(main())
