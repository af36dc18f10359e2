"""One server per database file: a lock on a small file beside it.

Nothing is left to clean up when the process is gone (see `spieltisch.core.file_locks`). The file itself stays and
holds the
number of the process that took it last, for the message.
"""

from __future__ import annotations

import os
from pathlib import Path

from spieltisch.core.file_locks import take
from spieltisch.store.database_files import FILE_MODE
from spieltisch.store.errors import StoreInUse


def same_file(path: Path, as_it_was: os.stat_result) -> bool:
    """Whether there is still the same file under this name."""
    try:
        return os.path.samestat(path.stat(), as_it_was)
    except FileNotFoundError:
        return False


class FileLock:
    """Holds the lock from the moment it is made until `release`.

    Raises `StoreInUse`, naming the process that holds it. `database` is the database file; the lock is
    `<database>.lock`.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._file = os.fdopen(os.open(self._path, os.O_CREAT | os.O_RDWR, FILE_MODE), "r+", encoding="ascii")
        try:
            take(self._file, wait=False)
        except OSError as problem:
            self._file.seek(0)
            holder = self._file.read(20).strip()
            self._file.close()
            who = f" (process {holder})" if holder.isdecimal() else ""
            raise StoreInUse(
                f"another Spieltisch server{who} is using {database}. "
                "Stop it first, or give this one another --data directory."
            ) from problem
        self._file.seek(0)
        self._file.truncate()
        self._file.write(str(os.getpid()))
        self._file.flush()

    def holds(self) -> bool:
        """Whether a second server would still meet it: the file is where it was."""
        return not self._file.closed and same_file(self._path, os.fstat(self._file.fileno()))

    def release(self) -> None:
        """Give the lock back; twice does no harm."""
        self._file.close()
