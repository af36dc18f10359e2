"""Locks between processes, held on small files.

The operating system holds a lock for the process, so that nothing is left to clean up after a crash, a kill -9 or a
power failure. The file itself remains.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from spieltisch.core.file_owners import create, make_folder

if sys.platform == "win32":
    import msvcrt

    def take(file: IO[str], *, wait: bool) -> None:
        """Lock an open file until it is closed. Raise OSError if another process has the lock and `wait` is False."""
        while True:
            # Other processes cannot read locked bytes, so lock one far behind the content.
            file.seek(1024)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return
            except OSError:  # also raised after ten seconds of waiting
                if not wait:
                    raise

else:
    import fcntl

    def take(file: IO[str], *, wait: bool) -> None:
        """Lock an open file until it is closed. Raise OSError if another process has the lock and `wait` is False."""
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock on a file, which is created if it is missing. Wait until the lock is free.

    The modification time of the file is the time when the lock was last taken.

    >>> import tempfile
    >>> with held(Path(tempfile.mkdtemp(), "one.lock")):
    ...     pass
    """
    make_folder(path.parent)
    with os.fdopen(create(path, os.O_WRONLY), "w", encoding="ascii") as file:
        take(file, wait=True)
        os.utime(path)
        yield
