"""Check a store on a PostgreSQL server: its URL, its lock, outages and shared use."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, func, insert, select, update

from spieltisch.features import FEATURES
from spieltisch.store import (
    ReadFailed,
    StaleVersion,
    Store,
    StoreError,
    StoreInUse,
    StoreLost,
    StoreUnsupported,
    WriteFailed,
    alert_subscriptions,
    people,
    postgres_database,
    removal,
)
from spieltisch.store.people import on_device_of
from spieltisch.store.postgres_database import LOCK, name_of, parse_url
from spieltisch.store.schema import SEAT_HOLDERS, SETTINGS, TABLES
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.postgres import Server

SUMMARY = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
PASSWORD = "gAbc-42"  # noqa: S105  # of a test


def append(store: Store, version: int) -> int:
    """Append an event to the table `t`, and create the table with the first event."""
    events = [(1.0, b"%d" % (version + 1))]
    return wait(
        store.append("t", version, events, SUMMARY) if version else store.create("t", "toy", bytes(32), events, SUMMARY)
    )


def events(store: Store) -> list[bytes]:
    return [event.data for event in wait(store.events("t"))]


def end_connections(url: str) -> None:
    """End all connections of stores to a schema, as a restart of the server does."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'spieltisch' AND pid IN "
            "(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = "
            "hashtext(current_schema())::bigint & 4294967295)"
        )


def open_and_cut_off(postgres: Server) -> tuple[Store, str]:
    """Open a store, write one event, and end its connections; return it and its URL."""
    url = postgres.schema()
    store = Store(url)
    append(store, 0)
    end_connections(url)
    return store, url


