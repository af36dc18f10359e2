"""Appending and reading."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from spieltisch.store import NoSuchTable, StaleVersion, Store, StoreClosed, WriteFailed
from spieltisch.store.lobby import MAX_ROWS, public_tables
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait

OPEN = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
RUNNING = TableSummary(
    "running", (SeatSummary("person", "ada", "Ada"), SeatSummary("person", "ben", "Ben")), to_decide=1, host="ada"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "house.sqlite3")
    yield store
    wait(store.close())


def opened(store: Store, table: str = "t", at: float = 1.0) -> str:
    assert wait(store.create(table, "toy", bytes(range(32)), [(at, b"1")], OPEN)) == 1
    return table


@asynccontextmanager
async def busy_disk(store: Store) -> AsyncIterator[None]:
    """While this lasts, the writer is at work on something else."""
    begun, ended = threading.Event(), threading.Event()

    def job(connection: Connection) -> None:
        begun.set()
        ended.wait()

    waiting = asyncio.create_task(store.write(job))
    await asyncio.to_thread(begun.wait)
    try:
        yield
    finally:
        ended.set()
        await waiting


async def start_jobs(*jobs: Coroutine[Any, Any, int]) -> list[asyncio.Task[int]]:
    """The jobs, all of them asked for and on their way."""
    tasks = [asyncio.create_task(job) for job in jobs]
    await asyncio.sleep(0)
    return tasks


def test_events_are_kept_in_order(store: Store) -> None:
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


def test_a_stale_append_changes_nothing(store: Store) -> None:
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


def test_of_two_at_once_one_wins(store: Store) -> None:
    table = opened(store)

    async def race() -> list[int | BaseException]:
        appends = [store.append(table, 1, [(2.0, b"%d" % n)], RUNNING) for n in range(20)]
        return await asyncio.gather(*appends, return_exceptions=True)

    assert sum(isinstance(outcome, int) for outcome in wait(race())) == 1
    assert len(wait(store.events(table))) == 2


def test_what_arrives_together_shares_a_commit_and_fails_alone(store: Store) -> None:
    names = [opened(store, f"t{n}") for n in range(12)]
    commits = store.commits

    async def together() -> list[int | BaseException]:
        async with busy_disk(store):
            tasks = await start_jobs(
                *(store.append(name, 1 if n % 3 else 7, [(2.0, b"2")], RUNNING) for n, name in enumerate(names))
            )
            (gone,) = await start_jobs(store.append(names[0], 1, [(2.0, b"given up")], RUNNING))
            assert gone.cancel()
            await asyncio.wait([gone])
        return await asyncio.gather(*tasks, return_exceptions=True)

    for n, done in enumerate(wait(together())):
        if n % 3:
            assert done == 2
        else:
            assert isinstance(done, StaleVersion)
    assert store.commits == commits + 2
    assert [len(wait(store.events(name))) for name in names] == [2 if n % 3 else 1 for n in range(12)]


def test_nothing_is_seen_before_its_commit(store: Store) -> None:
    table = opened(store)

    async def write() -> int:
        async with busy_disk(store):
            (append,) = await start_jobs(store.append(table, 1, [(2.0, b"2")], RUNNING))
            assert len(await store.events(table)) == 1
            assert not append.done()
        return await append

    assert wait(write()) == 2
    assert len(wait(store.events(table))) == 2


def test_a_full_disk_fails_and_changes_nothing(store: Store) -> None:
    table = opened(store)
    pages = wait(store.write(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()))
    wait(store.write(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")))

    async def both() -> list[int | BaseException]:
        async with busy_disk(store):
            tasks = await start_jobs(
                store.append(table, 1, [(2.0, bytes(500_000))], RUNNING), store.append(table, 1, [(2.0, b"2")], RUNNING)
            )
        return await asyncio.gather(*tasks, return_exceptions=True)

    full, small = wait(both())
    assert isinstance(full, WriteFailed)
    assert "full" in str(full)
    stands = 1 if isinstance(small, WriteFailed) else small
    assert len(wait(store.events(table))) == stands == wait(store.tables())[0].version
    wait(store.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000")))
    assert wait(store.append(table, stands, [(3.0, bytes(500_000))], RUNNING)) == stands + 1


def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(SQLAlchemyError, match="readonly"):
        wait(store.read(lambda connection: connection.exec_driver_sql("DELETE FROM events")))


def test_the_file_is_written_with_care(store: Store) -> None:
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


def test_lists_of_tables(store: Store) -> None:
    for n in range(3):
        opened(store, f"t{n}", at=float(n))
    wait(store.append("t0", 1, [(9.0, b"2")], RUNNING))
    assert [table.id for table in wait(store.tables())] == ["t0", "t2", "t1"], "what has changed last comes first"
    assert [table.id for table in wait(store.tables("open"))] == ["t2", "t1"]
    assert [table.id for table in wait(store.tables("running", "finished"))] == ["t0"]
    assert [table.id for table in wait(store.tables(person="ben"))] == ["t0"]
    assert [table.id for table in wait(store.tables(person="ada", limit=2))] == ["t0", "t2"]
    assert [table.id for table in wait(store.tables(table_id="t1"))] == ["t1"]
    assert wait(store.tables(person="nobody")) == ()
    first = wait(store.tables())[0]
    assert (first.created, first.changed, first.version, first.status) == (0.0, 9.0, 2, "running")
    assert first.summary.is_turn_of("ben")
    assert not first.summary.is_turn_of("ada")


def test_newer_tables_by_link_do_not_hide_those_with_a_free_seat(store: Store) -> None:
    opened(store, "free")
    by_link = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("link")), host="ada")

    async def newer() -> None:
        tables = (f"by-link-{n}" for n in range(3 * MAX_ROWS + 1))
        await asyncio.gather(*(store.create(table, "toy", bytes(32), [(2.0, b"1")], by_link) for table in tables))

    wait(newer())
    assert [table.id for table in wait(public_tables(store)).open.tables] == ["free"]
    wait(store.append("free", 1, [(3.0, b"2")], RUNNING))
    assert wait(public_tables(store)).open.tables == ()


def test_a_setting_is_made_once(store: Store) -> None:
    key = wait(store.get_setting("key"))
    assert len(key) == 32
    assert wait(store.get_setting("key", lambda: b"another")) == key


def test_after_closing_nothing_is_written_or_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.sqlite3")
    table = opened(store)

    async def close() -> int:
        (last,) = await start_jobs(store.append(table, 1, [(2.0, b"2")], RUNNING))
        await store.close()
        return await last

    assert wait(close()) == 2
    with pytest.raises(StoreClosed):
        wait(store.append(table, 2, [(2.0, b"3")], RUNNING))
    with pytest.raises(StoreClosed):
        wait(store.events(table))
    again = Store(tmp_path / "house.sqlite3")
    assert len(wait(again.events(table))) == 2
    wait(again.close())
