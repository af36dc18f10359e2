"""Journal of the newest version of each table, next to the database, to notice that an older database has come back.

SQLite stores the latest writes in a separate file, the write-ahead log. If that file is deleted, or lost by a disk, the
database is intact but older, and nothing in it shows this. The journal, `<database>.versions`, has a line `table
version` for each commit of a table, appended after the commit and before anyone is notified; that of a removed table is
taken away before the commit:

* A line never claims more than is on disk, so a server that was killed never reports a loss (no false alarm).
* Each version that anyone has seen was recorded: after `kill -9` all lines exist, since the system has them.
* No request waits until the line is on disk: a second sync for each commit makes a move at least half as slow again
  (see `bench/journal.py`). The writer syncs at most once a second, after the moves are acknowledged. So after a power
  failure the last second may be missing here, and the loss of just that second would go unnoticed.

The journal is rewritten, with one line for each table, at every start and when it has become long.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import structlog

from spieltisch.store.database_files import create_private, fsync_path

MAX_JOURNAL_BYTES: Final = 4 << 20
"""The size at which the journal is rewritten."""
_LINE: Final = re.compile(rb"([A-Za-z0-9_-]+) ([0-9]{1,15})\n")

_logger = structlog.get_logger("spieltisch.store")


class LostEvents(msgspec.Struct, frozen=True):
    """Events of a table that the database has lost.

    Version `recorded` was on disk once, version `stored` is there now (0: no such table). `at` is the time at which the
    loss was noticed, in UTC seconds.
    """

    table: str
    recorded: int
    stored: int
    at: float


LOST_EVENTS_DECODER = msgspec.json.Decoder(tuple[LostEvents, ...])


def journal_of(database: Path) -> Path:
    """Return the file beside the database that holds the newest version of each table."""
    return database.with_name(database.name + ".versions")


def read_journal(database: Path) -> dict[str, int]:
    """Return the newest recorded version of each table.

    Incomplete lines are skipped; without a journal the result is empty. Raise `OSError` if it cannot be read.
    """
    try:
        lines = journal_of(database).read_bytes()
    except FileNotFoundError:
        return {}
    versions: dict[str, int] = {}
    for line in lines.splitlines(keepends=True):
        if match := _LINE.fullmatch(line):
            versions[match[1].decode()] = int(match[2])
    return versions


def find_losses(recorded: Mapping[str, int], stored: Mapping[str, int], at: float) -> list[LostEvents]:
    """Return the tables whose recorded version is newer than the one found in the database.

    >>> losses = find_losses({"a": 5, "b": 3, "c": 0}, {"a": 2, "b": 4}, 0.0)
    >>> [(loss.table, loss.recorded, loss.stored) for loss in losses]
    [('a', 5, 2)]
    """
    return [
        LostEvents(table, version, stored.get(table, 0), at)
        for table, version in recorded.items()
        if version > stored.get(table, 0)
    ]


class Journal:
    """The journal of an open database, started with the `versions` of its tables. Used by one thread.

    If it cannot be written, the log says so once, moves are written as before, and the next write starts it again.
    """

    def __init__(self, database: Path, versions: Mapping[str, int]) -> None:
        self._path = journal_of(database)
        self._versions = dict(versions)
        self._file: int | None = None
        self._size = 0
        self._failing = False
        self.unsynced = False
        self._begin()

    def note(self, versions: Iterable[tuple[str, int]]) -> None:
        """Record that tables have reached these versions on disk; version 0 means that the table was removed.

        A removed table leaves no trace in the journal either.
        """
        lines, removed = b"", False
        for table, version in versions:
            self._versions[table] = version
            lines += b"%s %d\n" % (table.encode(), version)
            removed = removed or version == 0
        if not lines:
            return
        if self._file is None or removed:
            self._begin()
            return
        try:
            if os.write(self._file, lines) != len(lines):
                raise OSError("it was written in part")
        except OSError as error:
            self._give_up(error)
            return
        self._size += len(lines)
        self.unsynced = True
        if self._size > MAX_JOURNAL_BYTES:
            self._begin()

    def sync(self) -> None:
        """Wait until all lines are on disk."""
        try:
            if self._file is not None and self.unsynced:
                os.fsync(self._file)
        except OSError as error:
            self._give_up(error)
        self.unsynced = False

    def close(self) -> None:
        """Sync and close the file; calling it twice is harmless."""
        self.sync()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _begin(self) -> None:
        """Rewrite the journal under a temporary name first, so that there is always a complete one."""
        part = self._path.with_name(f"{self._path.name}.part")
        lines = b"".join(b"%s %d\n" % (table.encode(), n) for table, n in self._versions.items() if n)
        try:
            self.close()
            part.unlink(missing_ok=True)
            with os.fdopen(create_private(part, os.O_WRONLY), "wb") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self._path)
            fsync_path(self._path.parent)
            self._file = os.open(self._path, os.O_APPEND | os.O_WRONLY)
            self._failing = False
        except OSError as error:
            self._give_up(error)
        self._size = len(lines)

    def _give_up(self, error: OSError) -> None:
        if not self._failing:
            _logger.error("versions cannot be noted beside the database", path=str(self._path), problem=str(error))
        self._failing = True
        if self._file is not None:
            os.close(self._file)
        self._file = None
