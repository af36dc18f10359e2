"""Fork processes of the program for tests from a process that has imported everything.

A server that is started so takes a tenth of the processor time. All else is as from the command line: arguments,
environment, output, signals and exit code. `tests/web/test_server.py` starts a server from the command line. `python -m
tests.forked DESCRIPTOR` is the process that forks: it reads one request for each datagram, with the descriptors of
output, errors, and a pipe to which it writes the exit code.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TextIO

from tests.paths import ROOT

PRELOADED: Final = (
    "spieltisch.cli",
    "spieltisch.web.server",
    "spieltisch.bots.search.native_library",
    "spieltisch.live.records",
    "spieltisch.lab.simulation",
    "litestar.plugins.pydantic",
    "uvloop",
    *(f"spieltisch.games.{name}.drawing" for name in ("era_of_inventions", "legendary_inventors", "paris_connection")),
)
"""The modules to import before the first fork. They are only imported: nothing of them runs before the fork."""
MAX_REQUEST_BYTES: Final = 1 << 17
"""The size of a request to the process that forks."""


class Process:
    """A forked process with an interface like that of `subprocess.Popen`.

    `command` is the path of `spieltisch` with its arguments, or `python -c CODE ARGUMENTS`. Errors go to the descriptor
    `errors`, or together with the output into `stdout`.
    """

    def __init__(self, command: Sequence[str | Path], *, output: int | None = None, errors: int | None = None) -> None:
        self.returncode: int | None = None
        reading, writing = os.pipe()
        self._code, telling = os.pipe()
        self.stdout: TextIO = os.fdopen(reading, encoding="utf-8")
        output_stream = writing if output is None else output
        self.pid = _zygote().fork(command, (output_stream, output_stream if errors is None else errors, telling))
        os.close(writing)
        os.close(telling)

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends and return its exit code. Raise subprocess.TimeoutExpired if it runs longer."""
        code = self._wait(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
        return code

    def communicate(self) -> tuple[str, None]:
        """Wait until the process ends and return the rest of its output."""
        with self.stdout as output_pipe:
            output = output_pipe.read()
        self.wait()
        return output, None

    def send_signal(self, number: int) -> None:
        """Send a signal to the process. Do nothing if it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _wait(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._code], [], [], timeout)[0]:
            message = os.read(self._code, 64)
            os.close(self._code)
            assert message, "the process that forks has ended"
            self.returncode = int(message)
        return self.returncode


def run(*command: str | Path, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and return its output. Raise subprocess.TimeoutExpired if it takes too long."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = Process(command, output=output.fileno(), errors=errors.fileno())
        process.stdout.close()
        code = process.wait(timeout)
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(command, code, output.read().decode(), errors.read().decode())


class _Zygote:
    """The process that forks for this test process, and ends with it."""

    def __init__(self) -> None:
        self._ours, child_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._one = threading.Lock()
        with child_socket:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(child_socket.fileno())],
                cwd=ROOT,
                pass_fds=[child_socket.fileno()],
                stdin=subprocess.DEVNULL,
            )
        atexit.register(self.close)

    def close(self) -> None:
        """End the forking process; its forks continue."""
        self._ours.close()
        self._process.wait()

    def fork(self, command: Sequence[str | Path], descriptors: Sequence[int]) -> int:
        """Fork with the environment and the folder of this process; return the process id of the fork."""
        words = [str(word) for word in command]
        request_line = json.dumps({"command": words, "environment": {**os.environ}, "folder": str(Path.cwd())})
        with self._one:
            socket.send_fds(self._ours, [request_line.encode()], descriptors)
            message = self._ours.recv(64)
        assert message, "the process that forks has ended"
        return int(message)


@cache
def _zygote() -> _Zygote:
    return _Zygote()


# --- In the process that forks. ---


def serve(asking: socket.socket) -> None:
    """Fork for each request, and report the exit code of each fork."""
    for name in PRELOADED:
        importlib.import_module(name)
    compile_templates()
    gc.collect()
    gc.freeze()  # or the first collection of each fork would copy all pages
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    telling: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([asking.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _reap(telling)
        if asking.fileno() in ready:
            request, descriptors, _, _ = socket.recv_fds(asking, MAX_REQUEST_BYTES, 3)
            if not request:
                return
            output, errors, code = descriptors
            pid = os.fork()
            if pid == 0:
                os.dup2(output, 1)
                os.dup2(errors, 2)
                os.closerange(3, 256)
                _become(json.loads(request))
            os.close(output)
            os.close(errors)
            telling[pid] = code
            asking.send(str(pid).encode())


def compile_templates() -> None:
    """Compile all templates, which `spieltisch.drawing.environment` keeps in memory for every fork."""
    from spieltisch import games
    from spieltisch.web.http.assets import Assets, DrawnFiles
    from spieltisch.web.pages.renderer import Renderer

    pages = Renderer(Assets(), DrawnFiles())
    for folder in Path(games.__file__).parent.glob("*/templates"):  # which games there are is for a fork to find out
        pages._folders[folder.parent.name.replace("_", "-")] = folder
    for name in pages._environment.list_templates():
        pages._environment.get_template(name)


def _reap(telling: dict[int, int]) -> None:
    while telling:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with os.fdopen(telling.pop(pid), "w") as code, suppress(BrokenPipeError):
            code.write(str(os.waitstatus_to_exitcode(status)))


def _become(request: dict[str, Any]) -> None:
    """Become the requested process; never return."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which is ignored where the tests run under nohup
    os.setpgid(0, 0)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        setattr(sys, name, open(number, "w", buffering=1, encoding="utf-8", closefd=False))  # noqa: SIM115  # open as long as the process
    first, *words = request["command"]
    sys.path[:0] = [
        path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path not in sys.path
    ]
    code = "from spieltisch.cli import app; app()"
    if words[:1] == ["-c"]:
        first, code, *words = words
    sys.argv = [first, *words]
    sys.modules["__main__"] = main = ModuleType("__main__")
    status: object = 0
    try:
        exec(compile(code, "<forked>", "exec"), main.__dict__)  # noqa: S102  # the command that a test starts
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]  # as an interpreter does that ends
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as its:
        serve(its)
