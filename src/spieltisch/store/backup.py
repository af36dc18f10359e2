"""Copies of a database: whole, checked, and never over something that is there."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from spieltisch.store.database_check import DatabaseContents, database_contents, open_read_only, revision
from spieltisch.store.disk import fsync_path
from spieltisch.store.errors import StoreExists, WriteFailed
from spieltisch.store.journal import journal_of
from spieltisch.store.lock import FileLock


def back_up(database: Path, target: Path) -> DatabaseContents:
    """Copy a database into the new file `target`, also while a server works on it, and return what is in the copy.

    The copy is one moment of the database, checked, and readable by its owner only: it holds the secrets of running
    games. It appears under its name when it is whole and on disk. Raises `StoreExists`, `StoreDamaged`,
    `StoreTooNew`, `WriteFailed`, `OSError`.
    """
    with open_read_only(database) as source:
        return _copy(source, database, target)


def restore(backup: Path, database: Path) -> DatabaseContents:
    """Put a backup where a server looks for its database, and return what is in it.

    Raises `StoreInUse` while a server runs there, `StoreExists` when there are tables already, `StoreDamaged` and
    `StoreTooNew` for a backup that cannot be used, `WriteFailed`, `OSError`. Nothing is changed then.
    """
    with open_read_only(backup, "ro") as source:
        database_contents(source, backup)
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(database)
        try:
            for name in (database.name, database.name + "-wal", database.name + "-shm"):
                _refuse(database.with_name(name))
            journal_of(database).unlink(missing_ok=True)  # the backup may be older: that is no loss, it is meant
            return _copy(source, backup, database)
        finally:
            lock.release()


@contextmanager
def snapshot(database: Path) -> Iterator[Path]:
    """A copy of the database as it is now, in a folder of its own that goes away at the end. Raises as `back_up`."""
    with TemporaryDirectory(prefix="spieltisch-") as folder:
        copy = Path(folder) / database.name
        back_up(database, copy)
        yield copy


def _refuse(target: Path) -> None:
    if os.path.lexists(target):
        raise StoreExists(f"{target} is there already, and nothing is written over it")


def _copy(source: sqlite3.Connection, name: Path, target: Path) -> DatabaseContents:
    _refuse(target)
    revision(source, name)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(part)) as copy:
            try:
                # All pages in one step: a copy in several steps would begin again whenever a server writes.
                source.backup(copy)
                # Without side files: a copy is one file, wherever it is carried to. A server switches back by itself.
                copy.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as problem:
                raise WriteFailed(f"{name} could not be copied to {target}: {problem}") from problem
            found = database_contents(copy, name)
        fsync_path(part)
        _rename(part, target)
    finally:
        part.unlink(missing_ok=True)
    fsync_path(target.parent)
    return found


def _rename(part: Path, target: Path) -> None:
    """Give the copy its name. The name is taken first, by a call that fails when it is there: renaming alone would
    replace a file that somebody else has made in the meantime.
    """
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        _refuse(target)
        raise
    try:
        part.replace(target)
    except OSError:
        target.unlink()
        raise
