"""Check appending and reading events."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from spieltisch.store import NoSuchTable, StaleVersion, Store, StoreClosed, WriteFailed
from spieltisch.store.lobby import MAX_ROWS, public_tables
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.store.held_writer import hold_writer

pytestmark = pytest.mark.both_databases

OPEN = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
RUNNING = TableSummary(
    "running", (SeatSummary("person", "ada", "Ada"), SeatSummary("person", "ben", "Ben")), to_decide=1, host="ada"
)


def opened(store: Store, table: str = "t", at: float = 1.0) -> str:
    assert wait(store.create(table, "toy", bytes(range(32)), [(at, b"1")], OPEN)) == 1
    return table


async def start_jobs(*jobs: Coroutine[Any, Any, int]) -> list[asyncio.Task[int]]:
    """Return all jobs, started at the same time."""
    tasks = [asyncio.create_task(job) for job in jobs]
    await asyncio.sleep(0)
    return tasks


def test_events_of_a_table_are_stored_in_order(store: Store) -> None:
    table = opened(store)
    assert wait(store.append(table, 1, [(2.0, b"2"), (2.0, b"3")], RUNNING)) == 3
    assert wait(store.append(table, 3, [], RUNNING)) == 3
    assert [(event.version, event.at, event.data) for event in wait(store.events(table))] == [
        (1, 1.0, b"1"),
        (2, 2.0, b"2"),
        (3, 2.0, b"3"),
    ]
    assert [event.data for event in wait(store.events(table, after=2))] == [b"3"]
    assert wait(store.events("nowhere")) == ()
    assert wait(store.secret(table)) == bytes(range(32))


def test_appending_to_an_outdated_version_changes_nothing(store: Store) -> None:
    table = opened(store)
    for expected in (0, 2, -1):
        with pytest.raises(StaleVersion) as stale:
            wait(store.append(table, expected, [(2.0, b"x")], RUNNING))
        assert (stale.value.expected, stale.value.version) == (expected, 1)
    with pytest.raises(NoSuchTable):
        wait(store.append("nowhere", 0, [(2.0, b"x")], RUNNING))
    with pytest.raises(NoSuchTable):
        wait(store.secret("nowhere"))
    with pytest.raises(WriteFailed):
        wait(store.create(table, "toy", bytes(32), [(9.0, b"again")], OPEN))
    assert [event.data for event in wait(store.events(table))] == [b"1"]
    assert wait(store.tables())[0].summary == OPEN


def test_only_one_of_two_concurrent_appends_succeeds(store: Store) -> None:
    table = opened(store)

    async def race() -> list[int | BaseException]:
        appends = [store.append(table, 1, [(2.0, b"%d" % n)], RUNNING) for n in range(20)]
        return await asyncio.gather(*appends, return_exceptions=True)

    assert sum(isinstance(outcome, int) for outcome in wait(race())) == 1
    assert len(wait(store.events(table))) == 2


def test_concurrent_writes_share_a_commit_and_fail_separately(store: Store) -> None:
    names = [opened(store, f"t{n}") for n in range(12)]
    commits = store.commits

    async def append_together() -> list[int | BaseException]:
        async with hold_writer(store):
            tasks = await start_jobs(
                *(store.append(name, 1 if n % 3 else 7, [(2.0, b"2")], RUNNING) for n, name in enumerate(names))
            )
            (failed_append,) = await start_jobs(store.append(names[0], 1, [(2.0, b"given up")], RUNNING))
            assert failed_append.cancel()
            await asyncio.wait([failed_append])
        return await asyncio.gather(*tasks, return_exceptions=True)

    for n, task_number in enumerate(wait(append_together())):
        if n % 3:
            assert task_number == 2
        else:
            assert isinstance(task_number, StaleVersion)
    assert store.commits == commits + 2
    assert [len(wait(store.events(name))) for name in names] == [2 if n % 3 else 1 for n in range(12)]


def test_no_write_is_visible_before_its_commit(store: Store) -> None:
    table = opened(store)

    async def write() -> int:
        async with hold_writer(store):
            (append,) = await start_jobs(store.append(table, 1, [(2.0, b"2")], RUNNING))
            assert len(await store.events(table)) == 1
            assert not append.done()
        return await append

    assert wait(write()) == 2
    assert len(wait(store.events(table))) == 2


@pytest.mark.sqlite_only
def test_a_write_to_a_full_disk_fails_and_changes_nothing(store: Store) -> None:
    table = opened(store)
    pages = wait(store.write(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()))
    wait(store.write(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")))

    async def append_two() -> list[int | BaseException]:
        async with hold_writer(store):
            tasks = await start_jobs(
                store.append(table, 1, [(2.0, bytes(500_000))], RUNNING), store.append(table, 1, [(2.0, b"2")], RUNNING)
            )
        return await asyncio.gather(*tasks, return_exceptions=True)

    full_result, small = wait(append_two())
    assert isinstance(full_result, WriteFailed)
    assert "full" in str(full_result)
    stands = 1 if isinstance(small, WriteFailed) else small
    assert len(wait(store.events(table))) == stands == wait(store.tables())[0].version
    wait(store.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000")))
    assert wait(store.append(table, stands, [(3.0, bytes(500_000))], RUNNING)) == stands + 1


@pytest.mark.sqlite_only
def test_connections_for_reading_cannot_write(store: Store) -> None:
    with pytest.raises(SQLAlchemyError, match="readonly"):
        wait(store.read(lambda connection: connection.exec_driver_sql("DELETE FROM events")))


@pytest.mark.sqlite_only
def test_the_database_uses_wal_full_sync_and_foreign_keys(store: Store) -> None:
    def pragmas(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    assert wait(store.write(pragmas)) == ["wal", 2, 1]
    with pytest.raises(WriteFailed, match="FOREIGN KEY"):
        wait(
            store.write(
                lambda connection: connection.exec_driver_sql("INSERT INTO events VALUES ('nowhere', 1, 0, x'00')")
            )
        )


def test_tables_are_listed_by_status_and_person_newest_first(store: Store) -> None:
    for n in range(3):
        opened(store, f"t{n}", at=float(n))
    wait(store.append("t0", 1, [(9.0, b"2")], RUNNING))
    assert [table.id for table in wait(store.tables())] == ["t0", "t2", "t1"], "what has changed last comes first"
    assert [table.id for table in wait(store.tables("open"))] == ["t2", "t1"]
    assert [table.id for table in wait(store.tables("running", "finished"))] == ["t0"]
    assert [table.id for table in wait(store.tables(person="ben"))] == ["t0"]
    assert [table.id for table in wait(store.tables(person="ada"))] == ["t0", "t2", "t1"]
    assert [table.id for table in wait(store.tables(table_id="t1"))] == ["t1"]
    assert wait(store.tables(person="nobody")) == ()
    first = wait(store.tables())[0]
    assert (first.created, first.changed, first.version, first.status) == (0.0, 9.0, 2, "running")
    assert first.summary.is_turn_of("ben")
    assert not first.summary.is_turn_of("ada")


def test_many_newer_tables_open_by_link_alone_do_not_hide_tables_with_a_free_seat(store: Store) -> None:
    opened(store, "free")
    linked_summary = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("link")), host="ada")

    async def newer() -> None:
        tables = (f"by-link-{n}" for n in range(3 * MAX_ROWS + 1))
        await asyncio.gather(
            *(store.create(table, "toy", bytes(32), [(2.0, b"1")], linked_summary) for table in tables)
        )

    wait(newer())
    assert [table.id for table in wait(public_tables(store)).open.tables] == ["free"]
    wait(store.append("free", 1, [(3.0, b"2")], RUNNING))
    assert wait(public_tables(store)).open.tables == ()


def test_a_stored_setting_of_the_server_is_never_replaced(store: Store) -> None:
    key = wait(store.get_setting("key"))
    assert len(key) == 32
    assert wait(store.get_setting("key", lambda: b"another")) == key


def test_a_closed_store_refuses_reading_and_writing(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.sqlite3")
    table = opened(store)

    async def close_store() -> int:
        (last_append,) = await start_jobs(store.append(table, 1, [(2.0, b"2")], RUNNING))
        await store.close()
        return await last_append

    assert wait(close_store()) == 2
    with pytest.raises(StoreClosed):
        wait(store.append(table, 2, [(2.0, b"3")], RUNNING))
    with pytest.raises(StoreClosed):
        wait(store.events(table))
    reopened_store = Store(tmp_path / "house.sqlite3")
    assert len(wait(reopened_store.events(table))) == 2
    wait(reopened_store.close())
