"""Deadlines: one loop reads from the tables when the time of the players to move ends, and acts on it.

There are no stored jobs. A server that starts or wakes up first reports to the tables that no clock ran in the
meantime.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
import structlog

from spieltisch import tables
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Store, StoreClosed, StoreError
from spieltisch.store.schema import LAST_ALIVE_KEY
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode

ROUND_SECONDS: Final = 1.0
"""The time between two rounds."""
RECORD_SECONDS: Final = 10.0
"""The time between two records of the server running; a kill gives the player to move at most this much more time."""
RETRY_SECONDS: Final = 60.0
"""The time until a failed read or write is tried again."""
EXPIRY_INTERVAL_SECONDS: Final = 3600.0
"""The time between two searches for tables whose game never began."""

_logger = structlog.get_logger()


class Timekeeper:
    """The loop that enforces deadlines; `run_due` is one round of it."""

    def __init__(self, store: Store, live: LiveTables, clock: ServerClock) -> None:
        self._store = store
        self._tables = live
        self._clock = clock
        self._seen_jumps = 0
        self._recorded = 0.0
        self._runs = False
        """True if any clock was running in the last round."""
        self._failed: dict[str, float] = {}
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start a round each second."""
        self._looking = asyncio.create_task(self._run_regularly())

    async def stop(self) -> None:
        """End the loop and record the time until which the server ran."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._record(self._clock())

    async def run_due(self) -> None:
        """Act on all deadlines that have passed; errors at a table are logged, and tried again."""
        now, deadlines = self._clock(), await self._store.deadlines()
        self._runs = bool(deadlines)
        if len(self._clock.jumps) > self._seen_jumps:
            self._seen_jumps = len(self._clock.jumps)
            for table_id, _ in deadlines:
                await self._run(table_id, now)
        else:
            for table_id, deadline in deadlines:
                if deadline > now:
                    break
                await self._run(table_id, now)
        if abs(now - self._recorded) >= RECORD_SECONDS:
            await self._record(now)

    async def _run(self, table_id: str, now: float) -> None:
        if self._failed.get(table_id, 0.0) > now:
            return
        try:
            await self._tables.run(table_id, tables.time_out, now)
            self._failed.pop(table_id, None)
        except TableRefusal as error:
            self._failed[table_id] = now + RETRY_SECONDS
            _logger.error("a table's time could not be looked at", table=table_id, problem=str(error))
            if error.code == RefusalCode.NOT_WRITTEN:
                self._seen_jumps = 0

    async def _record(self, now: float) -> None:
        """Record that the server is running, if any clock runs and all tables know of the clock's jumps."""
        if not self._runs or self._seen_jumps < len(self._clock.jumps):
            return
        self._recorded = now
        try:
            await self._store.set_setting(LAST_ALIVE_KEY, msgspec.json.encode(now))
        except StoreError as error:
            _logger.error("until when the server was there is not written down", problem=str(error))

    async def _run_regularly(self) -> None:
        while True:
            pause = ROUND_SECONDS
            try:
                await self.run_due()
            except StoreClosed:
                return
            except Exception:
                _logger.exception("the tables' time could not be looked at")
                pause = RETRY_SECONDS
            await asyncio.sleep(pause)


async def close_unbegun_tables(tables: LiveTables, days: int) -> None:
    """Close tables whose game has not begun and that have not changed for `days` days.

    Check at the start and then every hour until cancelled; return at once if `days` is 0. Errors are logged, and the
    next check tries again.
    """
    while days:
        try:
            await tables.expire(days)
        except StoreClosed:
            return
        except Exception:
            _logger.exception("tables that wait could not be closed")
        await asyncio.sleep(EXPIRY_INTERVAL_SECONDS)
