"""Worker processes for tasks that would block the event loop: bots compute in them, uploaded files are read.

A worker gets a task and returns a result. A worker that dies, or takes too long, is replaced; only its present task
fails.
"""

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

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else []))
"""Signals that stop the server. Ctrl-C in a terminal, its end and systemd send them to its workers, too."""

spawn = multiprocessing.get_context("spawn")


def _log_crash(event: str, **details: Any) -> None:
    import structlog  # worker processes do not log, and would take half as long again to start

    structlog.get_logger().warning(event, **details)


class WorkFailed(Exception):
    """A task without a result. The text may be shown to anyone: it contains nothing of the task or the result."""


class ResourceLimits(NamedTuple):
    """Limits on one task of a worker that reads uploads. Such a worker also runs at a lower priority."""

    seconds: float
    """Processor time in seconds. The system kills a process that uses more.

    Not on Windows, which has no such timer.
    """
    bytes: int
    """Memory in bytes, in addition to that of the process when it is ready (on Linux, where the system enforces it)."""


class Workers(Generic[Q, A]):
    """Processes that run `work`, a function of a module, one task at a time each.

    A task may take `seconds` by the clock; `name` is the name of the workers in the log.
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
        """Start the processes, so that the first task need not wait for them."""
        await asyncio.gather(*(asyncio.to_thread(worker.ready) for worker in self._workers))

    async def run(self, *args: Q.args, **kwargs: Q.kwargs) -> A:
        """Return the result of `work`. Raise WorkFailed if it raises, dies, takes too long, or has no process."""
        worker = await self._free.get()
        pending = asyncio.ensure_future(asyncio.to_thread(worker.ask, (args, kwargs), self._seconds))
        try:
            reply = await asyncio.shield(pending)
        except asyncio.CancelledError:
            # The result is no longer needed, and the next task must not receive it.
            worker.kill()
            pending.add_done_callback(asyncio.Future.exception)  # it is retrieved, and not logged
            await asyncio.wait([pending])
            raise
        finally:
            self._free.put_nowait(worker)
        if reply[0] == "done":
            result: A = reply[1]
            return result
        _log_crash("a worker raised", worker=self._name, error=reply[1], trace=reply[2])
        raise WorkFailed(f"it raised {reply[1]}")

    async def stop(self) -> None:
        """Stop the processes, even during a task."""
        for worker in self._workers:
            worker.stop()
        await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the processes that are alive."""
        return tuple(pid for worker in self._workers if (pid := worker.pid) is not None)


class _Worker:
    """A process and the pipe to it. The process is started if none is alive."""

    def __init__(self, name: str, work: Callable[..., Any], bounds: ResourceLimits | None) -> None:
        self._name = name
        self._run_worker = work
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
        """Start a process if none is alive. Raise OSError if the system refuses, WorkFailed while the server stops."""
        with self._starting:
            if self._stopped:
                raise WorkFailed("the server is stopping")
            if self.pid is not None:
                return
            own_end, worker_end = spawn.Pipe()
            process_args = (worker_end, self._run_worker, self._bounds)
            process = spawn.Process(target=_run_worker, args=process_args, name=self._name, daemon=True)
            try:
                with signals_ignored():
                    process.start()
            except OSError:
                own_end.close()
                raise
            finally:
                worker_end.close()
            self._pipe, self._process = own_end, process

    def ask(self, question: tuple[Any, Any], seconds: float) -> Answer:
        """Send a task and wait for its result, for at most `seconds`.

        Raise WorkFailed if the process dies, is too slow, or cannot be started.
        """
        try:
            self.ready()
        except OSError as error:
            _log_crash("no process could be started", worker=self._name, problem=str(error))
            raise WorkFailed("no process could be started for it") from error
        process, pipe = self._process, self._pipe
        deadline = time.monotonic() + seconds
        try:
            pipe.send(question)
            if not connection.wait([pipe], deadline - time.monotonic()):
                process.kill()
                process.join()
                _log_crash("a worker took too long", worker=self._name, seconds=seconds)
                raise WorkFailed("it took too long")
            reply: Answer = pipe.recv()
        except (EOFError, OSError) as error:
            process.join()
            if process is not self._killed:
                _log_crash("a worker's process died", worker=self._name, exit_code=process.exitcode)
            raise WorkFailed("its process died") from error
        return reply

    def kill(self) -> None:
        """Kill the process. The next task starts another one."""
        with self._starting:
            if self._process is not None:
                self._killed = self._process
                self._process.kill()

    def stop(self) -> None:
        """Kill the process and start no further one."""
        with self._starting:
            self._stopped = True
            self.kill()

    def join(self) -> None:
        if self._process is not None:
            self._process.join()
            self._pipe.close()


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Block the signals that stop a server in processes that are started inside this context.

    So they are also blocked during the imports of the process, before it can ignore them itself.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # if it were started with the first process, it would unblock them
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def _run_worker(pipe: connection.Connection, work: Callable[..., Any], bounds: ResourceLimits | None) -> None:
    """Run tasks until the server ends: the main function of a worker."""
    for number in STOP_SIGNALS:  # the server ends the worker itself
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    if bounds is not None:
        _apply_limits(bounds)
    while True:
        try:
            args, kwargs = pipe.recv()
        except EOFError:
            return
        reply: Answer
        try:
            with _limit_time(bounds):
                reply = ("done", work(*args, **kwargs))
        except Exception as error:
            reply = ("raised", type(error).__name__, traceback.format_exc())
        try:
            pipe.send(reply)
        except OSError:
            return


def _apply_limits(bounds: ResourceLimits) -> None:
    if hasattr(os, "nice"):
        os.nice(5)
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + bounds.bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


@contextmanager
def _limit_time(bounds: ResourceLimits | None) -> Iterator[None]:
    """Limit the processor time of the code inside: SIGPROF kills the process.

    RLIMIT_CPU counts only whole seconds, and includes those of earlier tasks.
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
    """Exit when the server has been killed, even during a task that never ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
