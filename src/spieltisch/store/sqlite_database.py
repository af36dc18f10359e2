"""A database in one SQLite file, on this machine alone."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event

from spieltisch.store.database_files import fsync_path, make_private
from spieltisch.store.errors import StoreLost, WriteFailed
from spieltisch.store.journal import Journal, read_journal
from spieltisch.store.lock import FileLock, is_same_file
from spieltisch.store.schema import HEAD

BUSY_SECONDS: Final = 10.0
"""The time to wait for a locked database."""


class SqliteDatabase:
    """A database file that this process has locked; created if there is none. Raise `StoreInUse`."""

    is_shared = False
    is_alone = True

    def __init__(self, path: Path) -> None:
        make_private(path)
        self.name = str(path)
        self._path = path
        self._lock = FileLock(path)
        self.readers = create_sqlite_engine(path, query_only=True)
        self.writing = create_sqlite_engine(path, query_only=False)

    def keep_copy(self) -> None:
        """Copy the file beside itself before it is brought to the format of this version."""
        target = self._path.with_name(f"{self._path.name}.before-{HEAD}")
        target.unlink(missing_ok=True)  # of an attempt that failed, and changed nothing
        make_private(target)
        with closing(sqlite3.connect(self._path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        fsync_path(target)

    def begin(self, _connection: Connection) -> Mapping[str, int]:
        """Return the newest version of each table that the journal has recorded."""
        self._files = {file: file.stat() for file in (self._path, self._path.with_name(f"{self._path.name}-wal"))}
        return read_journal(self._path)

    def start_journal(self, versions: Mapping[str, int]) -> Journal:
        """Start the journal with the versions that the tables have now."""
        return Journal(self._path, versions)

    def is_ours(self) -> bool:
        """Return True if the file, its write-ahead log and the lock are where they were."""
        return all(is_same_file(path, status) for path, status in self._files.items()) and self._lock.holds()

    def require_ours(self) -> None:
        """Raise `StoreLost` if what is written would be lost with the end of this process."""
        if not self.is_ours():
            raise StoreLost(f"{self.name}, its -wal file or its lock is missing or was replaced: stop the server")

    def vacuum(self) -> None:
        """Rewrite the file without deleted content and empty its write-ahead log.

        Raise `WriteFailed` if it fails or another process is reading.
        """
        try:
            with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("VACUUM")
                busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise WriteFailed(f"{self.name} could not be rewritten: {error}") from error
        if busy:
            raise WriteFailed(f"{self.name} could not be rewritten: another process is reading it")

    def close(self) -> None:
        """Close all connections, and release the lock."""
        self.readers.dispose()
        self.writing.dispose()
        self._lock.release()


def create_sqlite_engine(path: Path, *, query_only: bool) -> Engine:
    """Return an engine for a database file whose transactions begin when they are opened."""
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
        # The driver's transactions support no savepoints and start too late; see SQLAlchemy's chapter on pysqlite. A
        # writer takes its lock immediately, so that it waits at the start and cannot fail in the middle.
        connection.exec_driver_sql("BEGIN" if query_only else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine
