"""The database file: tables with their events, people with their sessions, component files.

Reads happen on connections that cannot write; writes go to the one `Writer` and are over when they are on disk. Nothing
here knows rules or pages: an event is bytes, and what the lobby shows of a table is handed
in with it.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection, Engine, Row, create_engine, delete, event, insert, select, update
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import DatabaseError

from spieltisch.store.alert_queue import drop_stale_plans, queue_turn_alerts
from spieltisch.store.database_files import make_private
from spieltisch.store.errors import NoSuchTable, StaleVersion, StoreClosed, StoreDamaged, StoreLost
from spieltisch.store.journal import LOST_EVENTS_DECODER, Journal, LostEvents, find_losses, read_journal
from spieltisch.store.lock import FileLock, same_file
from spieltisch.store.migrate import migrate
from spieltisch.store.schema import EVENTS, HAS_FREE_SEATS, LOST_EVENTS_KEY, SEAT_HOLDERS, SECRETS, SETTINGS, TABLES
from spieltisch.store.writer import Writer
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import TableSummary

T = TypeVar("T")
ExtraWrite: TypeAlias = Callable[[Connection], object]
"""What is written in the same transaction as the events of a table."""
SUMMARY: Final = msgspec.json.Decoder(TableSummary)
"""Made once, as all here: msgspec 0.22 crashes when two threads come to a type, for `decode(type=)`, at one moment."""
BUSY_SECONDS: Final = 10.0
MOST_LINES: Final = 20
"""Tables that the log names; beyond that it says how many there are."""
READER_THREADS: Final = 4
"""Threads that read: as many reads at once."""
UPLOADED_PREFIX: Final = "brought-"
"""How the ids of games begin that visitors brought along."""
ACTIVE_STATUSES: Final = ("open", "running")
"""A frozen table is over, too: nobody can play there, or leave it, any more."""

_logger = structlog.get_logger("spieltisch.store")


class StoredEvent(msgspec.Struct, frozen=True):
    """One event as it lies in the file: its version (1, 2, 3, ...), its time (UTC seconds), its JSON."""

    version: int
    at: float
    data: bytes


class StoredTable(msgspec.Struct, frozen=True):
    """A table as the lobby lists it."""

    id: str
    game: str
    host: str
    created: float
    changed: float
    version: int
    summary: TableSummary
    address_hash: bytes | None = None
    """What stands for the address that opened it; None when it is over, or unknown."""

    @property
    def status(self) -> str:
        """`open`, `running`, `finished`, `aborted` or `frozen`."""
        return self.summary.status


class Store:
    """An open database file. There is one per file and machine; a second one is refused.

    Made by `await Store.open(path)`, ended by `await store.close()`; a kill loses nothing that was acknowledged.
    Whatever reads or writes is awaited: it runs on threads of the store, and never holds up the caller's loop.
    """

    @classmethod
    async def open(cls, path: Path) -> Store:
        """Open the file; it is made when there is none. Raises `StoreInUse`, `StoreTooNew` or `StoreDamaged`."""
        return await asyncio.to_thread(cls, path)

    async def close(self) -> None:
        """Finish what is being read and written and let the file go; twice does no harm."""
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
                _write_down_lost(connection, find_losses(read_journal(path), versions, time.time()))
        except DatabaseError as problem:
            self._release()
            raise StoreDamaged(f"{path} cannot be opened as a database: {problem.orig}") from problem
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
        """Run `job` on a connection that sees one state of the file and cannot change it. Raises `StoreClosed`."""

        def reading() -> T:
            with self._readers.connect() as connection:
                return job(connection)

        try:
            future = self._threads.submit(reading)
        except RuntimeError as problem:
            raise StoreClosed("the store is closed") from problem
        return await asyncio.wrap_future(future)

    async def write(self, job: Callable[[Connection], T], table: str | None = None) -> T:
        """Run `job` in a transaction on the writer's thread; see `Writer.do`."""
        return await asyncio.wrap_future(self._writer.submit(job, table))

    async def check(self) -> None:
        """Write something and read it again. Raises `StoreLost`, `StoreDamaged`, `WriteFailed`."""
        if not (same_file(self.path, self._file) and self._lock.holds()):
            raise StoreLost(f"{self.path} or its lock is not there any more, or was replaced: stop the server")
        written = secrets.token_bytes(8)
        await self.set_setting("check", written)
        wanted = select(SETTINGS.c.value).where(SETTINGS.c.name == "check")
        try:
            found = await self.read(lambda connection: connection.execute(wanted).scalar())
        except DatabaseError as problem:
            raise StoreDamaged(f"{self.path} cannot be read: {problem.orig}") from problem
        if found != written:
            raise StoreDamaged(f"{self.path} does not hold what was written to it")

    async def lost_events(self) -> tuple[LostEvents, ...]:
        """What the file came back without, whenever that was noticed at a start; see `journal`."""
        wanted = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
        found = await self.read(lambda connection: connection.execute(wanted).scalar())
        return LOST_EVENTS_DECODER.decode(found or b"[]")

    @property
    def commits(self) -> int:
        """How many commits there were since the file was opened; writes that arrive together share one."""
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
    ) -> int:
        """Store a new table with its first events (time, JSON); returns its version. `origin` stands for the address
        that opened it, and is forgotten when the table is over.
        """

        def job(connection: Connection) -> int:
            at = events[0][0]
            row = {"id": table_id, "game": game, "created": at, "version": 0, "origin": origin, **_shown(summary, at)}
            row["deal"] = summary.deal or None
            connection.execute(insert(TABLES), row)
            connection.execute(insert(SECRETS), {"table_id": table_id, "secret": secret})
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
        """Append events (time, JSON) to a table that has `expected` of them, with the summary that belongs to the
        result, and with what is `also` to be written in the same transaction, one after the other.

        Returns the new version, once it is on disk; raises `StaleVersion`, `NoSuchTable` or `WriteFailed`, and then
        nothing was changed.
        """

        def job(connection: Connection) -> int:
            version = append_events(connection, table_id, expected, events, summary)
            for write in also:
                write(connection)
            drop_stale_plans(connection, table_id, summary)
            return version

        return await self.write(job, table_id)

    async def events(self, table_id: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """The events of a table after a version, in their order; none for a table that does not exist."""
        wanted = (
            select(EVENTS.c.version, EVENTS.c.at, EVENTS.c.data)
            .where(EVENTS.c.table_id == table_id, EVENTS.c.version > after)
            .order_by(EVENTS.c.version)
        )
        return await self.read(lambda connection: tuple(StoredEvent(*row) for row in connection.execute(wanted)))

    async def secret(self, table_id: str) -> bytes:
        """The table's secret of chance. Raises `NoSuchTable`."""
        wanted = select(SECRETS.c.secret).where(SECRETS.c.table_id == table_id)
        found = await self.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            raise NoSuchTable(table_id)
        return bytes(found)

    async def tables_with_secret(self, secret: bytes) -> tuple[str, ...]:
        """The tables that have this secret of chance, but those of games that were brought along: one, or a deal's."""
        own = SECRETS.c.table_id.not_like(f"{UPLOADED_PREFIX}%")
        wanted = select(SECRETS.c.table_id).where(SECRETS.c.secret == secret, own)
        return await self.read(lambda connection: tuple(connection.execute(wanted).scalars()))

    async def finished_duplicates(self) -> tuple[str, ...]:
        """The deals of which everything is kept back though all their tables are over: nobody has said so yet."""
        wanted = select(TABLES.c.deal, TABLES.c.summary).where(TABLES.c.deal.is_not(None))

        def job(connection: Connection) -> tuple[str, ...]:
            shown = [(deal, SUMMARY.decode(summary)) for deal, summary in connection.execute(wanted)]
            going = {deal for deal, summary in shown if summary.status not in ("finished", "aborted")}
            return tuple(sorted({deal for deal, summary in shown if summary.withheld} - going))

        return await self.read(job)

    async def tables(
        self,
        *statuses: str,
        person: str | None = None,
        table_id: str | None = None,
        deal: str | None = None,
        before: float | None = None,
        free: bool = False,
        limit: int = 10_000,
    ) -> tuple[StoredTable, ...]:
        """Tables with one of these statuses (none given: any), the one changed last first; of a person: where they
        sit, sat last in a seat that is still free, or host; of nobody (""): those that the host read in from records;
        that share a `deal`; not changed since `before` (UTC seconds); with a seat that anybody may take.
        """
        columns = (
            TABLES.c[name] for name in ("id", "game", "host", "created", "changed", "version", "summary", "origin")
        )
        wanted = select(*columns).order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit)
        if statuses:
            wanted = wanted.where(TABLES.c.status.in_(statuses))
        if person == "":
            nobodys = TABLES.c.id.not_in(select(SEAT_HOLDERS.c.table_id)), TABLES.c.id.not_like(f"{UPLOADED_PREFIX}%")
            wanted = wanted.where(TABLES.c.host == "", *nobodys)
        elif person is not None:
            sits = select(SEAT_HOLDERS.c.table_id).where(SEAT_HOLDERS.c.person == person)
            wanted = wanted.where(TABLES.c.id.in_(sits) | (TABLES.c.host == person))
        if table_id is not None:
            wanted = wanted.where(TABLES.c.id == table_id)
        if deal is not None:
            wanted = wanted.where(TABLES.c.deal == deal)
        if before is not None:
            wanted = wanted.where(TABLES.c.changed < before)
        if free:
            wanted = wanted.where(HAS_FREE_SEATS)
        return await self.read(lambda connection: tuple(_stored_table(row) for row in connection.execute(wanted)))

    async def uploaded_tables(self) -> tuple[str, ...]:
        """The ids of the tables of games that visitors brought along, the newest first."""
        wanted = select(TABLES.c.id).where(TABLES.c.id.like(f"{UPLOADED_PREFIX}%")).order_by(TABLES.c.created.desc())
        return await self.read(lambda connection: tuple(connection.execute(wanted).scalars()))

    async def deadlines(self) -> tuple[tuple[str, float], ...]:
        """The tables at which somebody's time runs, and until when (UTC seconds): what is due first comes first."""
        wanted = select(TABLES.c.id, TABLES.c.due).where(TABLES.c.due.is_not(None)).order_by(TABLES.c.due)
        return await self.read(lambda connection: tuple((row.id, row.due) for row in connection.execute(wanted)))

    async def get_setting(self, name: str, make: Callable[[], bytes] = lambda: secrets.token_bytes(32)) -> bytes:
        """A value kept under a name; made, stored and waited for when it is asked for the first time."""
        wanted = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
        found = await self.read(lambda connection: connection.execute(wanted).scalar())
        if found is not None:
            return bytes(found)

        def job(connection: Connection) -> bytes:
            value = make()
            connection.execute(insert_or(SETTINGS).on_conflict_do_nothing(), {"name": name, "value": value})
            return bytes(connection.execute(wanted).scalar_one())

        return await self.write(job)

    async def set_setting(self, name: str, value: bytes) -> None:
        """Put another value under a name."""
        await self.write(lambda connection: connection.execute(_kept(name, value)))


