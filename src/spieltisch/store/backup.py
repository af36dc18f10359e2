"""Copies of a database: complete, checked, and never written over an existing file."""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from spieltisch.core.file_owners import make_folder
from spieltisch.store.copying import copy_all
from spieltisch.store.database_check import DatabaseContents, database_contents, open_read_only, revision
from spieltisch.store.database_files import FILE_MODE, FOLDER_MODE, create_private, fsync_path
from spieltisch.store.errors import StoreExists, WriteFailed
from spieltisch.store.hooks import StoredFeature
from spieltisch.store.journal import journal_of
from spieltisch.store.lock import FileLock
from spieltisch.store.schema import DATABASE, EPOCH_KEY

DATED = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
"""The pattern of a date and time in the name of a backup."""


def back_up(database: Path | str, target: Path, features: Iterable[StoredFeature] = ()) -> DatabaseContents:
    """Copy a database file, or the database of a URL with the rows of these features, into the new file `target`.

    Return the contents of the copy.

    This works while a server uses the database. The copy shows the database at one moment, is checked, and is readable
    by its owner only, because it holds the secrets of running games. It gets its name when it is complete and on disk.
    Raise `StoreExists`, `StoreDamaged`, `StoreUnsupported`, `WriteFailed` or `OSError`.
    """
    if isinstance(database, str):
        _require_new(target)
        with TemporaryDirectory(prefix=".spieltisch-", dir=target.parent) as folder:
            copy = Path(folder) / target.name
            copy_all(database, copy, features, is_stopped=False)
            return back_up(copy, target)
    with open_read_only(database) as source:
        return _copy(source, database, target)


def restore(backup: Path, database: Path | str, features: Iterable[StoredFeature] = ()) -> DatabaseContents:
    """Put a backup where a server looks for its database, and return its contents.

    Raise `StoreInUse` if a server is running there, `StoreExists` if there is a database already, `StoreDamaged` or
    `StoreUnsupported` if the backup cannot be used, `WriteFailed` or `OSError`. In each case nothing is changed, except
    in the database of a URL, for which the same call goes on.
    """
    if isinstance(database, str):
        with TemporaryDirectory(prefix="spieltisch-") as folder:
            copy = Path(folder) / backup.name
            contents = restore(backup, copy)
            copy_all(copy, database, features, is_stopped=True)
            return contents
    with open_read_only(backup, "ro") as source:
        database_contents(source, backup)
        make_folder(database.parent, FOLDER_MODE)
        lock = FileLock(database)
        try:
            for name in (database.name, database.name + "-wal", database.name + "-shm"):
                _require_new(database.with_name(name))
            journal_of(database).unlink(missing_ok=True)  # an older backup is intended, not a loss
            return _copy(source, backup, database, create_private, without_setting=EPOCH_KEY)  # open pages load again
        finally:
            lock.release()


@contextmanager
def snapshot(database: Path | str, features: Iterable[StoredFeature] = ()) -> Iterator[Path]:
    """Yield a copy of the database in a temporary folder, which is deleted at the end.

    Raise the same errors as `back_up`.
    """
    with TemporaryDirectory(prefix="spieltisch-") as folder:
        copy = Path(folder) / (DATABASE if isinstance(database, str) else database.name)
        back_up(database, copy, features)
        yield copy


def dated_backup(folder: Path) -> Path:
    """Return the path of a backup in this folder that is named by the date and time (UTC); make the folder if needed.

    Raise `OSError` if it cannot be made.
    """
    make_folder(folder, FOLDER_MODE)
    return folder / datetime.now(UTC).strftime("spieltisch-%Y-%m-%dT%H-%M-%S.backup")


def delete_old_backups(folder: Path, keep: int) -> None:
    """Delete the backups in this folder that `dated_backup` named, except the newest `keep`."""
    newest_first = sorted(folder.glob(f"spieltisch-{DATED}.backup"), reverse=True)
    for backup in newest_first[keep:]:
        backup.unlink()


def _require_new(target: Path) -> None:
    if os.path.lexists(target):
        raise StoreExists(f"{target} already exists and is not overwritten")


def _create_own(path: Path, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, FILE_MODE)


def _copy(
    source: sqlite3.Connection,
    name: Path,
    target: Path,
    create: Callable[[Path, int], int] = _create_own,
    *,
    without_setting: str = "",
) -> DatabaseContents:
    _require_new(target)
    revision(source, name)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(create(part, os.O_EXCL | os.O_WRONLY))
        with closing(sqlite3.connect(part)) as copy:
            try:
                # All pages in one step: a copy in several steps restarts whenever a server writes.
                source.backup(copy)
                copy.execute("DELETE FROM settings WHERE name = ?", (without_setting,))
                copy.commit()
                # Without side files, so that the copy is a single file. A server switches back to WAL automatically.
                copy.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as error:
                raise WriteFailed(f"{name} could not be copied to {target}: {error}") from error
            contents = database_contents(copy, name)
        fsync_path(part)
        _rename(part, target)
    finally:
        part.unlink(missing_ok=True)
    fsync_path(target.parent)
    return contents


def _rename(part: Path, target: Path) -> None:
    """Rename the finished copy to its final name.

    Create the target first, with a call that fails if it exists: renaming alone would replace a file that another
    program has created in the meantime.
    """
    try:
        os.close(_create_own(target, os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        _require_new(target)
        raise
    try:
        part.replace(target)
    except OSError:
        target.unlink()
        raise
