"""A server of one's own to measure, and the table that is measured on it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

CALL: Final = "import sys; from spieltisch.cli import app; app(sys.argv[1:])"
SERVE: Final = ("-c", CALL, "serve", "--no-browser", "--no-compile-search")
UNLIMITED: Final = tuple(
    word
    for name in (
        "requests_per_minute",
        "new_names_per_hour",
        "new_tables_per_hour",
        "total_tables",
        "tables_per_address",
    )
    for word in ("--limit", f"{name}=0")
)
GAME = "paris-connection"
SEATS = ("me", "open", "bot:random")
PATIENCE = 60.0
"""Seconds after which a server or page that does not answer is given up."""


class ClickError(RuntimeError):
    """The server or a page did not do what was expected of it."""


@contextmanager
def server_process(*words: str, folder: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server that this Python is called for with these words, until the end: its process and its address.

    `folder` is where it is called. Raises ClickError when it ends without an address.
    """
    command = [sys.executable, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            yield process, _address(process)
        finally:
            process.terminate()
            process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"(http://\S+?)/?(?:\s|$)", line):
            return found.group(1)
    raise ClickError("the server does not start")


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """Run the server as it is but without limits, with its data in the folder; yields its address."""
    with server_process(*SERVE, "--port", "0", *UNLIMITED, "--data", str(folder)) as (_, address):
        yield address