def _versions(connection: Connection) -> dict[str, int]:
    return {row.id: row.version for row in connection.execute(select(TABLES.c.id, TABLES.c.version))}


def _write_down_lost(connection: Connection, lost: Sequence[LostEvents]) -> None:
    """Keep what is lost for whoever asks, in the transaction of the opening, and say it loudly."""
    if not lost:
        return
    for one in lost[:MOST_LINES]:
        _logger.error("a table has lost its newest events", table=one.table, noted=one.noted, found=one.found)
    _logger.error(
        "the database is older than it was when it was last written: is its -wal file gone, or an old copy in its "
        "place? The tables go on with what is there, and say so",
        tables=len(lost),
        events=sum(one.noted - one.found for one in lost),
    )
    wanted = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
    before = list(LOST_EVENTS_DECODER.decode(connection.execute(wanted).scalar() or b"[]"))
    known = {(one.table, one.noted) for one in before}
    value = msgspec.json.encode([*before, *(one for one in lost if (one.table, one.noted) not in known)])
    connection.execute(_kept(LOST_EVENTS_KEY, value))


def _kept(name: str, value: bytes) -> Insert:
    kept = insert_or(SETTINGS).values(name=name, value=value)
    return kept.on_conflict_do_update(index_elements=[SETTINGS.c.name], set_={"value": value})


