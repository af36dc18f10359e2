"""Tables whose games nobody has begun for long are closed, so that they do not stand in others' way for ever."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from spieltisch.live.live_tables import LiveTables
from spieltisch.store import StoreClosed

SECONDS_BETWEEN: Final = 3600.0

_logger = structlog.get_logger()


async def close_unbegun_tables(tables: LiveTables, days: int) -> None:
    """Look at the start, and every hour, for tables that have waited for so many days; with 0, never. To be cancelled.

    What goes wrong is logged, and tried again.
    """
    while days:
        try:
            await tables.expire(days)
        except StoreClosed:
            return
        except Exception:
            _logger.exception("tables that wait could not be closed")
        await asyncio.sleep(SECONDS_BETWEEN)
