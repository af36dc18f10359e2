"""The database: tables with their events, people with their sessions, component files.

Reads use connections that cannot write; writes go to the one `Writer` and are finished when they are on disk. This
module knows neither rules nor pages: an event is bytes, and the summary shown in the lobby is passed with it.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from spieltisch.store.dialects import insert_new, insert_or_replace
from spieltisch.store.errors import NoSuchTable, ReadFailed, StoreClosed, StoreDamaged, StoreUnsupported, reason
from spieltisch.store.hooks import Hooks, StoredFeature
from spieltisch.store.journal import LOST_EVENTS_DECODER, LostEvents, find_losses
from spieltisch.store.lost_events import record_losses
from spieltisch.store.migrate import migrate
from spieltisch.store.notices import Subject, announce
from spieltisch.store.postgres_database import PostgresDatabase
from spieltisch.store.schema import (
    COPYING_KEY,
    EPOCH_BYTES,
    EPOCH_KEY,
    EVENTS,
    LOBBY_ENTRIES,
    LOST_EVENTS_KEY,
    SECRETS,
    SETTINGS,
    TABLES,
)
from spieltisch.store.sessions import in_session
from spieltisch.store.sqlite_database import SqliteDatabase
from spieltisch.store.table_rows import (
    STORED_TABLE,
    SUMMARY,
    UPLOADED_PREFIX,
    ExtraWrite,
    StoredEvent,
    StoredTable,
    append_events,
    stored_table,
    summary_columns,
)
from spieltisch.store.writer import Writer
from spieltisch.tables.summary import TableSummary

T = TypeVar("T")
READER_THREADS: Final = 4
"""The number of threads that read, and so of concurrent reads."""


class Store:
    """An open database: a file, or a PostgreSQL database. A second store is refused, unless both share the database.

    Open it with `await Store.open(path)` or `await Store.open("postgresql://...")`, close it with `await
    store.close()`; a kill loses nothing that was acknowledged. All reads and writes are awaited: they run on threads of
    the store and never block the caller's event loop.
    """

    @classmethod
    async def open(cls, place: Path | str, features: Iterable[StoredFeature] = (), *, is_shared: bool = False) -> Self:
        """Open the file or the database of a URL, with the features whose rows it may hold.

        A file, and the SQL tables of a database, are created if there are none. A PostgreSQL database may be shared by
        several processes of the same version, if all of them say so by `is_shared`.

        Raise `StoreInUse`, `StoreUnsupported` or `StoreDamaged`.
        """
        return await asyncio.to_thread(partial(cls, place, features, is_shared=is_shared))

    async def close(self) -> None:
        """Finish reads and writes and close the file; calling it twice is harmless."""
        await asyncio.to_thread(self._close)

    def __init__(self, place: Path | str, features: Iterable[StoredFeature] = (), *, is_shared: bool = False) -> None:
        self.process = secrets.token_urlsafe(9)
        """A random id among the processes that share the database."""
        self.hooks = Hooks(features)
        self.database = database_at(place, is_shared=is_shared)
        try:
            with self.database.writing.begin() as connection:
                self.upgraded_from = migrate(connection, self.database.keep_copy)
                """The last migration before this version opened the database, if that has brought it up to date."""
                self.hooks.require_all(connection)
                if connection.execute(select(SETTINGS.c.name).where(SETTINGS.c.name == COPYING_KEY)).first():
                    raise StoreUnsupported(f"{self.database.name} is not copied completely: run that command again")
                versions = _versions(connection)
                record_losses(connection, find_losses(self.database.begin(connection), versions, time.time()))
                self.epoch = _epoch(connection)
                """Changes when a backup was restored, or the clock set back: open pages may be newer then."""
        except DatabaseError as error:
            self.database.close()
            raise StoreDamaged(f"{self.database.name} cannot be opened as a database: {reason(error)}") from error
        except BaseException:
            self.database.close()
            raise
        self._writer = Writer(
            self.database.writing,
            self.database.start_journal(versions),
            self.database.require_ours,
            announce if self.is_shared else None,
        )
        self._threads = ThreadPoolExecutor(READER_THREADS, "store-reader")

    def _close(self) -> None:
        self._writer.close()
        self._threads.shutdown()
        self.database.close()

    async def read(self, job: Callable[[Connection], T]) -> T:
        """Run `job` on a read-only connection that sees one state of the database.

        It runs again if the connection turns out to be lost. Raise `ReadFailed`, or `StoreClosed` after `close`.
        """

        def run() -> T:
            try:
                connection = self.database.readers.connect()
            except OperationalError as error:
                raise ReadFailed(f"{self.database.name} cannot be read: {reason(error)}") from error
            with connection:
                return job(connection)

        def reading() -> T:
            try:
                return run()
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return run()

        try:
            future = self._threads.submit(reading)
        except RuntimeError as error:
            raise StoreClosed("the store is closed") from error
        return await asyncio.wrap_future(future)

    async def write(
        self,
        job: Callable[[Connection], T],
        table: str | None = None,
        notices: Sequence[Subject] = (),
        *,
        order: str = "",
    ) -> T:
        """Run `job` in a transaction on the writer's thread; see `Writer.submit` and `in_session`."""
        return await asyncio.wrap_future(self._writer.submit(in_session(job), table, notices, order))

    @property
    def is_shared(self) -> bool:
        """True if other processes may use the database, too."""
        return self.database.is_shared

    @property
    def is_in_doubt(self) -> bool:
        """True if the last write failed, or if this process has lost the database, so that the next one will fail."""
        return self._writer.is_failing or not self.database.is_ours()

    async def check(self) -> None:
        """Write a value and read it back.

        Raise `StoreLost`, `StoreDamaged`, `ReadFailed` or `WriteFailed` if that fails.
        """
        self.database.require_ours()
        written = secrets.token_bytes(8)
        await self.set_setting("check", written)
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == "check")
        try:
            value = await self.read(lambda connection: connection.execute(query).scalar())
        except DatabaseError as error:
            raise StoreDamaged(f"{self.database.name} cannot be read: {reason(error)}") from error
        if value != written and not (value and self.is_shared):  # where another process has checked at the same time
            raise StoreDamaged(f"{self.database.name} does not hold what was written to it")

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
            return append_events(connection, self.hooks, table_id, 0, events, summary, also)

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

        The writes in `also` run in the same transaction, one after the other, and after them the hooks of features.
        Return the new version when it is on disk. Raise `StaleVersion`, `NoSuchTable` or `WriteFailed`; in each case
        nothing is changed.
        """
        return await self.write(
            lambda connection: append_events(connection, self.hooks, table_id, expected, events, summary, also),
            table_id,
        )

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
    ) -> tuple[StoredTable, ...]:
        """Return the tables that match all given conditions, last changed first.

        - `statuses`: the table has one of them (none given: any).
        - `person`: they have a seat, had one that is still free, or host.
        - `duplicate`: it belongs to the duplicate with this id.
        """
        query = select(*STORED_TABLE).order_by(TABLES.c.changed.desc(), TABLES.c.id)
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
            insert_new(connection, SETTINGS, {"name": name, "value": made})
            return bytes(connection.execute(query).scalar_one())

        return await self.write(job)

    async def set_setting(self, name: str, value: bytes) -> None:
        """Store a value under a name, replacing an earlier one."""
        await self.set_settings({name: value})

    async def change_setting(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Store a value that depends on the one under its name, which no other process changes meanwhile."""
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == name).with_for_update()

        def job(connection: Connection) -> None:
            value = change(bytes(connection.execute(query).scalar_one()))
            insert_or_replace(connection, SETTINGS, {"name": name, "value": value})

        await self.write(job)

    async def set_settings(self, values: Mapping[str, bytes]) -> None:
        """Store several values under their names in one transaction, replacing earlier ones."""

        def job(connection: Connection) -> None:
            for name, value in values.items():
                insert_or_replace(connection, SETTINGS, {"name": name, "value": value})

        await self.write(job)

    async def begin_epoch(self, values: Mapping[str, bytes]) -> None:
        """Let open pages load again, because they may be newer; store these settings with it."""
        epoch = secrets.token_bytes(EPOCH_BYTES)
        await self.set_settings({**values, EPOCH_KEY: epoch})
        self.epoch = epoch.hex()


def database_at(place: Path | str, *, is_shared: bool = False) -> SqliteDatabase | PostgresDatabase:
    """Return the database of a file or of a URL. Raise `StoreUnsupported` for a file that is to be shared."""
    if not isinstance(place, Path):
        return PostgresDatabase(place, is_shared=is_shared)
    if is_shared:
        raise StoreUnsupported("several processes need a PostgreSQL database: give its URL as --database")
    return SqliteDatabase(place)


def _versions(connection: Connection) -> dict[str, int]:
    return {row.id: row.version for row in connection.execute(select(TABLES.c.id, TABLES.c.version))}


def _epoch(connection: Connection) -> str:
    insert_new(connection, SETTINGS, {"name": EPOCH_KEY, "value": secrets.token_bytes(EPOCH_BYTES)})
    return bytes(connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == EPOCH_KEY)).scalar_one()).hex()
