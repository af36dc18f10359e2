"""Modes of the data folder and its files.

Only their owner may access them, because they hold the secrets of running games. Systems without such modes (Windows)
protect application data from other users themselves.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from spieltisch.core.file_owners import create, make_folder

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600

log = structlog.get_logger("spieltisch.store")


def make_private(database: Path) -> None:
    """Create the folder and the file if they are missing, and remove access of other users to both.

    Anything owned by another user, and shared folders such as /tmp, are left unchanged with a warning in the log.
    """
    make_folder(database.parent, FOLDER_MODE)
    if not database.exists():  # SQLite creates its side files with the mode and the owner of the database
        os.close(create_private(database, os.O_RDWR))
    for path in readable_by_others(database):
        try:
            _close(path)
        except OSError as error:
            log.warning("others can read what they should not", path=str(path), problem=f"{error}")


def create_private(path: Path, flags: int) -> int:
    """Open a file of the data folder, create it if it is missing, and return its descriptor. Raise OSError."""
    return create(path, flags, FILE_MODE)


def readable_by_others(database: Path) -> Iterator[Path]:
    """Yield the folder and the files of a database that users other than their owner can access."""
    if os.name != "posix":
        return
    for path in (database.parent, *sorted(database.parent.glob(f"{database.name}*"))):
        if path.lstat().st_mode & 0o077 and not path.is_symlink():
            yield path


def private_mode(path: Path) -> int:
    """Return the mode that this folder or file should have."""
    return FOLDER_MODE if path.is_dir() else FILE_MODE


def _close(path: Path) -> None:
    if path.stat().st_mode & stat.S_ISVTX:
        raise PermissionError("this folder is open to all users; choose one of your own with --data")
    path.chmod(private_mode(path))


def fsync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk.

    Windows has no such call for folders.
    """
    if path.is_dir() and os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
