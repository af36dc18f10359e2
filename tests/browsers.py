"""Debian's Chromium, for tests: launched in one way, and brought to an end. Under a heavy load it has been seen to hang
while it closes, its GPU process gone, and a test run would wait for it for ever.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserType

NAMES: Final = ("chromium", "chromium-browser")
SWITCHES: Final = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",  # drawn by the processor anyway: a quarter less work than by a GPU's stand-in
    "--in-process-gpu",
    "--optimization-guide-performance-class=1",  # or after three minutes it would try how fast a language model is
)
TO_CLOSE: Final = 60.0
"""Seconds that browsers may take to close."""
TO_TEST: Final = 600.0
"""Seconds that a test in a browser may take; where all is busy the longest takes three minutes."""


def executable() -> str:
    """Where Debian's Chromium is."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "browser tests need Debian's chromium"
    return found


def launch(kind: BrowserType, *switches: str, **settings: Any) -> Browser:
    """A browser of Debian's Chromium."""
    return kind.launch(executable_path=executable(), args=[*SWITCHES, *switches], **settings)


class Browsers:
    """One browser at a time: where it has come to an end, another takes its place."""

    def __init__(self, kind: BrowserType) -> None:
        self._kind = kind
        self._browser: Browser | None = None

    def one(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self._browser = launch(self._kind)
        return self._browser

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()


@contextmanager
def at_most(seconds: float) -> Iterator[threading.Event]:
    """What goes on for longer finds its browsers killed: it fails, if it still wants something of them, and goes on.
    The event says that they were.
    """
    killed = threading.Event()

    def end() -> None:
        killed.set()
        kill(os.getpid())

    late = threading.Timer(seconds, end)
    late.daemon = True
    late.start()
    try:
        yield killed
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
