"""The pauses of a table's clock while no server ran, and which of them the table has recorded."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from spieltisch import tables
from spieltisch.live.server_clock import TOLERANCE_SECONDS, ClockJump, ServerClock
from spieltisch.store import Store
from spieltisch.store.clock_pauses import settle
from spieltisch.store.leases import WITH_LEASES
from spieltisch.store.schema import CORRECTIONS_KEY, LAST_ALIVE_KEY, PAUSES_KEY
from spieltisch.tables import ClockPaused, Event, Table

PAUSES_DECODER: Final = msgspec.json.Decoder(list[ClockJump])
"""The decoder of the pauses that are stored because tables may not have recorded them yet, and of the corrections."""


async def open_clock(
    store: Store, clock: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
) -> ServerClock:
    """Return the clock of a server, which goes on with what earlier ones have stored."""
    now = msgspec.json.encode(clock())
    last_alive = msgspec.json.decode(await store.get_setting(LAST_ALIVE_KEY, lambda: now), type=float)
    pauses, corrections = [
        PAUSES_DECODER.decode(await store.get_setting(key, lambda: b"[]")) for key in (PAUSES_KEY, CORRECTIONS_KEY)
    ]
    return ServerClock(
        clock, steady, last=last_alive, earlier=pauses, corrections=corrections, is_shared=store.is_shared
    )


async def settle_doubtful(store: Store, clock: ServerClock) -> None:
    """Find out whether all processes stood still when this one did: only then were the clocks of tables paused.

    The first one that runs again stores that, and the others learn it. Raise `WriteFailed`.
    """
    if not (doubtful := tuple(clock.doubtful)):
        return
    job = partial(settle, process=store.process, silences=doubtful)
    stored, has_run_elsewhere = await store.write(job, order=WITH_LEASES)
    if has_run_elsewhere:
        clock.downtime = 0.0
    clock.jumps += [pause for pause in (ClockJump(*ends) for ends in stored) if pause not in clock.jumps]
    clock.doubtful = [jump for jump in clock.doubtful if jump not in doubtful]


class ClockPauses:
    """Pauses the clocks of tables for the time that the server's clock jumped."""

    def __init__(self, clock: ServerClock, *, is_shared: bool) -> None:
        self._clock = clock
        self._is_shared = is_shared
        self._recorded: dict[str, int] = {}
        """For each table with a clock, the number of clock jumps it has recorded."""

    def unrecorded(self, table: Table) -> list[tuple[float, Event]]:
        """Return the pauses that a table has not recorded, each with the time at which it ended."""
        jumps = self.unrecorded_jumps(table.id, table.changed_at) if table.opened.settings.clock else []
        if not jumps or tables.deadline(table) is None:
            return []
        if self._is_shared:  # another process may have recorded it
            ends = [event.at for event in table.events if isinstance(event.event, ClockPaused)]
            jumps = [jump for jump in jumps if all(abs(end - jump.to) > TOLERANCE_SECONDS for end in ends)]
        # After a kill, the recorded time at which the server ran may be too early; it ran at the table's last event.
        since = [max(jump.since, table.changed_at) if number == 0 else jump.since for number, jump in enumerate(jumps)]
        return [(jump.to, ClockPaused(since=start)) for jump, start in zip(jumps, since, strict=True)]

    def unrecorded_jumps(self, table_id: str, changed_at: float) -> list[ClockJump]:
        """Return the clock's jumps since the last event of a table, or since it was last written in this run."""
        jumps, earlier = self._clock.jumps, self._clock.earlier_jumps
        if self._is_shared:  # the table may have been written by another process since
            unwritten = jumps[self._recorded.get(table_id, 0) :]
            return [jump for jump in unwritten if jump.to > changed_at or jump.to < jump.since]
        if table_id in self._recorded:
            return jumps[self._recorded[table_id] :]
        return jumps[sum(jump.to <= changed_at for jump in jumps[:earlier]) :]

    def count_jumps(self) -> int:
        """Return the number of jumps so far, to be recorded by what is written now."""
        return len(self._clock.jumps)

    def mark_recorded(self, table: Table, count: int) -> None:
        """Note that a table has recorded the first `count` jumps."""
        if table.opened.settings.clock:
            self._recorded[table.id] = count
