"""The database file: tables with their events, people with their sessions, component files.

Reads use connections that cannot write; writes go to the one `Writer` and are finished when they are on disk. This
module knows neither rules nor pages: an event is bytes, and the summary shown in the lobby is passed with it.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection, Engine, Row, create_engine, delete, event, func, insert, select, update
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import DatabaseError

from spieltisch.store.alert_queue import drop_stale_plans, queue_turn_alerts
from spieltisch.store.database_files import make_private
from spieltisch.store.errors import NoSuchTable, StaleVersion, StoreClosed, StoreDamaged, StoreLost
from spieltisch.store.journal import LOST_EVENTS_DECODER, Journal, LostEvents, find_losses, read_journal
from spieltisch.store.lock import FileLock, same_file
from spieltisch.store.migrate import migrate
from spieltisch.store.result_rows import forget_result
from spieltisch.store.schema import (
    EVENTS,
    LOBBY_ENTRIES,
    LOST_EVENTS_KEY,
    RESULTS,
    SEAT_HOLDERS,
    SECRETS,
    SETTINGS,
    TABLES,
)
from spieltisch.store.writer import Writer
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import TableSummary

T = TypeVar("T")
ExtraWrite: TypeAlias = Callable[[Connection], object]
"""A write in the same transaction as the events of a table."""
SUMMARY: Final = msgspec.json.Decoder(TableSummary)
"""The decoder of summaries.

It is made once, like all decoders here: msgspec 0.22 crashes if two threads use a type of `decode(type=)` for the first
time at the same moment.
"""
BUSY_SECONDS: Final = 10.0
"""The time to wait for a locked database."""
MAX_LOGGED_TABLES: Final = 20
"""The number of tables named in the log; any further ones are only counted."""
READER_THREADS: Final = 4
"""The number of threads that read, and so of concurrent reads."""
UPLOADED_PREFIX: Final = "brought-"
"""The prefix of the ids of games that visitors uploaded."""
STORED_TABLE: Final = tuple(
    TABLES.c[name] for name in ("id", "game", "host", "created", "changed", "version", "summary", "origin")
)
"""The columns of a `StoredTable`."""
ACTIVE_STATUSES: Final = ("open", "running")
"""The states of unfinished tables; a frozen table is over, because no one can play there or leave it."""

_logger = structlog.get_logger("spieltisch.store")


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as stored in the file: its version (1, 2, 3, ...), its time (UTC seconds), its JSON."""

    version: int
    at: float
    data: bytes


class StoredTable(msgspec.Struct, frozen=True):
    """A table as listed in the lobby."""

    id: str
    game: str
    host: str
    created: float
    changed: float
    version: int
    summary: TableSummary
    address_hash: bytes | None = None
    """The keyed hash of the address that opened the table; None if the table is over or the address is unknown."""

    @property
    def status(self) -> str:
        """The status: `open`, `running`, `finished`, `aborted` or `frozen`."""
        return self.summary.status


