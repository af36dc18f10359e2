"""A server of one's own to measure, and the table that is measured on it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVE = "import sys; from spieltisch.cli import app; app(sys.argv[1:])"
GAME = "paris-connection"
SEATS = ("me", "open", "bot:random")
PATIENCE = 60.0
"""Seconds after which a server or page that does not answer is given up."""


class ClickError(RuntimeError):
    """The server or a page did not do what was expected of it."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server of its own, in a process of its own, with its data in the folder; gives its address."""
    command = [
        sys.executable,
        "-c",
        SERVE,
        "serve",
        "--port",
        "0",
        "--no-browser",
        *(word for name in ("requests", "names", "tables") for word in ("--limit", f"{name}=0")),
        "--data",
        str(folder),
    ]
    # Not checked below: the command is our own interpreter and module.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None  # noqa: S101 - a pipe was asked for
            for line in process.stdout:
                if found := re.search(r"(http://\S+?)/?(?:\s|$)", line):
                    yield found.group(1)
                    return
            raise ClickError("the server does not start")
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()
