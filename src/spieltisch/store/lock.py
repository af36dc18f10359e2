"""Lock file that allows one server per database file.

The lock needs no cleanup when the process ends (see `spieltisch.core.file_locks`). The lock file remains and holds the
number of the process that took the lock last, for the error message.
"""

import os
from pathlib import Path

from spieltisch.core.file_locks import take
from spieltisch.store.database_files import create_private
from spieltisch.store.errors import StoreInUse


def is_same_file(path: Path, status: os.stat_result) -> bool:
    """Return True if `path` leads to the file that `status` describes."""
    try:
        return os.path.samestat(path.stat(), status)
    except OSError:  # missing, or on a disk that no longer answers
        return False


class FileLock:
    """A lock on a database, held from construction until `release`.

    `database` is the database file; the lock file is `<database>.lock`. Raise `StoreInUse`, with the number of the
    process that holds the lock, if it is taken.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._file = os.fdopen(create_private(self._path, os.O_RDWR), "r+", encoding="ascii")
        try:
            take(self._file, wait=False)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read(20).strip()
            self._file.close()
            process = f" (process {holder})" if holder.isdecimal() else ""
            raise StoreInUse(
                f"another Spieltisch server{process} is using {database}. "
                "Stop it first, or give this one another --data directory."
            ) from error
        self._file.seek(0)
        self._file.truncate()
        self._file.write(str(os.getpid()))
        self._file.flush()

    def holds(self) -> bool:
        """Return True if a second server would still find the lock, that is, the file is where it was."""
        return not self._file.closed and is_same_file(self._path, os.fstat(self._file.fileno()))

    def release(self) -> None:
        """Release the lock; calling it twice is harmless."""
        self._file.close()
