"""Browsers that come to an end: under a heavy load Chromium has been seen to hang, without its GPU process, and a test
run would wait for it for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

TO_CLOSE: Final = 60.0
"""Seconds that a browser may take to close."""
TO_TEST: Final = 600.0
"""Seconds that a test in a browser may take; where all is busy the longest takes three minutes."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What goes on for longer finds its browsers killed: it fails, if it still wants something of them, and goes on."""
    late = threading.Timer(seconds, kill, (os.getpid(),))
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()


def kill(parent: int) -> None:
    """Kill all browsers that this process has started, also by way of others."""
    for child in children(parent):
        with suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text().startswith("chrom"):
                os.kill(child, signal.SIGKILL)
            else:
                kill(child)


def children(parent: int) -> list[int]:
    """The processes that a process, in any of its threads, has started."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found
