"""Services: what a running server does by itself; the one way to wait, to be woken and to try again.

A service is an asynchronous context, which `Live.start` enters and `Live.close` leaves. When it is left, none of its
tasks is running any more.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final, Generic, ParamSpec, TypeVar

import structlog

from spieltisch.store import LeaseEnded, StoreClosed
from spieltisch.store.sessions import outside_session

K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")

FIRST_PAUSE_SECONDS: Final = 1.0
"""The pause after the first failure of a service; it doubles with each further one."""
LONGEST_PAUSE_SECONDS: Final = 60.0
"""The longest pause; a service that has run for so long has not failed before."""
CANCEL_SECONDS: Final = 0.5
"""The time after which a task that still runs is cancelled again."""

_logger = structlog.get_logger()


@asynccontextmanager
async def running(name: str, work: Callable[[], Awaitable[None]]) -> AsyncIterator[asyncio.Task[None]]:
    """Run `work` in a task until the context ends. If it raises, log that, and run it again after growing pauses."""

    async def keep_running() -> None:
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE_SECONDS
        while True:
            began = loop.time()
            try:
                await work()
                return
            except StoreClosed:
                return
            except Exception:
                if loop.time() - began > LONGEST_PAUSE_SECONDS:
                    pause = FIRST_PAUSE_SECONDS
                _logger.exception("a service failed", service=name, pause=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    task = asyncio.create_task(keep_running(), name=name)
    try:
        yield task
    finally:
        await end_tasks([task])


async def repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Do something, and do it again after a pause, until cancelled."""
    while True:
        await work()
        await asyncio.sleep(seconds)


async def wait(woken: asyncio.Event, seconds: float | None = None) -> None:
    """Wait until woken, for at most `seconds`. A wake from now on counts for the next call."""
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        pass
    finally:
        woken.clear()


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    running_tasks = set(tasks)
    while running_tasks:
        for task in running_tasks:
            task.cancel()
        # Before Python 3.12, asyncio.wait_for in a library may lose a cancellation.
        _, running_tasks = await asyncio.wait(running_tasks, timeout=CANCEL_SECONDS)


class Tasks(Generic[K]):
    """Tasks by key, at most one at a time for each. One that is running can be woken."""

    def __init__(self) -> None:
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self.woken: dict[K, asyncio.Event] = {}
        """For each running task the event for `wait`."""

    def __contains__(self, key: K) -> bool:
        return key in self._tasks

    def start(self, key: K, work: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Start a task, which needs no session, for a key that has none. An error of `work` is logged."""

        async def run() -> None:
            try:
                await work(*args, **kwargs)
            except (StoreClosed, LeaseEnded):
                pass
            except Exception:
                _logger.exception("a task failed", key=key)
            finally:
                del self._tasks[key], self.woken[key]  # with no pause in between: who wakes it later starts another

        self.woken[key] = asyncio.Event()
        with outside_session():
            self._tasks[key] = asyncio.create_task(run())

    def wake(self, key: K) -> bool:
        """Wake the task of a key; return False if there is none."""
        if key not in self._tasks:
            return False
        self.woken[key].set()
        return True

    async def wait_idle(self) -> None:
        """Wait until no task is running."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks.values()))

    async def end(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        await end_tasks(self._tasks.values())
        self._tasks.clear()  # also those that were cancelled before they began