class Store:
    """An open database file. Only one store per file can be open on a machine; a second one is refused.

    Open it with `await Store.open(path)`, close it with `await store.close()`; a kill loses nothing that was
    acknowledged. All reads and writes are awaited: they run on threads of the store and never block the caller's event
    loop.
    """

    @classmethod
    async def open(cls, path: Path) -> Store:
        """Open the file, or create it if there is none.

        Raise `StoreInUse`, `StoreTooNew` or `StoreDamaged`.
        """
        return await asyncio.to_thread(cls, path)

    async def close(self) -> None:
        """Finish reads and writes and close the file; calling it twice is harmless."""
        await asyncio.to_thread(self._close)

    def __init__(self, path: Path) -> None:
        make_private(path)
        self.path = path
        self._lock = FileLock(path)
        self._readers = _engine(path, query_only=True)
        self._writing = _engine(path, query_only=False)
        try:
            with self._writing.begin() as connection:
                migrate(connection)
                versions = _versions(connection)
                _record_losses(connection, find_losses(read_journal(path), versions, time.time()))
        except DatabaseError as error:
            self._release()
            raise StoreDamaged(f"{path} cannot be opened as a database: {error.orig}") from error
        except BaseException:
            self._release()
            raise
        self._file = path.stat()
        self._writer = Writer(self._writing, Journal(path, versions))
        self._threads = ThreadPoolExecutor(READER_THREADS, "store-reader")

    def _close(self) -> None:
        self._writer.close()
        self._threads.shutdown()
        self._release()

    def _release(self) -> None:
        self._readers.dispose()
        self._writing.dispose()
        self._lock.release()

    async def read(self, job: Callable[[Connection], T]) -> T:
        """Run `job` on a read-only connection that sees one state of the file.

        Raise `StoreClosed` after `close`.
        """

        def reading() -> T:
            with self._readers.connect() as connection:
                return job(connection)

        try:
            future = self._threads.submit(reading)
        except RuntimeError as error:
            raise StoreClosed("the store is closed") from error
        return await asyncio.wrap_future(future)

    async def write(self, job: Callable[[Connection], T], table: str | None = None) -> T:
        """Run `job` in a transaction on the writer's thread; see `Writer.submit`."""
        return await asyncio.wrap_future(self._writer.submit(job, table))

    async def check(self) -> None:
        """Write a value and read it back.

        Raise `StoreLost`, `StoreDamaged` or `WriteFailed` if that fails.
        """
        if not (same_file(self.path, self._file) and self._lock.holds()):
            raise StoreLost(f"{self.path} or its lock is missing or was replaced: stop the server")
        written = secrets.token_bytes(8)
        await self.set_setting("check", written)
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == "check")
        try:
            value = await self.read(lambda connection: connection.execute(query).scalar())
        except DatabaseError as error:
            raise StoreDamaged(f"{self.path} cannot be read: {error.orig}") from error
        if value != written:
            raise StoreDamaged(f"{self.path} does not hold what was written to it")

    async def lost_events(self) -> tuple[LostEvents, ...]:
        """Return the events that the file has lost, as noticed at any start; see `journal`."""
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
        value = await self.read(lambda connection: connection.execute(query).scalar())
        return LOST_EVENTS_DECODER.decode(value or b"[]")

    @property
    def commits(self) -> int:
        """The number of commits since the file was opened; writes that arrive together share one."""
        return self._writer.commits

    # Tables

    async def create(
        self,
        table_id: str,
        game: str,
        secret: bytes,
        events: Sequence[tuple[float, bytes]],
        summary: TableSummary,
        origin: bytes | None = None,
        *also: ExtraWrite,
    ) -> int:
        """Store a new table with its first events (time, JSON) and return its version.

        `origin` is the keyed hash of the address that opened it; it is deleted when the table is over. The writes in
        `also` run in the same transaction.
        """

        def job(connection: Connection) -> int:
            at = events[0][0]
            row = {
                "id": table_id,
                "game": game,
                "created": at,
                "version": 0,
                "origin": origin,
                **_summary_columns(summary, at),
            }
            row["deal"] = summary.deal or None
            connection.execute(insert(TABLES), row)
            connection.execute(insert(SECRETS), {"table_id": table_id, "secret": secret})
            for extra in also:
                extra(connection)
            return append_events(connection, table_id, 0, events, summary)

        return await self.write(job, table_id)

    async def append(
        self,
        table_id: str,
        expected: int,
        events: Sequence[tuple[float, bytes]],
        summary: TableSummary,
        *also: ExtraWrite,
    ) -> int:
        """Append events (time, JSON) to a table that has `expected` of them, and store its new summary.

        The writes in `also` run in the same transaction, one after the other. Return the new version when it is on
        disk. Raise `StaleVersion`, `NoSuchTable` or `WriteFailed`; in each case nothing is changed.
        """

        def job(connection: Connection) -> int:
            version = append_events(connection, table_id, expected, events, summary)
            for write in also:
                write(connection)
            drop_stale_plans(connection, table_id, summary)
            return version

        return await self.write(job, table_id)

    async def events(self, table_id: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a table after a version, in order; none if the table does not exist."""
        query = (
            select(EVENTS.c.version, EVENTS.c.at, EVENTS.c.data)
            .where(EVENTS.c.table_id == table_id, EVENTS.c.version > after)
            .order_by(EVENTS.c.version)
        )
        return await self.read(lambda connection: tuple(StoredEvent(*row) for row in connection.execute(query)))

    async def secret(self, table_id: str) -> bytes:
        """Return the random secret of a table.

        Raise `NoSuchTable` if it does not exist.
        """
        query = select(SECRETS.c.secret).where(SECRETS.c.table_id == table_id)
        value = await self.read(lambda connection: connection.execute(query).scalar())
        if value is None:
            raise NoSuchTable(table_id)
        return bytes(value)

    async def tables_with_secret(self, secret: bytes) -> tuple[str, ...]:
        """Return the tables with this secret, except uploaded games: a single one, or those of a duplicate."""
        not_uploaded = SECRETS.c.table_id.not_like(f"{UPLOADED_PREFIX}%")
        query = select(SECRETS.c.table_id).where(SECRETS.c.secret == secret, not_uploaded)
        return await self.read(lambda connection: tuple(connection.execute(query).scalars()))

    async def finished_duplicates(self) -> tuple[str, ...]:
        """Return the duplicates whose tables are all over but still withhold hidden information."""
        query = select(TABLES.c.deal, TABLES.c.summary).where(TABLES.c.deal.is_not(None))

        def job(connection: Connection) -> tuple[str, ...]:
            summaries = [(deal, SUMMARY.decode(summary)) for deal, summary in connection.execute(query)]
            unfinished = {deal for deal, summary in summaries if summary.status not in ("finished", "aborted")}
            return tuple(sorted({deal for deal, summary in summaries if summary.withheld} - unfinished))

        return await self.read(job)

    async def tables(
        self,
        *statuses: str,
        person: str | None = None,
        table_id: str | None = None,
        deal: str | None = None,
        before: float | None = None,
        limit: int | None = None,
    ) -> tuple[StoredTable, ...]:
        """Return the tables that match all given conditions, last changed first.

        - `statuses`: the table has one of them (none given: any).
        - `person`: they have a seat, had one that is still free, or host.
        - `deal`: it belongs to this duplicate.
        - `before`: it has not changed since then (UTC seconds).
        """
        query = select(*STORED_TABLE).order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit)
        if statuses:
            query = query.where(TABLES.c.status.in_(statuses))
        if person is not None:
            own = select(LOBBY_ENTRIES.c.table_id).where(LOBBY_ENTRIES.c.person == person)
            query = query.where(TABLES.c.id.in_(own))
        if table_id is not None:
            query = query.where(TABLES.c.id == table_id)
        if deal is not None:
            query = query.where(TABLES.c.deal == deal)
        if before is not None:
            query = query.where(TABLES.c.changed < before)
        return await self.read(lambda connection: tuple(map(stored_table, connection.execute(query))))

    async def table_ids(self, *statuses: str, before: float | None = None) -> tuple[str, ...]:
        """Return the ids of all tables with one of these statuses, last changed first.

        With `before`, only those that have not changed since then (UTC seconds).
        """
        query = select(TABLES.c.id).where(TABLES.c.status.in_(statuses)).order_by(TABLES.c.changed.desc())
        if before is not None:
            query = query.where(TABLES.c.changed < before)
        return await self.read(lambda connection: tuple(connection.execute(query).scalars()))

    async def bot_tables(self) -> tuple[str, ...]:
        """Return the ids of the running tables at which a bot is to decide."""
        query = select(TABLES.c.id, TABLES.c.summary).where(TABLES.c.status == "running")
        return await self.read(
            lambda connection: tuple(
                table_id for table_id, summary in connection.execute(query) if SUMMARY.decode(summary).is_turn_of_bot
            )
        )

    async def deadlines(self, until: float | None = None) -> tuple[tuple[str, float], ...]:
        """Return the tables at which a clock runs, with the deadline (UTC seconds), earliest first.

        With `until`, only those whose deadline is not after it.
        """
        query = select(TABLES.c.id, TABLES.c.due).where(TABLES.c.due.is_not(None)).order_by(TABLES.c.due)
        if until is not None:
            query = query.where(TABLES.c.due <= until)
        return await self.read(lambda connection: tuple((row.id, row.due) for row in connection.execute(query)))

    async def clock_since(self) -> float | None:
        """Return the time of the oldest last event of the tables at which a clock runs; None if none runs."""
        query = select(func.min(TABLES.c.changed)).where(TABLES.c.due.is_not(None))
        return await self.read(lambda connection: connection.execute(query).scalar())

    async def get_setting(self, name: str, make: Callable[[], bytes] = lambda: secrets.token_bytes(32)) -> bytes:
        """Return the value stored under a name; make and store it first if there is none."""
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
        value = await self.read(lambda connection: connection.execute(query).scalar())
        if value is not None:
            return bytes(value)

        def job(connection: Connection) -> bytes:
            made = make()
            connection.execute(insert_or(SETTINGS).on_conflict_do_nothing(), {"name": name, "value": made})
            return bytes(connection.execute(query).scalar_one())

        return await self.write(job)

    async def set_setting(self, name: str, value: bytes) -> None:
        """Store a value under a name, replacing an earlier one."""
        await self.set_settings({name: value})

    async def set_settings(self, values: Mapping[str, bytes]) -> None:
        """Store several values under their names in one transaction, replacing earlier ones."""

        def job(connection: Connection) -> None:
            for name, value in values.items():
                connection.execute(_upsert_setting(name, value))

        await self.write(job)


def _versions(connection: Connection) -> dict[str, int]:
    return {row.id: row.version for row in connection.execute(select(TABLES.c.id, TABLES.c.version))}


def _record_losses(connection: Connection, lost: Sequence[LostEvents]) -> None:
    """Store the losses in the opening transaction and log them as errors."""
    if not lost:
        return
    for loss in lost[:MAX_LOGGED_TABLES]:
        _logger.error("a table has lost its newest events", table=loss.table, noted=loss.noted, found=loss.found)
    _logger.error(
        "the database is older than it was when it was last written: is its -wal file gone, or an old copy in its "
        "place? The tables go on with what is there, and say so",
        tables=len(lost),
        events=sum(loss.noted - loss.found for loss in lost),
    )
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
    earlier = list(LOST_EVENTS_DECODER.decode(connection.execute(query).scalar() or b"[]"))
    known = {(loss.table, loss.noted) for loss in earlier}
    value = msgspec.json.encode([*earlier, *(loss for loss in lost if (loss.table, loss.noted) not in known)])
    connection.execute(_upsert_setting(LOST_EVENTS_KEY, value))


def _upsert_setting(name: str, value: bytes) -> Insert:
    statement = insert_or(SETTINGS).values(name=name, value=value)
    return statement.on_conflict_do_update(index_elements=[SETTINGS.c.name], set_={"value": value})


def append_events(
    connection: Connection, table_id: str, expected: int, events: Iterable[tuple[float, bytes]], summary: TableSummary
) -> int:
    """Do the work of `Store.append` inside a transaction; without events only the summary is stored."""
    query = select(TABLES.c.version, TABLES.c.changed, TABLES.c.summary).where(TABLES.c.id == table_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NoSuchTable(table_id)
    version, changed, earlier_summary = row
    if version != expected:
        raise StaleVersion(table_id, expected, version)
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "version": number, "at": at, "data": data}
        for number, (at, data) in enumerate(events, expected + 1)
    ]
    if rows:
        connection.execute(insert(EVENTS), rows)
    new = {"version": expected + len(rows), **_summary_columns(summary, rows[-1]["at"] if rows else changed)}
    result = select(RESULTS.c.table_id).where(RESULTS.c.table_id == table_id).exists()
    uncounted = ~result if summary.status == "finished" else 0
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(**new, uncounted=uncounted))
    connection.execute(delete(SEAT_HOLDERS).where(SEAT_HOLDERS.c.table_id == table_id))
    holders = [
        {"table_id": table_id, "seat": number, "person": device_owner(seat.person)}
        for number, seat in enumerate(summary.seats)
        if seat.person
    ]
    if holders:
        connection.execute(insert(SEAT_HOLDERS), holders)
    connection.execute(delete(LOBBY_ENTRIES).where(LOBBY_ENTRIES.c.table_id == table_id))
    entries = [
        {"person": person, "section": summary.section_of(person), "recency": -new["changed"], "table_id": table_id}
        for person in summary.people
    ]
    if entries:
        connection.execute(insert(LOBBY_ENTRIES), entries)
    before = SUMMARY.decode(earlier_summary).waiting_for if version else ""
    if summary.status == "frozen":
        forget_result(connection, table_id)
    queue_turn_alerts(connection, table_id, new["version"], new["changed"], before, summary)
    return expected + len(rows)


def _summary_columns(summary: TableSummary, at: float) -> dict[str, Any]:
    encoded = msgspec.json.encode(summary)
    values = {
        "changed": at,
        "status": summary.status,
        "host": summary.host,
        "summary": encoded,
        "due": summary.deadline,
    }
    values["free"] = summary.free_seats
    return values if summary.status in ACTIVE_STATUSES else {**values, "origin": None}


def stored_table(row: Row[*tuple[Any, ...]]) -> StoredTable:
    """Return the table of a row with the columns `STORED_TABLE`."""
    table_id, game, host, created, changed, version, summary, origin = row
    decoded = SUMMARY.decode(summary)
    return StoredTable(table_id, game, host, created, changed, version, decoded, origin)


def _engine(path: Path, query_only: bool) -> Engine:
    engine = create_engine(
        f"sqlite+pysqlite:///{path}", connect_args={"timeout": BUSY_SECONDS, "isolation_level": None}
    )

    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        if query_only:
            cursor.execute("PRAGMA query_only = ON")
        else:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA secure_delete = ON")  # leaves no deleted people in the free space of the file
        cursor.close()

    def begin(connection: Connection) -> None:
        # The driver's transactions support no savepoints and start too late; see SQLAlchemy's
        # chapter on pysqlite. A writer takes its lock immediately, so that it waits at the start and cannot fail in
        # the middle.
        connection.exec_driver_sql("BEGIN" if query_only else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine
