"""The folder of the tables and its files are for their owner alone: they hold the secrets of running games.

Systems without such modes (Windows) keep application data from other users by themselves.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600

log = structlog.get_logger("spieltisch.store")


def make_private(database: Path) -> None:
    """Make the folder and the file where they are not there, and close both to others where they are open.

    What belongs to somebody else, or is a folder for all (such as /tmp), stays as it is, and the log says so.
    """
    database.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if not database.exists():  # SQLite gives the files that it makes beside a database the mode of the database
        os.close(os.open(database, os.O_CREAT | os.O_RDWR, FILE_MODE))
    for path in readable_by_others(database):
        try:
            _close(path)
        except OSError as problem:
            log.warning("others can read what they should not", path=str(path), problem=f"{problem}")


def readable_by_others(database: Path) -> Iterator[Path]:
    """The folder of a database, and what is in it of this database, where others than its owner have rights to it."""
    if os.name != "posix":
        return
    for path in (database.parent, *sorted(database.parent.glob(f"{database.name}*"))):
        if path.lstat().st_mode & 0o077 and not path.is_symlink():
            yield path


def private_mode(path: Path) -> int:
    """The mode that such a folder or file should have."""
    return FOLDER_MODE if path.is_dir() else FILE_MODE


def _close(path: Path) -> None:
    if path.stat().st_mode & stat.S_ISVTX:
        raise PermissionError("this is a folder for all; choose one of your own with --data")
    path.chmod(private_mode(path))
