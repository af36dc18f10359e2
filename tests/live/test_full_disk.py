"""Check that on a full disk each problem is logged once a minute and no alert is sent twice."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import text
from structlog.testing import capture_logs

from spieltisch.alerts.channels import SERVICE
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.tables import NewTable
from tests.live.conftest import Clock, House
from tests.live.hand_set_clocks import LIVE

MINUTE = 60.0


@contextmanager
def full_disk() -> Iterator[None]:
    """Make every write of this process fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def problems(log: Sequence[Any]) -> list[str]:
    assert not any("exc_info" in entry for entry in log), [e for e in log if "exc_info" in e]
    return [entry["event"] for entry in log]


def test_a_clock_that_cannot_be_stored_is_logged_once_a_minute(tmp_path: Path) -> None:
    clock = Clock()

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", clock=clock, steady=lambda: clock.now, features=FEATURES)
        await live.tables.replaying  # its write would fail, too
        ada, _ = await live.people.create("Ada")
        await live.tables.open(ada, NewTable("paris-connection", ("me", "here:B", "here:C"), charter=LIVE))
        await live.timekeeper.run_due()
        clock.ahead -= 1000.0
        with full_disk(), capture_logs() as log:
            for _ in range(12):
                clock.now += 10.0
                await live.timekeeper.run_due()
        disk_warnings = problems(log)
        for problem in (
            "that the clock was set is not written down",
            "until when the server was there is not written down",
        ):
            assert disk_warnings.count(problem) == 2
        assert len(disk_warnings) <= 5, "and the table, unless it was said a moment ago"
        epoch = live.store.epoch
        await live.timekeeper.run_due()
        await live.close()
        restored_live = await Live.open(
            tmp_path / "house.sqlite3", clock=clock, steady=lambda: clock.now, features=FEATURES
        )
        assert restored_live.store.epoch != epoch
        await restored_live.close()

    asyncio.run(main())


def test_no_alert_is_sent_while_the_database_cannot_be_written(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await house.live.subscriptions.add(house.ben, SERVICE, {"address": f"{house.web.address}/hook{number}"})
        await house.until(await house.table(), house.ben)
        await house.live.tables.replaying
        with full_disk(), capture_logs() as log:
            for _ in range(12):
                await house.look()
                house.clock.now += 10
        assert len(problems(log)) == 2
        assert house.web.sent == []
        for _ in range(3):
            house.clock.now += 100
            await house.look()
        assert len(house.web.sent) == 3

    house(job)


def test_a_delivered_alert_that_cannot_be_recorded_is_not_resent_at_once(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        trigger = "CREATE TRIGGER keep BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        await house.live.store.write(lambda connection: connection.execute(text(trigger)))
        with capture_logs() as log:
            for _ in range(20):
                await house.look()
        assert len(house.web.sent) == len(problems(log)) == 1

    house(job)
