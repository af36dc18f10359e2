"""Appending and reading."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from spieltisch.store import NoSuchTable, StaleVersion, Store, StoreClosed, WriteFailed
from spieltisch.tables import SeatSummary, Summary

OPEN = Summary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
RUNNING = Summary(
    "running", (SeatSummary("person", "ada", "Ada"), SeatSummary("person", "ben", "Ben")), to_decide=1, host="ada"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "house.sqlite3")
    yield store
    store.close()


def opened(store: Store, table: str = "t", at: float = 1.0) -> str:
    assert store.create(table, "toy", bytes(range(32)), [(at, b"1")], OPEN).result() == 1
    return table


@contextmanager
def busy_disk(store: Store) -> Iterator[None]:
    """While this lasts, the writer is at work on something else."""
    begun, ended = threading.Event(), threading.Event()

    def job(connection: Connection) -> None:
        begun.set()
        ended.wait()

    waiting = store.write(job)
    begun.wait()
    try:
        yield
    finally:
        ended.set()
        waiting.result()


def test_events_are_kept_in_order(store: Store) -> None:
    table = opened(store)
    assert store.append(table, 1, [(2.0, b"2"), (2.0, b"3")], RUNNING).result() == 3
    assert store.append(table, 3, [], RUNNING).result() == 3
    assert [(one.version, one.at, one.data) for one in store.events(table)] == [
        (1, 1.0, b"1"),
        (2, 2.0, b"2"),
        (3, 2.0, b"3"),
    ]
    assert [one.data for one in store.events(table, after=2)] == [b"3"]
    assert store.events("nowhere") == ()
    assert store.secret(table) == bytes(range(32))


def test_a_stale_append_changes_nothing(store: Store) -> None:
    table = opened(store)
    for expected in (0, 2, -1):
        with pytest.raises(StaleVersion) as stale:
            store.append(table, expected, [(2.0, b"x")], RUNNING).result()
        assert (stale.value.expected, stale.value.version) == (expected, 1)
    with pytest.raises(NoSuchTable):
        store.append("nowhere", 0, [(2.0, b"x")], RUNNING).result()
    with pytest.raises(NoSuchTable):
        store.secret("nowhere")
    with pytest.raises(WriteFailed):
        store.create(table, "toy", bytes(32), [(9.0, b"again")], OPEN).result()
    assert [one.data for one in store.events(table)] == [b"1"]
    assert store.tables()[0].summary == OPEN


def test_of_two_at_once_one_wins(store: Store) -> None:
    table = opened(store)
    futures = [store.append(table, 1, [(2.0, b"%d" % n)], RUNNING) for n in range(20)]
    won = [future for future in futures if future.exception() is None]
    assert len(won) == 1
    assert len(store.events(table)) == 2


def test_what_arrives_together_shares_a_commit_and_fails_alone(store: Store) -> None:
    names = [opened(store, f"t{n}") for n in range(12)]
    commits = store.commits
    with busy_disk(store):
        futures = [store.append(name, 1 if n % 3 else 7, [(2.0, b"2")], RUNNING) for n, name in enumerate(names)]
        gone: Future[int] = store.append(names[0], 1, [(2.0, b"given up")], RUNNING)
        assert gone.cancel()
    for n, future in enumerate(futures):
        if n % 3:
            assert future.result() == 2
        else:
            assert isinstance(future.exception(), StaleVersion)
    assert store.commits == commits + 2
    assert [len(store.events(name)) for name in names] == [2 if n % 3 else 1 for n in range(12)]


def test_nothing_is_seen_before_its_commit(store: Store) -> None:
    table = opened(store)
    with busy_disk(store):
        future = store.append(table, 1, [(2.0, b"2")], RUNNING)
        assert not future.done()
        assert len(store.events(table)) == 1
    assert future.result() == 2
    assert len(store.events(table)) == 2


def test_a_full_disk_fails_and_changes_nothing(store: Store) -> None:
    table = opened(store)
    pages = store.write(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()).result()
    store.write(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")).result()
    with busy_disk(store):
        full = store.append(table, 1, [(2.0, bytes(500_000))], RUNNING)
        small = store.append(table, 1, [(2.0, b"2")], RUNNING)
    with pytest.raises(WriteFailed, match="full"):
        full.result()
    stands = 1 if isinstance(small.exception(), WriteFailed) else small.result()
    assert len(store.events(table)) == stands == store.tables()[0].version
    store.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000")).result()
    assert store.append(table, stands, [(3.0, bytes(500_000))], RUNNING).result() == stands + 1


def test_readers_cannot_write(store: Store) -> None:
    with store.reading() as connection, pytest.raises(SQLAlchemyError, match="readonly"):
        connection.exec_driver_sql("DELETE FROM events")


def test_the_file_is_written_with_care(store: Store) -> None:
    def pragmas(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    assert store.write(pragmas).result() == ["wal", 2, 1]
    with pytest.raises(WriteFailed, match="FOREIGN KEY"):
        store.write(
            lambda connection: connection.exec_driver_sql("INSERT INTO events VALUES ('nowhere', 1, 0, x'00')")
        ).result()


def test_lists_of_tables(store: Store) -> None:
    for n in range(3):
        opened(store, f"t{n}", at=float(n))
    store.append("t0", 1, [(9.0, b"2")], RUNNING).result()
    assert [one.id for one in store.tables()] == ["t0", "t2", "t1"], "what has changed last comes first"
    assert [one.id for one in store.tables("open")] == ["t2", "t1"]
    assert [one.id for one in store.tables("running", "finished")] == ["t0"]
    assert [one.id for one in store.tables(person="ben")] == ["t0"]
    assert [one.id for one in store.tables(person="ada", limit=2)] == ["t0", "t2"]
    assert [one.id for one in store.tables(table_id="t1")] == ["t1"]
    assert store.tables(person="nobody") == ()
    first = store.tables()[0]
    assert (first.created, first.changed, first.version, first.status) == (0.0, 9.0, 2, "running")
    assert first.summary.my_turn("ben")
    assert not first.summary.my_turn("ada")


def test_a_setting_is_made_once(store: Store) -> None:
    key = store.setting("key")
    assert len(key) == 32
    assert store.setting("key", lambda: b"another") == key


def test_after_closing_nothing_is_written(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.sqlite3")
    table = opened(store)
    last = store.append(table, 1, [(2.0, b"2")], RUNNING)
    store.close()
    assert last.result() == 2
    with pytest.raises(StoreClosed):
        store.append(table, 2, [(2.0, b"3")], RUNNING)
    again = Store(tmp_path / "house.sqlite3")
    assert len(again.events(table)) == 2
    again.close()
