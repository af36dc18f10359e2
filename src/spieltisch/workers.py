"""Worker processes for what would hold up the loop that serves pages: bots think in them, uploaded files are read.

A worker gets a question and returns an answer. One that dies, or takes too long, is replaced; only the question it was
asked fails.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from pathlib import Path
from typing import Any, Final, Generic, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

Q = ParamSpec("Q")
A = TypeVar("A")
Answer: TypeAlias = tuple[Literal["done"], Any] | tuple[Literal["raised"], str, str]

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that tell the server to stop. Ctrl-C in a terminal and systemd send them to its workers too."""

spawn = multiprocessing.get_context("spawn")


def _warn(event: str, **details: Any) -> None:
    import structlog  # processes of workers say nothing, and would be half as long in coming

    structlog.get_logger().warning(event, **details)


class WorkFailed(Exception):
    """No answer came of it. The text is fit to be shown to everybody: it holds nothing of question or answer."""


class ResourceLimits(NamedTuple):
    """What one question may cost a worker that reads what strangers send. It also gives way to other processes."""

    seconds: float
    """of the processor; the system ends a process that takes more (not on Windows, which has no such timer)"""
    bytes: int
    """of memory, beside what the process has when it is ready (on Linux, where the system holds it)"""


class Workers(Generic[Q, A]):
    """A few processes that run `work`, a function of a module. Each answers one question at a time, within `seconds` by
    the clock; `name` is what the log calls them.
    """

    def __init__(
        self, name: str, work: Callable[Q, A], number: int, seconds: float, bounds: ResourceLimits | None = None
    ) -> None:
        self._name = name
        self._seconds = seconds
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers = [_Worker(name, work, bounds) for _ in range(number)]
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def start(self) -> None:
        """Start the processes, so that the first question need not wait for them."""
        await asyncio.gather(*(asyncio.to_thread(worker.ready) for worker in self._workers))

    async def run(self, *question: Q.args, **more: Q.kwargs) -> A:
        """What `work` returns. Raises `WorkFailed` when it raises, dies, does not come to an end, or has no process."""
        worker = await self._free.get()
        asking = asyncio.ensure_future(asyncio.to_thread(worker.ask, (question, more), self._seconds))
        try:
            answer = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # Nobody waits for the answer any more; the next question must not get it.
            worker.kill()
            await asyncio.wait([asking])
            asking.exception()
            raise
        finally:
            self._free.put_nowait(worker)
        if answer[0] == "done":
            found: A = answer[1]
            return found
        _warn("a worker raised", worker=self._name, error=answer[1], trace=answer[2])
        raise WorkFailed(f"it raised {answer[1]}")

    async def stop(self) -> None:
        """End the processes, also in the middle of a question."""
        for worker in self._workers:
            worker.stop()
        await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that are alive now."""
        return tuple(pid for worker in self._workers if (pid := worker.pid) is not None)


class _Worker:
    """One process and the pipe to it. The process is started when there is none that lives."""

    def __init__(self, name: str, work: Callable[..., Any], bounds: ResourceLimits | None) -> None:
        self._name = name
        self._work = work
        self._bounds = bounds
        self._starting = threading.RLock()
        self._process: Any = None
        self._killed: Any = None
        self._pipe: Any = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def ready(self) -> None:
        """Start a process if there is none. Raises OSError where the system grants none now."""
        with self._starting:
            if self._stopped:
                raise WorkFailed("the server is stopping")
            if self.pid is not None:
                return
            ours, theirs = spawn.Pipe()
            given = (theirs, self._work, self._bounds)
            process = spawn.Process(target=_work, args=given, name=self._name, daemon=True)
            try:
                with signals_ignored():
                    process.start()
            except OSError:
                ours.close()
                raise
            finally:
                theirs.close()
            self._pipe, self._process = ours, process

    def ask(self, question: tuple[Any, Any], seconds: float) -> Answer:
        """Ask, and wait at most so long for the answer. Raises `WorkFailed` when the process dies, is too slow, or
        cannot be started.
        """
        try:
            self.ready()
        except OSError as problem:
            _warn("no process could be started", worker=self._name, problem=str(problem))
            raise WorkFailed("no process could be started for it") from problem
        process, pipe = self._process, self._pipe
        deadline = time.monotonic() + seconds
        try:
            pipe.send(question)
            if not connection.wait([pipe], deadline - time.monotonic()):
                process.kill()
                process.join()
                _warn("a worker took too long", worker=self._name, seconds=seconds)
                raise WorkFailed("it took too long")
            answer: Answer = pipe.recv()
        except (EOFError, OSError) as problem:
            process.join()
            if process is not self._killed:
                _warn("a worker's process died", worker=self._name, exit_code=process.exitcode)
            raise WorkFailed("its process died") from problem
        return answer

    def kill(self) -> None:
        """End the process now; the next question starts another one."""
        with self._starting:
            if self._process is not None:
                self._killed = self._process
                self._process.kill()

    def stop(self) -> None:
        """End the process now and start none any more."""
        with self._starting:
            self._stopped = True
            self.kill()

    def join(self) -> None:
        if self._process is not None:
            self._process.join()
            self._pipe.close()


@contextmanager
def signals_ignored() -> Iterator[None]:
    """A process started in here hears nothing of the signals that end a server: not even before it can say so itself,
    while it is importing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # started with the first process, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: connection.Connection, work: Callable[..., Any], bounds: ResourceLimits | None) -> None:
    """What a worker does: answer questions until the server ends."""
    for number in STOP_SIGNALS:  # the server says when it is over
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    if bounds is not None:
        _bound(bounds)
    while True:
        try:
            question, more = pipe.recv()
        except EOFError:
            return
        answer: Answer
        try:
            with _timed(bounds):
                answer = ("done", work(*question, **more))
        except Exception as problem:
            answer = ("raised", type(problem).__name__, traceback.format_exc())
        try:
            pipe.send(answer)
        except OSError:
            return


def _bound(bounds: ResourceLimits) -> None:
    if hasattr(os, "nice"):
        os.nice(5)
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + bounds.bytes
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextmanager
def _timed(bounds: ResourceLimits | None) -> Iterator[None]:
    """Nothing in here can go on for longer: SIGPROF ends the process. RLIMIT_CPU counts whole seconds only, and those
    of earlier questions too.
    """
    if bounds is None or not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, bounds.seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def end_with_parent() -> None:
    """A server that was killed leaves no worker behind, not even one whose work never comes to an end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
