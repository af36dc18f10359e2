"""The database file: tables with their events, people with their sessions, component files.

Reads use connections that cannot write; writes go to the one `Writer` and are finished when they are on disk. This
module knows neither rules nor pages: an event is bytes, and the summary shown in the lobby is passed with it.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self, TypeAlias, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import DatabaseError

from spieltisch.store.alert_queue import drop_stale_plans
from spieltisch.store.connections import create_sqlite_engine
from spieltisch.store.database_files import make_private
from spieltisch.store.errors import NoSuchTable, StoreClosed, StoreDamaged, StoreLost
from spieltisch.store.journal import LOST_EVENTS_DECODER, Journal, LostEvents, find_losses, read_journal
from spieltisch.store.lock import FileLock, is_same_file
from spieltisch.store.migrate import migrate
from spieltisch.store.schema import (
    EPOCH_BYTES,
    EPOCH_KEY,
    EVENTS,
    LOBBY_ENTRIES,
    LOST_EVENTS_KEY,
    SECRETS,
    SETTINGS,
    TABLES,
)
from spieltisch.store.table_rows import (
    STORED_TABLE,
    SUMMARY,
    UPLOADED_PREFIX,
    StoredEvent,
    StoredTable,
    append_events,
    stored_table,
    summary_columns,
)
from spieltisch.store.writer import Writer
from spieltisch.tables.summary import TableSummary

T = TypeVar("T")
ExtraWrite: TypeAlias = Callable[[Connection], object]
"""A write in the same transaction as the events of a table."""
MAX_LOGGED_TABLES: Final = 20
"""The number of tables named in the log; any further ones are only counted."""
READER_THREADS: Final = 4
"""The number of threads that read, and so of concurrent reads."""
_logger = structlog.get_logger("spieltisch.store")


class Store:
    """An open database file. Only one store per file can be open on a machine; a second one is refused.

    Open it with `await Store.open(path)`, close it with `await store.close()`; a kill loses nothing that was
    acknowledged. All reads and writes are awaited: they run on threads of the store and never block the caller's event
    loop.
    """

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open the file, or create it if there is none.

        Raise `StoreInUse`, `StoreUnsupported` or `StoreDamaged`.
        """
        return await asyncio.to_thread(cls, path)

    async def close(self) -> None:
        """Finish reads and writes and close the file; calling it twice is harmless."""
        await asyncio.to_thread(self._close)

    def __init__(self, path: Path) -> None:
        make_private(path)
        self.path = path
        self._lock = FileLock(path)
        self._readers = create_sqlite_engine(path, query_only=True)
        self._writing = create_sqlite_engine(path, query_only=False)
        try:
            with self._writing.begin() as connection:
                migrate(connection)
                versions = _versions(connection)
                _record_losses(connection, find_losses(read_journal(path), versions, time.time()))
                self.epoch = _epoch(connection)
                """Changes when a backup was restored, or the clock set back: open pages may be newer then."""
        except DatabaseError as error:
            self._release()
            raise StoreDamaged(f"{path} cannot be opened as a database: {error.orig}") from error
        except BaseException:
            self._release()
            raise
        self._files = {file: file.stat() for file in (path, path.with_name(f"{path.name}-wal"))}
        self._writer = Writer(self._writing, Journal(path, versions), self._require_files)
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

    def _has_files(self) -> bool:
        return all(is_same_file(path, status) for path, status in self._files.items()) and self._lock.holds()

    def _require_files(self) -> None:
        """Raise `StoreLost` if what is written would be lost with the end of this process."""
        if not self._has_files():
            raise StoreLost(f"{self.path}, its -wal file or its lock is missing or was replaced: stop the server")

    @property
    def is_in_doubt(self) -> bool:
        """True if the last write failed, or if the next one will because the files are gone."""
        return self._writer.is_failing or not self._has_files()

    async def check(self) -> None:
        """Write a value and read it back.

        Raise `StoreLost`, `StoreDamaged` or `WriteFailed` if that fails.
        """
        self._require_files()
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
                **summary_columns(summary, at),
            }
            row["duplicate"] = summary.duplicate or None
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
        query = select(TABLES.c.duplicate, TABLES.c.summary).where(TABLES.c.duplicate.is_not(None))

        def job(connection: Connection) -> tuple[str, ...]:
            summaries = [(duplicate, SUMMARY.decode(summary)) for duplicate, summary in connection.execute(query)]
            unfinished = {
                duplicate for duplicate, summary in summaries if summary.status not in ("finished", "aborted")
            }
            return tuple(sorted({duplicate for duplicate, summary in summaries if summary.is_withheld} - unfinished))

        return await self.read(job)

    async def tables(
        self,
        *statuses: str,
        person: str | None = None,
        table_id: str | None = None,
        duplicate: str | None = None,
        limit: int | None = None,
    ) -> tuple[StoredTable, ...]:
        """Return the tables that match all given conditions, last changed first.

        - `statuses`: the table has one of them (none given: any).
        - `person`: they have a seat, had one that is still free, or host.
        - `duplicate`: it belongs to the duplicate with this id.
        """
        query = select(*STORED_TABLE).order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit)
        if statuses:
            query = query.where(TABLES.c.status.in_(statuses))
        if person is not None:
            own = select(LOBBY_ENTRIES.c.table_id).where(LOBBY_ENTRIES.c.person == person)
            query = query.where(TABLES.c.id.in_(own))
        if table_id is not None:
            query = query.where(TABLES.c.id == table_id)
        if duplicate is not None:
            query = query.where(TABLES.c.duplicate == duplicate)
        return await self.read(lambda connection: tuple(map(stored_table, connection.execute(query))))

    async def table_ids(self, *statuses: str) -> tuple[str, ...]:
        """Return the ids of all tables with one of these statuses, last changed first."""
        query = select(TABLES.c.id).where(TABLES.c.status.in_(statuses)).order_by(TABLES.c.changed.desc())
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
        query = select(TABLES.c.id, TABLES.c.deadline).where(TABLES.c.deadline.is_not(None)).order_by(TABLES.c.deadline)
        if until is not None:
            query = query.where(TABLES.c.deadline <= until)
        return await self.read(lambda connection: tuple((row.id, row.deadline) for row in connection.execute(query)))

    async def clock_since(self) -> float | None:
        """Return the time of the oldest last event of the tables at which a clock runs; None if none runs."""
        query = select(func.min(TABLES.c.changed)).where(TABLES.c.deadline.is_not(None))
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

    async def begin_epoch(self, values: Mapping[str, bytes]) -> None:
        """Let open pages load again, because they may be newer; store these settings with it."""
        epoch = secrets.token_bytes(EPOCH_BYTES)
        await self.set_settings({**values, EPOCH_KEY: epoch})
        self.epoch = epoch.hex()


