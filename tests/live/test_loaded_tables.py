"""Check that tables in memory are loaded on request, released when unused, and never outdated."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.byte_cache import IDLE_SECONDS
from spieltisch.live.table_loading import load_table
from spieltisch.store import Person
from spieltisch.tables import Aborted, Table, lifecycle
from tests.live.live_fixture import PLAN, move, play, running
from tests.store.held_writer import hold_writer
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def test_a_table_that_changes_while_loading_is_returned_in_its_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_bytes, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any) -> Table:
        loaded = await load_table(*args)
        read_bytes.set()
        await go_on.wait()
        return loaded

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)

        def sit(table: Table, *args: Any) -> Any:
            is_held.set()
            return tables.sit(table, *args)

        is_held = asyncio.Event()
        try:
            async with hold_writer(live.store):
                sitting = asyncio.create_task(live.tables.run(table.id, sit, ben, 1))
                await is_held.wait()
                live.tables.evict(table.id)  # as when other tables need the memory
                monkeypatch.setattr("spieltisch.live.loaded_tables.load_table", slowly)
                loading = asyncio.create_task(live.tables.get(table.id))
                await read_bytes.wait()
            newest = await sitting
            live.tables.evict(table.id)
        finally:  # or closing would wait for ever for what has failed
            go_on.set()
        assert (await loading).version == newest.version > table.version
        assert (await live.tables.get(table.id)).seats[1].person == ben.id
        await live.tables.run(table.id, tables.leave, ben.id)

    play(tmp_path, job)


def test_the_number_of_tables_in_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.live.followed_tables.MAX_BYTES_IN_MEMORY", 70_000)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        opened_tables = [await live.tables.open(ada, PLAN) for _ in range(8)]
        for table in opened_tables:
            assert (await live.tables.run(table.id, tables.sit, ben, 1)).seats[1].person == ben.id
        assert len(live.tables._tables) == 3
        table = await running(live, ada, ben)
        while table.estimated_bytes < 70_000:
            table = await move(live, table)
        later_table = await live.tables.get(opened_tables[0].id)
        assert len(live.tables._tables) == 1, "a game that goes on is bigger than many that have not begun"
        assert await live.tables.get(later_table.id) is later_table

    play(tmp_path, job)


def test_a_table_not_requested_for_some_minutes_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        now = 0.0
        monkeypatch.setattr(live.tables._tables, "_clock", lambda: now)
        idle, in_use = await running(live, ada, ben), await live.tables.open(ada, PLAN)
        now = IDLE_SECONDS + 1
        await live.tables.get(in_use.id)
        live.tables.release()
        assert await live.tables.get(in_use.id) is in_use
        reloaded_table = await live.tables.get(idle.id)
        assert reloaded_table is not idle
        assert reloaded_table.summary() == idle.summary()
        await move(live, idle)

    play(tmp_path, job)


def test_a_table_with_too_many_events_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit, one visitor could store so many that loading the table takes minutes."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        monkeypatch.setattr(lifecycle, "MAX_EVENTS", table.version + 2)
        table = await live.tables.run(table.id, tables.renew_spectator_links, ada.id)
        assert table.status == "running"
        table = await live.tables.run(table.id, tables.renew_spectator_links, ada.id)
        assert table.status == "aborted"
        assert table.version == lifecycle.MAX_EVENTS + 1
        assert table.events[-1].event == Aborted(full=True)
        with refused("over", "over"):
            await live.tables.run(table.id, tables.renew_spectator_links, ada.id)
        live.tables.evict(table.id)
        assert (await live.tables.get(table.id)).log(None) == table.log(None)

    play(tmp_path, job)
