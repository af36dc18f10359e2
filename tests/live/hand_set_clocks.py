"""Provide a server's inside between two manual clocks, and a table with a clock."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live, versions
from spieltisch.store import Person, dialects
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.table_settings import MINUTE
from tests.live.live_fixture import Job

LIVE = TableSettings("live", time_bank=10 * MINUTE, turn_time=30, on_timeout="bot-plays", bot="random")


class Clocks:
    """Two clocks: a wall clock that can be set, and a steady clock that only runs."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.steady = 50.0

    def run(self, seconds: float) -> None:
        """Let time pass on both clocks."""
        self.wall += seconds
        self.steady += seconds


class MachineClock:
    """A clock of the machine as a database shows it, and as a process counts it from its own start."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ran = self._set = 0.0
        begin, read = time.monotonic_ns(), dialects.clock
        monkeypatch.setattr(dialects, "clock", lambda connection: read(connection) + self._ran + self._set)
        hands = SimpleNamespace(monotonic_ns=lambda: begin + int(self._ran * 1e9))
        monkeypatch.setattr(versions, "time", hands)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self._ran += seconds

    def set_by(self, seconds: float) -> None:
        """Set the clock forward, or back."""
        self._set += seconds


def serve(path: Path, hands: Clocks, job: Job) -> None:
    """Run a job inside a server with Ada and Ben on a database file, from the server's start to its stop."""

    async def main() -> None:
        live = await Live.open(
            path / "house.sqlite3", clock=lambda: hands.wall, steady=lambda: hands.steady, features=FEATURES
        )
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            await asyncio.wait_for(job(live, ada, ben), 60)
        finally:
            await live.close()

    asyncio.run(main())


async def open_running_table(live: Live, ada: Person, ben: Person, charter: TableSettings = LIVE) -> Table:
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "here:Cleo"), charter=charter))
    table = await live.tables.run(table.id, tables.sit, ben)
    assert table.status == "running"
    return table


async def let_time_pass(live: Live, hands: Clocks, seconds: float) -> None:
    """Let this time pass while the timekeeper runs every few seconds."""
    while seconds > 0:
        step = min(seconds, 9.0)
        hands.run(step)
        seconds -= step
        await live.timekeeper.run_due()


async def seconds_left(live: Live, table: Table) -> tuple[float, Table]:
    """Return the seconds left until the deadline, as listed in the store and as computed from the table."""
    now = await live.tables.get(table.id)
    listed_deadlines = [deadline for table_id, deadline in await live.store.deadlines() if table_id == table.id]
    due = tables.deadline(now)
    assert [due.until] * (due is not None) == listed_deadlines if due else listed_deadlines == []
    return (due.until - live.clock() if due else 0.0), now
