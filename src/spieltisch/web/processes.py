"""The processes of a server: how signals stop one, and how a parent runs several on one port and replaces dead ones."""

import asyncio
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable
from multiprocessing import connection
from types import FrameType
from typing import Any, Final, Self

import structlog

from spieltisch.commit import version_text
from spieltisch.workers import STOP_SIGNALS

START_SECONDS: Final = 5.0
"""The least time between two starts of a process in the same place."""
STOP_SECONDS: Final = 20.0
"""The time after which a process that was told to stop is killed."""
Run = Callable[[Callable[[], None]], None]
"""A function that runs a server, and calls its argument when it accepts connections."""

_logger = structlog.get_logger("spieltisch.web")


class StopSignals:
    """A handler of the stop signals for the times when uvicorn does not handle them, as it never handles SIGHUP.

    Before uvicorn has started, so that the server also stops if it is interrupted during the start; and after it has
    stopped, when it raises the signal again although it has been handled.
    """

    def __init__(self) -> None:
        self.is_signalled = False
        self._stop: Callable[[], object] = lambda: None

    def watch(self, stop: Callable[[], object]) -> None:
        """Call `stop` on a signal; immediately, if one has been received already."""
        self._stop = stop
        if self.is_signalled:
            stop()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.is_signalled = True
        self._stop()

    def __enter__(self) -> Self:
        ignored = {number for number in STOP_SIGNALS if signal.getsignal(number) == signal.SIG_IGN}  # by nohup
        self._before = {number: signal.signal(number, self._handle) for number in {*STOP_SIGNALS} - ignored}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def run_processes(count: int, run: Run, signals: StopSignals, ready: Callable[[], None]) -> None:
    """Run a server in `count` processes until a stop signal; call `ready` when all accept connections.

    They inherit the listening sockets, so that connections wait while a process is replaced. The first one opens the
    database before the others begin. Raise what the first start of a process raises; later ones are tried again.
    """
    if not hasattr(os, "fork"):
        raise OSError("--workers above 1 needs Linux or macOS")
    version_text()  # read once for all, or a process would name a checkout that has changed since
    fork = multiprocessing.get_context("fork")  # with the code of the others, and at once
    woken, waking = fork.Pipe(duplex=False)
    signals.watch(lambda: waking.send(None))
    running: list[_Process] = []
    is_ready, next_start = False, 0.0
    try:
        while not signals.is_signalled:
            may_start = is_ready or all(process.is_ready for process in running)
            if len(running) < count and may_start and time.monotonic() >= next_start:
                running.append(_Process(fork, run, signals))
            elif not is_ready and len(running) == count and may_start:
                is_ready = True
                ready()
            pause = None if len(running) == count or not may_start else max(0.0, next_start - time.monotonic())
            connection.wait([woken, *(source for process in running for source in process.sources)], pause)
            for process in [process for process in running if process.has_ended()]:
                running.remove(process)
                if not is_ready:
                    raise process.error or OSError("a process of the server ended before it was ready")
                code, problem = process.child.exitcode, str(process.error or "")  # a negative code: a signal's number
                _logger.error("a process ended", process=process.id, code=code, problem=problem)
                next_start = process.began + START_SECONDS
    finally:
        _stop(running)
        signals.watch(lambda: None)
        woken.close()
        waking.close()


def stop_with_parent(stop: Callable[[], None]) -> None:
    """Call `stop`, in the running loop, when the process that has started this one has ended."""
    if (parent := multiprocessing.parent_process()) is not None:
        loop, sentinel = asyncio.get_running_loop(), parent.sentinel

        def ended() -> None:
            loop.remove_reader(sentinel)
            stop()

        loop.add_reader(sentinel, ended)


class _Process:
    """A running process, and the pipe by which it says that it is ready, or why it could not start."""

    def __init__(self, fork: Any, run: Run, signals: StopSignals) -> None:
        self.began = time.monotonic()
        self.is_ready = False
        self.error: Exception | None = None
        self._pipe, child_end = fork.Pipe(duplex=False)
        self.child = fork.Process(target=_run, args=(run, signals, child_end), name="server")
        self.child.start()
        child_end.close()
        self.id = self.child.pid
        self.sources = [self.child.sentinel, self._pipe]
        """The descriptors that become readable when there is news of the process."""

    def has_ended(self) -> bool:
        """Take what it has said, and return True if it has ended."""
        is_alive = bool(self.child.is_alive())
        try:
            while self._pipe in self.sources and self._pipe.poll():
                self.error = self._pipe.recv()
                self.is_ready = self.error is None
        except (EOFError, OSError):
            self.sources.remove(self._pipe)
            self._pipe.close()
        return not is_alive


def _run(run: Run, signals: StopSignals, pipe: connection.Connection) -> None:
    """Run a server: the main function of a process."""
    signals.watch(lambda: None)  # no longer the parent's

    def ready() -> None:
        pipe.send(None)
        _logger.info("a process is ready", process=os.getpid())

    try:
        run(ready)
    except Exception as error:
        pipe.send(_sendable(error))
        raise SystemExit(1) from error


def _sendable(error: Exception) -> Exception:
    """Return an error, or one that describes it if it cannot be unpickled: that would end the parent."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
    except Exception:  # whatever an error of a library may do then
        return OSError(repr(error))
    return error


def _stop(running: list[_Process]) -> None:
    """Tell processes to stop, and kill those that do not."""
    for process in running:
        process.child.terminate()
    until = time.monotonic() + STOP_SECONDS
    for process in running:
        process.child.join(max(0.0, until - time.monotonic()))
        if process.child.is_alive():
            _logger.error("a process did not stop", process=process.id)
            process.child.kill()
            process.child.join()
