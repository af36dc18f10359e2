"""Conversion of failed writes to the store into a `TableRefusal`."""

from collections.abc import Awaitable
from typing import TypeVar

import structlog

from spieltisch.store import WriteFailed
from spieltisch.tables import refusals

T = TypeVar("T")
_logger = structlog.get_logger()


async def await_write(write: Awaitable[T]) -> T:
    """Return the result of a write to the store.

    Raise `TableRefusal` `not-written` if nothing could be written.
    """
    try:
        return await write
    except WriteFailed as error:
        _logger.error("not written", problem=str(error))
        raise refusals.not_written() from error
