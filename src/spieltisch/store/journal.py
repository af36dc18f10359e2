"""The newest version of every table, noted beside the database: so that one that has come back older is noticed.

SQLite keeps what was written last in a file of its own, the write-ahead log; when that is deleted, or lost by a disk,
the database is whole and merely older, and nothing in it tells. The journal, `<database>.versions`, has a line
`table version` for each commit of a table, appended after the commit and before anybody is told of it:

* A line never tells of more than is on disk, so a server that was killed never finds too little (no false alarm).
* A version that anybody saw was noted: after `kill -9` all of them are there, since the system has them.
* Nobody waits until the disk has the line: a second sync for each commit makes a move half as slow again or more (see
  `bench/journal.py`). The writer syncs once a second at most, when the moves are acknowledged. So after a power cut the
  last second may be missing here, and a loss of just that would go unnoticed.

It is written anew, one line a table, at every start, and when it has become long.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import structlog

from spieltisch.store.database_files import FILE_MODE
from spieltisch.store.disk import fsync_path

MOST_BYTES: Final = 4 << 20
_LINE: Final = re.compile(rb"([A-Za-z0-9_-]+) ([0-9]{1,15})\n")

_logger = structlog.get_logger("spieltisch.store")


class LostEvents(msgspec.Struct, frozen=True):
    """What a database has lost of a table: version `noted` was on disk once, `found` is there (0: no such table). `at`:
    when that was noticed, in UTC seconds.
    """

    table: str
    noted: int
    found: int
    at: float


LOST_EVENTS_DECODER = msgspec.json.Decoder(tuple[LostEvents, ...])


def journal_of(database: Path) -> Path:
    """Where the journal of a database lies."""
    return database.with_name(database.name + ".versions")


def read_journal(database: Path) -> dict[str, int]:
    """The newest version of each table that was noted; of a line that is not whole, and of no journal, nothing.

    Raises OSError.
    """
    try:
        lines = journal_of(database).read_bytes()
    except FileNotFoundError:
        return {}
    found: dict[str, int] = {}
    for line in lines.splitlines(keepends=True):
        if whole := _LINE.fullmatch(line):
            found[whole[1].decode()] = int(whole[2])
    return found


def find_losses(noted: Mapping[str, int], found: Mapping[str, int], at: float) -> list[LostEvents]:
    """What was noted and is not there.

    >>> [(one.table, one.noted, one.found) for one in find_losses({"a": 5, "b": 3, "c": 0}, {"a": 2, "b": 4}, 0.0)]
    [('a', 5, 2)]
    """
    return [
        LostEvents(table, version, found.get(table, 0), at)
        for table, version in noted.items()
        if version > found.get(table, 0)
    ]


class Journal:
    """The journal of a database that is open, begun with the `versions` of its tables. Used by one thread.

    Where it cannot be written, the log says so once, moves are written as before, and the next begins it anew.
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
        """These tables have come to these versions, on disk; 0: to their end, they were removed. Of a table that was
        removed nothing is left here either.
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
        except OSError as problem:
            self._give_up(problem)
            return
        self._size += len(lines)
        self.unsynced = True
        if self._size > MOST_BYTES:
            self._begin()

    def sync(self) -> None:
        """Wait until all of it is on disk."""
        try:
            if self._file is not None and self.unsynced:
                os.fsync(self._file)
        except OSError as problem:
            self._give_up(problem)
        self.unsynced = False

    def close(self) -> None:
        """Let the file go, synced; twice does no harm."""
        self.sync()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _begin(self) -> None:
        """Write it anew, under another name first: there is always a whole one."""
        part = self._path.with_name(f"{self._path.name}.part")
        lines = b"".join(b"%s %d\n" % (table.encode(), n) for table, n in self._versions.items() if n)
        try:
            self.close()
            with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, FILE_MODE), "wb") as opened:
                opened.write(lines)
                opened.flush()
                os.fsync(opened.fileno())
            part.replace(self._path)
            fsync_path(self._path.parent)
            self._file = os.open(self._path, os.O_APPEND | os.O_WRONLY)
            self._failing = False
        except OSError as problem:
            self._give_up(problem)
        self._size = len(lines)

    def _give_up(self, problem: OSError) -> None:
        if not self._failing:
            _logger.error("versions cannot be noted beside the database", path=str(self._path), problem=str(problem))
        self._failing = True
        if self._file is not None:
            os.close(self._file)
        self._file = None
