"""What is due happens: one loop reads from the tables until when who is to decide has time.

There are no stored jobs. A server that starts, or wakes, first has the tables know that nobody's time ran meanwhile.
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

SECONDS_BETWEEN: Final = 1.0
NOTE_SECONDS: Final = 10.0
"""A kill gives who is to decide no more than this."""
PAUSE: Final = 60.0
"""Seconds until what could not be read or written is tried again."""

_logger = structlog.get_logger()


class Timekeeper:
    """The loop. `look` is one round of it."""

    def __init__(self, store: Store, live: LiveTables, clock: ServerClock) -> None:
        self._store = store
        self._tables = live
        self._clock = clock
        self._leaps = 0
        self._noted = 0.0
        self._runs = False
        """Whether somebody's time ran at the last look."""
        self._failed: dict[str, float] = {}
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look from now on, once a second."""
        self._looking = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """End the loop, and write down until when the server was there."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._note(self._clock())

    async def run_due(self) -> None:
        """Have happen what is due by now. What goes wrong at a table is logged, and tried again."""
        now, timed = self._clock(), await self._store.deadlines()
        self._runs = bool(timed)
        if len(self._clock.jumps) > self._leaps:
            self._leaps = len(self._clock.jumps)
            for table_id, _ in timed:
                await self._run(table_id, now)
        else:
            for table_id, until in timed:
                if until > now:
                    break
                await self._run(table_id, now)
        if abs(now - self._noted) >= NOTE_SECONDS:
            await self._note(now)

    async def _run(self, table_id: str, now: float) -> None:
        if self._failed.get(table_id, 0.0) > now:
            return
        try:
            await self._tables.run(table_id, tables.time_out, now)
            self._failed.pop(table_id, None)
        except TableRefusal as problem:
            self._failed[table_id] = now + PAUSE
            _logger.error("a table's time could not be looked at", table=table_id, problem=str(problem))
            if problem.code == RefusalCode.NOT_WRITTEN:
                self._leaps = 0

    async def _note(self, now: float) -> None:
        """Write down that the server is there, where somebody's time runs, and all tables know of its leaps."""
        if not self._runs or self._leaps < len(self._clock.jumps):
            return
        self._noted = now
        try:
            await self._store.set_setting(LAST_ALIVE_KEY, msgspec.json.encode(now))
        except StoreError as problem:
            _logger.error("until when the server was there is not written down", problem=str(problem))

    async def _look_on(self) -> None:
        while True:
            pause = SECONDS_BETWEEN
            try:
                await self.run_due()
            except StoreClosed:
                return
            except Exception:
                _logger.exception("the tables' time could not be looked at")
                pause = PAUSE
            await asyncio.sleep(pause)
