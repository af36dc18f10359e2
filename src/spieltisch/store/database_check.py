"""Read-only checks of a database file: is it healthy, is it one of Spieltisch, and what does it hold."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec

from spieltisch.store.errors import StoreDamaged
from spieltisch.store.journal import LOST_EVENTS_DECODER, LostEvents, find_losses, read_journal
from spieltisch.store.migrate import require_known_revision
from spieltisch.store.schema import LOST_EVENTS_KEY

BUSY_TIMEOUT_SECONDS: Final = 10.0
"""The time to wait for a server that is writing."""


class DatabaseContents(msgspec.Struct, frozen=True):
    """Contents of a database: its last migration, the number of people, and the number of tables by status."""

    revision: str
    people: int
    tables: dict[str, int]

    def __str__(self) -> str:
        tables, people = sum(self.tables.values()), self.people
        return f"{tables} {'table' if tables == 1 else 'tables'}, {people} {'person' if people == 1 else 'people'}"


@contextmanager
def open_read_only(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """Open an existing file on a connection that cannot change it, even while a server uses it.

    With `mode` "rw" it is opened as by a server, so that SQLite cleans up its side files at the end; "ro" is for a file
    or folder that must not or cannot be written to. Raise `StoreDamaged` if the file cannot be read as a database.
    """
    try:
        database = sqlite3.connect(
            f"file:{quote(str(path.absolute()))}?mode={mode}", uri=True, timeout=BUSY_TIMEOUT_SECONDS
        )
        with closing(database) as connection:
            connection.execute("PRAGMA query_only = ON")
            yield connection
    except sqlite3.Error as error:
        raise StoreDamaged(f"{path} cannot be read as a database: {error}") from error


def database_contents(connection: sqlite3.Connection, path: Path) -> DatabaseContents:
    """Check a database and return its contents.

    Raise `StoreDamaged` or `StoreUnsupported`.
    """
    last_migration = revision(connection, path)
    problems = find_damage(connection)
    if problems:
        raise StoreDamaged(f"{path} is damaged: {problems[0]}")
    return count_contents(connection.execute, last_migration)


def count_contents(execute: Callable[[str], Any], last_migration: str) -> DatabaseContents:
    """Return the contents of a database, in which `execute` runs SQL."""
    statuses = execute("SELECT status, count(*) FROM tables GROUP BY status ORDER BY status").fetchall()
    people = execute("SELECT count(*) FROM people").fetchone()[0]
    return DatabaseContents(last_migration, people, {row[0]: row[1] for row in statuses})


def revision(connection: sqlite3.Connection, path: Path) -> str:
    """Return the last migration of this file.

    Raise `StoreDamaged` if it is no database of Spieltisch, `StoreUnsupported` as `require_known_revision`.
    """
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    row = None
    if "alembic_version" in names:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if row is None:
        raise StoreDamaged(f"{path} is not a database of Spieltisch")
    require_known_revision(str(row[0]), str(path))
    return str(row[0])


def lost_events(connection: sqlite3.Connection, path: Path) -> tuple[list[LostEvents], list[LostEvents]]:
    """Return the events this database has lost: those the next start will find, and those found at earlier starts."""
    versions = read_journal(path)  # read it before the database, which may change in between
    stored_versions = dict(connection.execute("SELECT id, version FROM tables"))
    row = connection.execute("SELECT value FROM settings WHERE name = ?", (LOST_EVENTS_KEY,)).fetchone()
    earlier = list(LOST_EVENTS_DECODER.decode(row[0])) if row else []
    return find_losses(versions, stored_versions, time.time()), earlier


def find_damage(connection: sqlite3.Connection) -> list[str]:
    """Return the damage in a database: broken pages, rows with missing references, and gaps between events."""
    problems = [f"{line}" for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    if problems:
        return problems
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        problems.append(f"row {row} of {table} refers to something that is not in {parent}")
    return problems + find_gaps(connection.execute)


def find_gaps(execute: Callable[[str], Any]) -> list[str]:
    """Return the gaps between the events of tables in a database, in which `execute` runs SQL."""
    gaps = execute(
        "SELECT id, tables.version, count(events.version), coalesce(max(events.version), 0) FROM tables "
        "LEFT JOIN events ON events.table_id = tables.id GROUP BY id "
        "HAVING count(events.version) = 0 OR count(events.version) != tables.version "
        "OR max(events.version) != tables.version"
    )
    return [
        f"table {table_id} should have {version} events and has {event_count}, up to number {last}"
        for table_id, version, event_count, last in gaps
    ]
