"""Tasks that continue when their caller is gone; an error that no one gets is logged."""

import asyncio
from typing import Any, TypeVar

import structlog

from spieltisch.tables import TableRefusal

T = TypeVar("T")
_logger = structlog.get_logger()


async def shielded(task: asyncio.Task[T]) -> T:
    """Return the result of a task, which continues if the caller is cancelled."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(log_error)
        raise


def log_error(task: asyncio.Task[Any]) -> None:
    """Log the error of a finished task for which no one waits. A refusal is none: it changes nothing."""
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, TableRefusal):
        _logger.error("a task failed", exc_info=error)
