"""Look at a database file without changing it: is it sound, is it ours, and what is in it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from spieltisch.store.errors import StoreDamaged, StoreTooNew
from spieltisch.store.journal import LOST_EVENTS_DECODER, LostEvents, find_losses, read_journal
from spieltisch.store.migrate import known_revisions
from spieltisch.store.schema import LOST_EVENTS_KEY

PATIENCE: Final = 10.0
"""Seconds to wait for a server that is writing."""


class DatabaseContents(msgspec.Struct, frozen=True):
    """What a database holds: its last migration, the number of people, and of tables by status."""

    revision: str
    people: int
    tables: dict[str, int]

    def __str__(self) -> str:
        many, people = sum(self.tables.values()), self.people
        return f"{many} {'table' if many == 1 else 'tables'}, {people} {'person' if people == 1 else 'people'}"


@contextmanager
def open_read_only(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """A connection to an existing file that cannot change it, also while a server works on it. Raises `StoreDamaged`.

    `mode` `rw` opens it as a server does, so that SQLite tidies up its side files at the end; `ro` is for a file or a
    folder that must not, or cannot, be written to.
    """
    try:
        opened = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode={mode}", uri=True, timeout=PATIENCE)
        with closing(opened) as connection:
            connection.execute("PRAGMA query_only = ON")
            yield connection
    except sqlite3.Error as problem:
        raise StoreDamaged(f"{path} cannot be read as a database: {problem}") from problem


def database_contents(connection: sqlite3.Connection, path: Path) -> DatabaseContents:
    """What a database holds, once it is found to be sound. Raises `StoreDamaged`, `StoreTooNew`."""
    found = revision(connection, path)
    problems = find_damage(connection)
    if problems:
        raise StoreDamaged(f"{path} is damaged: {problems[0]}")
    statuses = connection.execute("SELECT status, count(*) FROM tables GROUP BY status ORDER BY status").fetchall()
    people = connection.execute("SELECT count(*) FROM people").fetchone()[0]
    return DatabaseContents(found, people, dict(statuses))


def revision(connection: sqlite3.Connection, path: Path) -> str:
    """The last migration this file has seen. Raises `StoreDamaged` for somebody else's file, `StoreTooNew`."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    found = None
    if "alembic_version" in names:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if found is None:
        raise StoreDamaged(f"{path} is not a database of Spieltisch")
    if found[0] not in known_revisions():
        raise StoreTooNew(f"{path} was written by a newer Spieltisch (its shape is {found[0]!r}); upgrade this one")
    return str(found[0])


def lost_events(connection: sqlite3.Connection, path: Path) -> tuple[list[LostEvents], list[LostEvents]]:
    """What a database of ours has come back without: what the next start will notice, and what earlier ones did."""
    versions = read_journal(path)  # before the database, which may be written to
    found = dict(connection.execute("SELECT id, version FROM tables"))
    kept = connection.execute("SELECT value FROM settings WHERE name = ?", (LOST_EVENTS_KEY,)).fetchone()
    earlier = list(LOST_EVENTS_DECODER.decode(kept[0])) if kept else []
    return find_losses(versions, found, time.time()), earlier


def find_damage(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with a database of ours: broken pages, rows without what they refer to, gaps among events."""
    found = [f"{line}" for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    if found:
        return found
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"row {row} of {table} refers to something that is not in {parent}")
    gaps = connection.execute(
        "SELECT id, tables.version, count(events.version), coalesce(max(events.version), 0) FROM tables "
        "LEFT JOIN events ON events.table_id = tables.id GROUP BY id "
        "HAVING count(events.version) = 0 OR count(events.version) != tables.version "
        "OR max(events.version) != tables.version"
    )
    for table_id, version, many, last in gaps:
        found.append(f"table {table_id} should have {version} events and has {many}, up to number {last}")
    return found
