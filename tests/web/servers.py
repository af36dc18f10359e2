"""Run a real server in a separate process on a real file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from spieltisch.commit import version_text
from spieltisch.web.http.addresses import local_addresses
from tests.forked import Process
from tests.results import SERVERS, STARTED

OF_ADDRESS = (
    *("requests_per_minute", "waiting_requests_per_address", "connections_per_address", "streams_per_address"),
    *("new_names_per_hour", "new_tables_per_hour", "tables_per_address", "component_files_per_address"),
)
UNLIMITED = [word for name in (*OF_ADDRESS, "automatic_analyses_per_hour") for word in ("--limit", f"{name}=0")]
"""All tests come from one address, and only those of analyses need one, which takes two minutes of processor."""
QUIET = ["--port", "0", "--no-browser", "--no-compile-search"]
SERVE_DEFAULT_LIMITS = [str(Path(sys.executable).parent / "spieltisch"), "serve", *QUIET, "--data"]
SERVE = [*SERVE_DEFAULT_LIMITS[:-1], *UNLIMITED, "--data"]
SERVE_DATABASE = [*SERVE[:-1], "--database"]
QUICK = [
    sys.executable,
    "-c",
    "import functools; from spieltisch.live import bot_turns; from spieltisch.web import server;"
    "server.BotTurns = functools.partial(bot_turns.BotTurns, pace=0);"
    "from spieltisch.cli import app; app()",
    *SERVE[1:],
]
PSEUDO = [
    sys.executable,
    "-c",
    "import sys, pathlib; from spieltisch.web.server import serve;"
    "serve(port=0, database=pathlib.Path(sys.argv[1], 'spieltisch.sqlite3'), "
    "open_browser=False, compile_search=False, pseudo=True)",
]
SHARING = [
    sys.executable,
    "-c",
    "import sys; from spieltisch.live.limits import UNLIMITED; from spieltisch.web.server import serve;"
    "serve(port=0, database=sys.argv[1], open_browser=False, compile_search=False, limits=UNLIMITED, workers=1)",
]
"""The command of a server that shares the database whose URL follows."""
SERVE_LONGEST_WORDS = [
    sys.executable,
    "-c",
    "from tests.web import longest_words; longest_words.show_longest_words(); from spieltisch.cli import app; app()",
    *SERVE[1:],
]
"""The commands of a server, to be followed by the folder of its data: with the limits that it has by itself; without
those of an address; with bots that do not wait between moves; in the pseudo-locale; and in the longest words of all
languages.
"""
PUBLIC = "https://games.example.org"
"""The address under which `proxied_server` is known."""


class ServerEnded(Exception):
    """The server ended before it announced its address; the text is its log."""


def start_process(words: Sequence[str]) -> subprocess.Popen[str]:
    """Start a process from the command line as the head of a process group."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(words, **pipes, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}, process_group=0)


class Server:
    """A running server at the head of a process group.

    It is forked from a process that has imported everything, or started from the command line. `address` has no slash
    at its end; `log` is what the server has written so far, and complete once the server has stopped.
    """

    def __init__(self, data: Path | str, *options: str, command: Sequence[str] = SERVE, forked: bool = True) -> None:
        self.data = Path(data)
        words = [*command, str(data), *options]
        self.process = Process(words) if forked else start_process(words)
        self.log = ""
        self._silent = False
        self._heard = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.address = self.says(r"(?:is at|listens on) (http://\S+)/").group(1)
        except ServerEnded:
            self.process.wait()
            raise
        STARTED["servers"] += 1
        SERVERS.append(self)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in chain(lines, [""]):
                with self._heard:
                    self.log += line
                    self._silent = not line
                    self._heard.notify_all()

    def says(self, pattern: str) -> re.Match[str]:
        """Wait until the log matches a pattern. Raise ServerEnded if the server ends before."""
        with self._heard:
            while not (match := re.search(pattern, self.log)):
                if self._silent:
                    raise ServerEnded(self.log)
                self._heard.wait()
        return match

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def file(self) -> Path:
        return self.data / "spieltisch.sqlite3"

    @property
    def quiet_log(self) -> str:
        """Return the log of a server with nothing to report."""
        network_hint = "Friends on your network: start with spieltisch serve --network"
        return f"Spieltisch {version_text()} is at {self.address}/\n{network_hint}\nSpieltisch has stopped.\n"

    def stop(self, stop_signal: int = signal.SIGTERM) -> int:
        """End the server; return its exit code."""
        if self.is_running:
            self.process.send_signal(stop_signal)
        code = self.process.wait(timeout=30)
        self._reader.join()
        return code


def network_host() -> str:
    """Return an address of this machine other than "localhost": in its network, or else on the loopback."""
    return next(iter(local_addresses()), "127.0.0.2")


IN_NETWORK = ("--network", "--network-address", network_host())
"""The options of a server for the network, also on a machine without one."""


@contextmanager
def running_server(data: Path, *options: str, command: Sequence[str] = SERVE) -> Iterator[Server]:
    """Run a server, and check at its end that it has logged no problem."""
    started_server = Server(data, *options, command=command)
    try:
        yield started_server
    finally:
        code = started_server.stop()
    assert code == 0, started_server.log
