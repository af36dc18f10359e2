"""Tasks that continue when their caller is gone; an error that no one gets is logged."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

from spieltisch.store.sessions import outside_session
from spieltisch.tables import TableRefusal

T = TypeVar("T")
_logger = structlog.get_logger()


class ShieldedTasks:
    """Tasks that are finished, not cancelled, when the server stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, job: Coroutine[Any, Any, T], *, is_awaited: bool = False) -> asyncio.Task[T]:
        """Start a task, which needs no session; its error is logged unless it `is_awaited`."""
        with outside_session():
            return self._start(job, is_awaited=is_awaited)

    def _start(self, job: Coroutine[Any, Any, T], *, is_awaited: bool) -> asyncio.Task[T]:
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if not is_awaited:
            task.add_done_callback(_log_error)
        return task

    async def run(self, job: Coroutine[Any, Any, T]) -> T:
        """Return the result of a job of the present request, which continues if the caller is cancelled."""
        return await shielded(self._start(job, is_awaited=True))

    async def finish(self) -> None:
        """Wait for all tasks."""
        while self._tasks:
            await asyncio.wait(self._tasks)


async def shielded(task: asyncio.Task[T]) -> T:
    """Return the result of a task, which continues if the caller is cancelled."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_log_error)
        raise


def _log_error(task: asyncio.Task[Any]) -> None:
    """Log the error of a finished task for which no one waits. A refusal is none: it changes nothing."""
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, TableRefusal):
        _logger.error("a task failed", exc_info=error)
