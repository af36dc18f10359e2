"""Tables as spectators see them, if their players have chosen a delay.

The times of the events are stored, and their age is measured by a clock that knows how it was set. So every process
shows the same, also after a restart.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.client_threads import run_in_thread
from spieltisch.live.server_clock import ServerClock
from spieltisch.tables import Table, spectator_delay

MAX_BYTES_IN_MEMORY: Final = 16 << 20
"""The maximum size of the delayed tables in memory."""
MIN_SECONDS: Final = 0.05
"""The minimum time until a table is looked at again: two clocks need not agree to the last digit."""
Later = Callable[[float, Callable[[], None]], asyncio.TimerHandle]


class _Seen(NamedTuple):
    """A table as spectators see it: its `earlier` state, and that state with the seats of now."""

    earlier: Table
    table: Table


def _call_later(seconds: float, job: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, job)


class DelayedTables:
    """The delayed tables of a server; `look` is called when spectators see more of a table that was asked for."""

    def __init__(self, clock: ServerClock, look: Callable[[str], None], later: Later = _call_later) -> None:
        self._clock = clock
        self._look = look
        self._later = later
        self._seen: ByteCache[str, _Seen] = ByteCache(MAX_BYTES_IN_MEMORY, lambda seen: seen.table.estimated_bytes)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.release = self._seen.release

    async def close(self) -> None:
        """Look at no table again."""
        for timer in self._timers.values():
            timer.cancel()

    async def seen_by(self, table: Table, person: str | None) -> Table:
        """Return a table as a person, or a visitor without a name, may see it now."""
        if table.seats_on_device(person) or not spectator_delay.is_delayed(table):
            return table
        known = self._known(table)
        version, seconds = spectator_delay.seen_version(
            table, self._clock.seconds_since, known.earlier.version if known is not None else 0
        )
        if seconds is not None and table.id not in self._timers:
            self._timers[table.id] = self._later(max(MIN_SECONDS, seconds), lambda: self._on_due(table.id))
        if known is None or known.earlier.version < version:
            earlier = await run_in_thread(spectator_delay.at_version, table, version, known.earlier if known else None)
            known = self._known(table)  # another visitor may have waited for the same
            if known is None or known.earlier.version < version:
                known = self._keep(earlier, table)
        if known.table.seats is not table.seats or known.table.host != table.host:
            known = self._keep(known.earlier, table)
        return known.table

    def _known(self, table: Table) -> _Seen | None:
        """Return what is in memory, unless the events have been rewritten or read again since."""
        known = self._seen.get(table.id)
        return known if known is not None and known.earlier.events[0] is table.events[0] else None

    def _keep(self, earlier: Table, table: Table) -> _Seen:
        seen = _Seen(earlier, spectator_delay.with_seats_of(earlier, table))
        self._seen.put(table.id, seen)
        return seen

    def _on_due(self, table_id: str) -> None:
        del self._timers[table_id]
        self._look(table_id)