def _versions(connection: Connection) -> dict[str, int]:
    return {row.id: row.version for row in connection.execute(select(TABLES.c.id, TABLES.c.version))}


def _epoch(connection: Connection) -> str:
    statement = insert_or(SETTINGS).on_conflict_do_nothing()
    connection.execute(statement, {"name": EPOCH_KEY, "value": secrets.token_bytes(EPOCH_BYTES)})
    return bytes(connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == EPOCH_KEY)).scalar_one()).hex()


def _record_losses(connection: Connection, lost: Sequence[LostEvents]) -> None:
    """Store the losses in the opening transaction and log them as errors."""
    if not lost:
        return
    for loss in lost[:MAX_LOGGED_TABLES]:
        _logger.error("a table has lost its newest events", table=loss.table, noted=loss.recorded, found=loss.stored)
    _logger.error(
        "the database is older than it was when it was last written: is its -wal file gone, or an old copy in its "
        "place? The tables go on with what is there, and say so",
        tables=len(lost),
        events=sum(loss.recorded - loss.stored for loss in lost),
    )
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
    earlier = list(LOST_EVENTS_DECODER.decode(connection.execute(query).scalar() or b"[]"))
    known = {(loss.table, loss.recorded) for loss in earlier}
    value = msgspec.json.encode([*earlier, *(loss for loss in lost if (loss.table, loss.recorded) not in known)])
    connection.execute(_upsert_setting(LOST_EVENTS_KEY, value))


def _upsert_setting(name: str, value: bytes) -> Insert:
    statement = insert_or(SETTINGS).values(name=name, value=value)
    return statement.on_conflict_do_update(index_elements=[SETTINGS.c.name], set_={"value": value})
