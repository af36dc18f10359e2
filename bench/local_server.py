"""A separate server to measure, and the table that is measured on it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

CALL: Final = "import sys; from spieltisch.cli import app; app(sys.argv[1:])"
"""The program that runs the command line."""
SERVE: Final = ("-c", CALL, "serve", "--no-browser", "--no-compile-search")
"""The arguments of Python that start a server."""
UNLIMITED: Final = tuple(
    argument
    for name in (
        "requests_per_minute",
        "new_names_per_hour",
        "new_tables_per_hour",
        "total_tables",
        "tables_per_address",
    )
    for argument in ("--limit", f"{name}=0")
)
"""The options that remove the limits for one address."""
GAME = "paris-connection"
"""The game of the table."""
SEATS = ("me", "open", "bot:random")
"""The seats of the table."""
TIMEOUT_SECONDS = 60.0
"""The seconds after which a server or page that does not respond is given up."""


class ClickError(RuntimeError):
    """The server or a page did not do what was expected."""


@contextmanager
def server_process(*arguments: str, folder: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server, started as this Python with these arguments; yield its process and address.

    `folder` is its working directory. Raise ClickError if it ends without printing an address.
    """
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            yield process, _address(process)
        finally:
            process.terminate()
            process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"(http://\S+?)/?(?:\s|$)", line):
            return match.group(1)
    raise ClickError("the server does not start")


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """Run the server with its data in the folder, and without limits; yield its address."""
    with server_process(*SERVE, "--port", "0", *UNLIMITED, "--data", str(folder)) as (_, address):
        yield address
