"""Closing of tables whose game has not begun for a long time, so that they do not count against the limits forever."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from spieltisch.live.live_tables import LiveTables
from spieltisch.store import StoreClosed

CHECK_INTERVAL_SECONDS: Final = 3600.0
"""The time between two checks."""

_logger = structlog.get_logger()


async def close_unbegun_tables(tables: LiveTables, days: int) -> None:
    """Close tables that have waited for `days`, at the start and every hour, until cancelled; with 0, never.

    Errors are logged, and the work is tried again.
    """
    while days:
        try:
            await tables.expire(days)
        except StoreClosed:
            return
        except Exception:
            _logger.exception("tables that wait could not be closed")
        await asyncio.sleep(CHECK_INTERVAL_SECONDS)