def test_the_lock_of_a_database_is_released_before_its_connection_is_closed(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL may notice a closed connection late; until then the next start of a server would be refused."""
    url = postgres.schema()
    store = Store(url)
    append(store, 0)
    slowly_closed: list[psycopg.Connection] = []
    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "close", lambda connection: slowly_closed.append(connection))
        wait(store.close())
    second_store = Store(url)
    append(second_store, 1)
    wait(second_store.close())
    assert slowly_closed
    for connection in slowly_closed:
        connection.close()


def test_only_one_server_at_a_time_opens_a_database(postgres: Server) -> None:
    """This test represents its file in the first tier."""
    url = postgres.schema()
    store = Store(url, FEATURES)
    with pytest.raises(StoreInUse):
        Store(url, FEATURES)
    assert [append(store, version) for version in range(3)] == [1, 2, 3]
    with pytest.raises(StaleVersion):
        append(store, 2)
    wait(store.check())
    wait(store.close())
    second_store = Store(url, FEATURES)
    assert events(second_store) == [b"1", b"2", b"3"]
    assert append(second_store, 3) == 4
    wait(second_store.close())


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ada:{PASSWORD}@localhost:1/games",
        f"postgresql://ada@localhost:1/games?password={PASSWORD}",
        f"postgresql://ada:{PASSWORD}@here@localhost:1/games",
        f"postgresql://ada:{PASSWORD}/@localhost:one/games",
        f"postgresql:ada:{PASSWORD}",
        f"mysql://ada:{PASSWORD}@localhost/games",
        f"postgresql://ada:{PASSWORD}@localhost:1/games?unknown=1",
    ],
)
def test_no_error_contains_the_database_password(url: str) -> None:
    with pytest.raises(StoreError) as error:
        Store(url)
    assert PASSWORD not in f"{error.value!r} {error.value}"


def test_the_name_of_a_database_contains_no_password() -> None:
    url = parse_url(f"postgres://ada:{PASSWORD}@db.example.org/games?password={PASSWORD}&sslmode=require")
    assert PASSWORD not in name_of(url)
    assert "ada" in name_of(url)
    assert "db.example.org/games" in name_of(url)


@pytest.mark.postgresql
def test_transactions_in_a_deadlock_are_both_completed(postgres: Server) -> None:
    url = postgres.schema()
    stores = [Store(url, is_shared=True) for _ in range(2)]
    names = ("one", "other")
    wait(stores[0].set_settings(dict.fromkeys(names, b"")))
    both, runs = threading.Barrier(2), [0, 0]

    def job(number: int, connection: Connection) -> None:
        runs[number] += 1
        for step, name in enumerate(names if number else reversed(names)):
            if step and runs[number] == 1:
                both.wait()  # each has the row that the other one wants
            is_named = SETTINGS.c.name == name
            connection.execute(update(SETTINGS).where(is_named).values(value=SETTINGS.c.value.op("||")(b"%d" % number)))

    async def write() -> None:
        await asyncio.gather(*(store.write(partial(job, number)) for number, store in enumerate(stores)))
        for name in names:
            assert sorted(await stores[0].get_setting(name)) == sorted(b"01")

    asyncio.run(write())
    assert sum(runs) > 2, "one has begun again, maybe more than once"
    for store in stores:
        wait(store.close())


@pytest.mark.postgresql
def test_writing_continues_after_a_lost_connection(postgres: Server) -> None:
    store, url = open_and_cut_off(postgres)
    with pytest.raises(WriteFailed):
        append(store, 1)
    assert store.is_in_doubt
    assert append(store, 1) == 2
    assert not store.is_in_doubt
    with pytest.raises(StoreInUse):
        Store(url)
    wait(store.close())


@pytest.mark.postgresql
def test_writing_continues_after_postgresql_has_closed_a_lost_connection(postgres: Server) -> None:
    store, url = open_and_cut_off(postgres)
    with psycopg.connect(url) as unnoticed:  # holds the lock as a connection does whose end has not arrived
        unnoticed.execute("SELECT pg_advisory_lock(%s, hashtext(current_schema()))", (LOCK,))
        for _ in range(3):
            with pytest.raises(WriteFailed) as failure:
                append(store, 1)
            assert not isinstance(failure.value, StoreLost)
        unnoticed.execute("SELECT pg_advisory_unlock_all()")
        assert append(store, 1) == 2
    assert not store.is_in_doubt
    wait(store.close())


@pytest.mark.postgresql
def test_a_server_stops_writing_after_another_server_has_used_its_database(postgres: Server) -> None:
    store, url = open_and_cut_off(postgres)
    other_store = Store(url)
    for _ in range(2):  # the first one finds the connection gone
        with pytest.raises(WriteFailed):
            append(store, 1)
    assert append(other_store, 1) == 2
    wait(other_store.close())
    with pytest.raises(StoreLost):
        append(store, 2)
    assert store.is_in_doubt
    assert events(store) == [b"1", b"2"], "it can still be read"
    wait(store.close())


@pytest.mark.postgresql
def test_acknowledged_writes_survive_an_outage_of_the_database(private_server: Server) -> None:
    store = Store(private_server.url)
    version = append(store, 0)
    for _ in range(3):
        private_server.kill()
        with pytest.raises(WriteFailed):
            append(store, version)
        with pytest.raises(ReadFailed):
            events(store)
        private_server.start()
        assert len(events(store)) == version
        version = append(store, version)
    wait(store.close())


@pytest.mark.postgresql
def test_a_failed_write_does_not_affect_other_writes_of_the_same_commit(postgres: Server) -> None:
    store = Store(postgres.schema())
    append(store, 0)

    async def race() -> list[int | BaseException]:
        appends = [store.append("t", 1 + n % 2, [(2.0, b"2")], SUMMARY) for n in range(6)]
        return await asyncio.gather(*appends, return_exceptions=True)

    outcomes = wait(race())
    assert [outcome for outcome in outcomes if isinstance(outcome, int)] == [2, 3]
    wait(store.close())


@pytest.mark.postgresql
def test_ids_are_sorted_by_code_points_whatever_the_language(postgres: Server) -> None:
    store = Store(postgres.schema())
    append(store, 0)
    people = ["ada", "ada/2", "ada0", "adam", "Ada/2", "ada_"]
    rows = [{"table_id": "t", "seat": 10 + number, "person": person} for number, person in enumerate(people)]
    wait(store.write(lambda connection: connection.execute(insert(SEAT_HOLDERS), rows)))
    person = SEAT_HOLDERS.c.person
    query = select(person).where(SEAT_HOLDERS.c.seat >= 10)
    assert wait(store.read(lambda connection: connection.execute(query.order_by(person)).scalars().all())) == sorted(
        people
    )
    own_query = query.where(on_device_of(person, "ada"))
    assert wait(store.read(lambda connection: {*connection.execute(own_query).scalars()})) == {"ada", "ada/2"}
    wait(store.close())


@pytest.mark.postgresql
def test_an_id_with_a_null_character_finds_nothing(postgres: Server) -> None:
    """Any visitor can send a null character in an address, and PostgreSQL refuses texts that contain one."""
    store = Store(postgres.schema(), FEATURES)
    append(store, 0)
    assert wait(store.tables(table_id="t"))
    assert wait(store.tables(table_id="t\0")) == ()
    assert wait(people.by_id(store, "\0")) is None
    wait(alert_subscriptions.remove(store, "ada", "\0"))
    wait(store.close())


@pytest.mark.postgresql
def test_a_schema_of_another_program_is_refused(postgres: Server) -> None:
    url = postgres.schema()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE recipes (name text)")
    with pytest.raises(StoreError, match="recipes"):
        Store(url)


@pytest.mark.postgresql
def test_vacuum_rewrites_only_sql_tables_in_the_schema_of_the_store(postgres: Server) -> None:
    stores = [Store(postgres.schema()) for _ in range(2)]
    query = select(func.pg_relation_filenode("events"))

    def files() -> list[int]:
        return [wait(store.read(lambda connection: connection.execute(query).scalar_one())) for store in stores]

    own_files, other = files()
    wait(removal.vacuum(stores[0]))
    assert [files()[0] == own_files, files()[1] == other] == [False, True]
    for store in stores:
        wait(store.close())


@pytest.mark.postgresql
def test_a_connection_for_reading_cannot_write(postgres: Server) -> None:
    store = Store(postgres.schema())
    append(store, 0)
    with pytest.raises(Exception, match="read-only"):
        wait(store.read(lambda connection: connection.execute(TABLES.delete())))
    wait(store.close())


def test_without_psycopg_the_error_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreUnsupported, match=r"spieltisch\[postgres\]"):
        Store("postgresql://localhost/games")


@pytest.mark.postgresql
def test_only_processes_of_the_same_version_share_a_database(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.schema()
    first, second = Store(url, is_shared=True), Store(url, is_shared=True)
    assert first.database.is_alone
    assert not second.database.is_alone
    with pytest.raises(StoreInUse):  # of a command that needs it alone
        Store(url)
    monkeypatch.setattr(postgres_database, "version_text", lambda: "another")
    with pytest.raises(StoreInUse):
        Store(url, is_shared=True)
    assert append(first, 0) == 1
    assert append(second, 1) == 2
    for store in (first, second):
        wait(store.close())
    single_store = Store(url)
    monkeypatch.setattr(postgres_database, "LOCK_SECONDS", 0.01)
    with pytest.raises(StoreInUse):
        Store(url, is_shared=True)
    wait(single_store.close())


@pytest.mark.postgresql
def test_a_suspended_process_loses_its_locks(postgres: Server) -> None:
    url = postgres.schema()
    suspended, other = Store(url, is_shared=True), Store(url, is_shared=True)
    wait(suspended.set_setting("key", b"first"))
    is_locked, is_resumed = threading.Event(), threading.Event()

    def hold_lock(connection: Connection) -> None:
        limit = "idle_in_transaction_session_timeout"
        assert connection.exec_driver_sql(f"SHOW {limit}").scalar() == f"{postgres_database.IDLE_SECONDS}s"
        connection.exec_driver_sql(f"SET {limit} = '0.1s'")  # earlier than usual, so that the test is quick
        connection.execute(update(SETTINGS).where(SETTINGS.c.name == "key").values(value=b"lost"))
        is_locked.set()
        is_resumed.wait()

    async def write() -> None:
        suspended_write = asyncio.create_task(suspended.write(hold_lock))
        await asyncio.to_thread(is_locked.wait)
        await other.set_setting("key", b"second")  # waits for the lock
        is_resumed.set()
        with pytest.raises(WriteFailed):
            await suspended_write
        assert await suspended.get_setting("key") == b"second"
        await suspended.set_setting("key", b"third")

    asyncio.run(write())
    assert not suspended.is_in_doubt
    for store in (suspended, other):
        wait(store.close())


@pytest.mark.postgresql
def test_processes_that_share_a_database_continue_after_a_lost_connection(postgres: Server) -> None:
    url = postgres.schema()
    first, second = Store(url, is_shared=True), Store(url, is_shared=True)
    append(first, 0)
    end_connections(url)
    with pytest.raises(WriteFailed):
        append(first, 1)
    with pytest.raises(WriteFailed):
        append(second, 1)
    assert append(second, 1) == 2
    assert append(first, 2) == 3
    end_connections(url)
    single_store = Store(url)  # such as one that removes a person
    wait(single_store.close())
    for error in (WriteFailed, StoreLost):
        with pytest.raises(error):
            append(first, 3)
    for store in (first, second):
        wait(store.close())


def test_sharing_an_sqlite_file_between_processes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnsupported):
        Store(tmp_path / "tables.sqlite3", is_shared=True)
