"""Deadlines: one loop reads from the tables when the time of the players to move ends, and acts on it.

There are no stored jobs. Tables record that no clock ran while the server did not; a table that is not in memory does
so when it is next used, or at its stored deadline at the latest.
"""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from math import inf
from typing import Final

import msgspec
import structlog

from spieltisch import tables
from spieltisch.live.clock_pauses import settle_doubtful
from spieltisch.live.leases import Leases
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.log_limit import LogLimit
from spieltisch.live.server_clock import ClockJump, ServerClock
from spieltisch.live.services import repeat, running
from spieltisch.store import Store, StoreClosed, StoreError
from spieltisch.store.leases import Lease
from spieltisch.store.schema import CORRECTIONS_KEY, EPOCH_BYTES, EPOCH_KEY, LAST_ALIVE_KEY, PAUSES_KEY
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode

ROUND_SECONDS: Final = 1.0
"""The time between two rounds."""
RECORD_SECONDS: Final = 10.0
"""The time between two records of the server running; a kill gives the player to move at most this much more time."""
IDLE_RECORD_SECONDS: Final = 600.0
"""The same while no player's clock runs. A start that finds an earlier time knows that the clock was set back."""
RETRY_SECONDS: Final = 60.0
"""The time until a table whose time could not be looked at is looked at again."""
EXPIRY_INTERVAL_SECONDS: Final = 3600.0
"""The time between two searches for tables whose game never began."""
MAX_CORRECTIONS: Final = 100
"""The maximum number of corrections of the clock that are stored, the newest ones."""
DEADLINES: Final = Lease("deadlines")
EXPIRY: Final = Lease("expiry")

_logger = structlog.get_logger()


def encode_corrections(clock: ServerClock) -> bytes:
    """Return the corrections of a clock as they are stored."""
    return msgspec.json.encode(clock.corrections[-MAX_CORRECTIONS:])


class Timekeeper:
    """The loop that enforces deadlines; `run_due` is one round of it."""

    def __init__(self, store: Store, live: LiveTables, clock: ServerClock, leases: Leases) -> None:
        self._store = store
        self._tables = live
        self._clock = clock
        self._leases = leases
        self._seen_jumps = clock.earlier_jumps
        self._recorded_jumps = 0
        """The number of jumps that all tables have recorded; the others are stored."""
        self._recorded = 0.0
        self._since: float | None = None
        """The time of the oldest last event of the tables whose clock was running in the last round."""
        self._failed: dict[str, float] = {}
        """The tables whose time could not be looked at, with the time of the steady clock at which to try again."""
        self._stored_corrections = len(clock.corrections)
        self._log_limit = LogLimit(clock.steady)

    def running(self) -> AbstractAsyncContextManager[object]:
        """Do a round each second, in one of the processes on a database, until the context ends."""
        rounds = partial(repeat, self.run_due, ROUND_SECONDS)
        return running("timekeeper", partial(self._leases.while_held, DEADLINES, rounds))

    async def close(self) -> None:
        """Record the time until which the server ran."""
        await self._record(self._clock())

    async def run_due(self) -> None:
        """Act on all deadlines that have passed; errors at a table are logged, and tried again."""
        now, self._since = self._clock(), await self._store.clock_since()
        await settle_doubtful(self._store, self._clock)
        jumped = len(self._clock.jumps) > self._seen_jumps
        if jumped:
            await self._record_jumps(now)
        for table_id, _ in await self._store.deadlines(now):
            await self._run(table_id, now)
        interval = IDLE_RECORD_SECONDS if self._since is None else RECORD_SECONDS
        if jumped or abs(now - self._recorded) >= interval:
            await self._record(now)
        new = self._clock.corrections[self._stored_corrections :]
        if new and await self._store_corrections(new):
            self._stored_corrections += len(new)

    async def _record_jumps(self, now: float) -> None:
        """Let the tables in memory record the newest pauses; all tables if the clock was set back.

        A pause is stored for the other tables, which record it later: their deadlines can only be too early until then.
        """
        count = len(self._clock.jumps)
        is_set_back = any(jump.to < jump.since for jump in self._clock.jumps[self._seen_jumps :])
        self._seen_jumps = count
        if is_set_back:
            for table_id, _ in await self._store.deadlines():
                await self._run(table_id, now)
            if self._seen_jumps == count:
                self._recorded_jumps = count
        else:
            for table_id in self._tables.with_unrecorded_pauses():
                await self._run(table_id, now)

    async def _run(self, table_id: str, now: float) -> None:
        steady = self._clock.steady()
        if self._failed.get(table_id, steady) > steady:
            return
        try:
            await self._tables.run(table_id, tables.time_out, now)
            self._failed.pop(table_id, None)
        except TableRefusal as error:
            self._failed[table_id] = steady + RETRY_SECONDS
            if error.code == RefusalCode.NOT_WRITTEN:
                self._seen_jumps = self._clock.earlier_jumps
            else:
                _logger.error("a table's time could not be looked at", table=table_id, problem=str(error))

    async def _store_corrections(self, new: Sequence[ClockJump]) -> bool:
        """Store the corrections of the clock, including these new ones; return whether that was possible.

        If the clock was set back, store a new epoch too, so that open pages load again despite smaller versions.
        """
        values = {CORRECTIONS_KEY: encode_corrections(self._clock)}
        if any(correction.to < correction.since for correction in new):
            values[EPOCH_KEY] = secrets.token_bytes(EPOCH_BYTES)
        return await self._write("that the clock was set is not written down", values)

    async def _record(self, now: float) -> None:
        """Record that the server is running, and the pauses that tables whose clock runs have not recorded yet."""
        jumps = self._clock.jumps
        if self._seen_jumps < len(jumps):
            return
        self._recorded = now
        since = inf if self._since is None else self._since
        while self._recorded_jumps < len(jumps) and jumps[self._recorded_jumps].to <= since:
            self._recorded_jumps += 1
        pauses = msgspec.json.encode(jumps[self._recorded_jumps :])
        values = {LAST_ALIVE_KEY: msgspec.json.encode(now), PAUSES_KEY: pauses}
        await self._write("until when the server was there is not written down", values)

    async def _write(self, failure: str, values: Mapping[str, bytes]) -> bool:
        """Store settings and return True, or log the failure, once a minute."""
        try:
            await self._store.set_settings(values)
        except StoreClosed:
            raise
        except StoreError as error:
            if self._log_limit.allows(failure):
                _logger.error(failure, problem=str(error))
            return False
        return True


async def close_unbegun_tables(tables: LiveTables, days: int, leases: Leases) -> None:
    """Close tables whose game has not begun and that have not changed for `days` days.

    Check at the start and then every hour until cancelled; return immediately if `days` is 0.
    """
    if days:
        await leases.while_held(EXPIRY, partial(repeat, partial(tables.expire, days), EXPIRY_INTERVAL_SECONDS))
