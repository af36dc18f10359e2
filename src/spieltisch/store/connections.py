"""Connections to the database file."""

import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event

BUSY_SECONDS: Final = 10.0
"""The time to wait for a locked database."""


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
