"""One server per database file: a lock on a small file beside it.

The operating system holds the lock for the process, not the file system: after a crash, a kill -9 or a power cut
nothing is left to clean up. The file itself stays and holds the number of the process that took it last, for the
message.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from spieltisch.store.errors import StoreInUse

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[str]) -> None:
        # Far behind the number that the other process should still be able to read: locked bytes cannot be read there.
        file.seek(1024)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds the lock from the moment it is made until `release`.

    Raises `StoreInUse`, naming the process that holds it. `database` is the database file; the lock is
    `<database>.lock`.
    """

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        self._file = path.open("a+", encoding="ascii")
        try:
            _take(self._file)
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

    def release(self) -> None:
        """Give the lock back; twice does no harm."""
        self._file.close()