def append_events(
    connection: Connection, table_id: str, expected: int, events: Iterable[tuple[float, bytes]], summary: TableSummary
) -> int:
    """In a transaction, what `Store.append` does; without events only the summary is kept."""
    there = select(TABLES.c.version, TABLES.c.changed, TABLES.c.summary).where(TABLES.c.id == table_id)
    known = connection.execute(there).one_or_none()
    if known is None:
        raise NoSuchTable(table_id)
    version, changed, shown = known
    if version != expected:
        raise StaleVersion(table_id, expected, version)
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "version": number, "at": at, "data": data}
        for number, (at, data) in enumerate(events, expected + 1)
    ]
    if rows:
        connection.execute(insert(EVENTS), rows)
    new = {"version": expected + len(rows), **_shown(summary, rows[-1]["at"] if rows else changed)}
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(new))
    connection.execute(delete(SEAT_HOLDERS).where(SEAT_HOLDERS.c.table_id == table_id))
    sitters = [
        {"table_id": table_id, "seat": number, "person": device_owner(seat.person)}
        for number, seat in enumerate(summary.seats)
        if seat.person
    ]
    if sitters:
        connection.execute(insert(SEAT_HOLDERS), sitters)
    before = SUMMARY.decode(shown).waiting_for if version else ""
    queue_turn_alerts(connection, table_id, new["version"], new["changed"], before, summary)
    return expected + len(rows)


def _shown(summary: TableSummary, at: float) -> dict[str, Any]:
    encoded = msgspec.json.encode(summary)
    shown = {"changed": at, "status": summary.status, "host": summary.host, "summary": encoded, "due": summary.deadline}
    shown["free"] = summary.free_seats
    return shown if summary.status in ACTIVE_STATUSES else {**shown, "origin": None}


def _stored_table(row: Row[*tuple[Any, ...]]) -> StoredTable:
    table_id, game, host, created, changed, version, summary, origin = row
    shown = SUMMARY.decode(summary)
    return StoredTable(table_id, game, host, created, changed, version, shown, origin)


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
            cursor.execute("PRAGMA secure_delete = ON")  # who has gone for good is not left in the file's free room
        cursor.close()

    def begin(connection: Connection) -> None:
        # The driver's own way of opening transactions knows no savepoints and starts too late; see SQLAlchemy's
        # chapter on pysqlite. A writer takes its lock at once, so that it waits at the beginning and never fails in
        # the middle.
        connection.exec_driver_sql("BEGIN" if query_only else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine
