"""Waiting for a write, and what is said to people when the disk will not take it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import structlog

from spieltisch.store import WriteFailed
from spieltisch.tables import refusals

T = TypeVar("T")
_logger = structlog.get_logger()


async def await_write(write: Awaitable[T]) -> T:
    """What a write of the store comes to. Raises `TableRefusal` not-written when nothing could be written."""
    try:
        return await write
    except WriteFailed as problem:
        _logger.error("not written", problem=str(problem))
        raise refusals.not_written() from problem
