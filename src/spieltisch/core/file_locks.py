"""Locks between processes, held on small files.

The operating system holds a lock for the process, not the file system: after a crash, a kill -9 or a power cut nothing
is left to clean up. The file itself stays.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def take(file: IO[str], *, wait: bool) -> None:
        """Lock an open file until it is closed; raises OSError when another process has it and this one won't wait."""
        while True:
            # Far behind what other processes should still be able to read: locked bytes cannot be read there.
            file.seek(1024)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return
            except OSError:  # also after ten seconds of waiting
                if not wait:
                    raise

else:
    import fcntl

    def take(file: IO[str], *, wait: bool) -> None:
        """Lock an open file until it is closed; raises OSError when another process has it and this one won't wait."""
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock on a file, which is made where it is missing; waits for whoever holds it.

    The file's time tells when somebody held it last.

    >>> import tempfile
    >>> with held(Path(tempfile.mkdtemp(), "one.lock")):
    ...     pass
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii") as file:
        take(file, wait=True)
        os.utime(path)
        yield
