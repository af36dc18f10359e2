"""The clock of the machine is set, back or forward, while a server runs: what waits does so as long as before."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS
from spieltisch.live.limits import DAY, DEFAULT, UNLIMITED
from spieltisch.live.presence import HOUR
from spieltisch.live.timekeeper import RETRY_SECONDS
from spieltisch.store import WriteFailed, outbox
from spieltisch.tables import NewTable
from tests.live.conftest import Clock, House
from tests.live.live_fixture import PLAN
from tests.live.test_timekeeper import LIVE

MINUTE = 60.0
both_ways = pytest.mark.parametrize("by", [-400.0 * DAY, 400.0 * DAY], ids=["back", "forward"])


@both_ways
def test_a_turn_that_begins_afterwards_is_told_at_once(house: Callable[..., None], by: float) -> None:
    """Also at a table whose last event has a time that is still to come."""

    async def job(house: House) -> None:
        await house.hooked(house.ben)
        table = await house.table()
        await house.look()
        house.clock.ahead = by
        await house.until(table, house.ben)
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


@both_ways
def test_a_failed_alert_is_tried_again_when_its_pause_is_over(house: Callable[..., None], by: float) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        house.web.status = 500
        await house.until(await house.table(), house.ben)
        await house.look()
        house.clock.ahead = by
        house.web.status = 204
        house.clock.now += MIN_BACKOFF_SECONDS - 1
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += 1
        await house.look()
        assert len(house.web.sent) == 2

    house(job)


@both_ways
@pytest.mark.parametrize("again", [False, True], ids=["", "set right again"])
def test_the_pause_after_an_alert_is_kept(house: Callable[..., None], by: float, again: bool) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.wish(house.ben, pause_minutes=30)
        house.clock.ahead = by if again else 0.0
        table = await house.until(await house.table(), house.ben)
        await house.look()
        house.clock.ahead = 0.0 if again else by
        table = await house.until(await house.until(table, house.ada), house.ben)
        house.clock.now += 29 * MINUTE
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += MINUTE
        await house.look()
        assert len(house.web.sent) == 2

    house(job)


@both_ways
def test_who_looks_at_a_page_is_told_after_the_minutes_of_their_choice(house: Callable[..., None], by: float) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        house.live.presence.mark_active(house.ben.id)
        await house.look()
        house.clock.ahead = by
        house.clock.now += 4 * MINUTE
        await house.look()
        assert house.web.sent == []
        house.clock.now += MINUTE
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


def test_nothing_waits_for_a_time_that_an_earlier_server_took_for_near(house: Callable[..., None]) -> None:
    """Its clock was wrong and is right now, and nobody saw when it was set."""

    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        house.live.presence.mark_active(house.ben.id)
        (held,) = await outbox.due(house.live.store)
        await outbox.postpone(house.live.store, held, house.clock() + 400 * DAY)
        assert await house.look() == house.clock() + MAX_BACKOFF_SECONDS
        house.clock.now += MAX_BACKOFF_SECONDS
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


@contextmanager
def opened(path: Path, clock: Clock) -> Iterator[tuple[asyncio.Runner, Live]]:
    """A server's inside on a file, from its start to its stop."""
    with asyncio.Runner() as runner:
        limits = replace(UNLIMITED, away_hours=DEFAULT.away_hours)
        file = path / "house.sqlite3"
        live = runner.run(Live.open(file, clock=clock, steady=lambda: clock.now, limits=limits))
        try:
            yield runner, live
        finally:
            runner.run(live.close())


@both_ways
def test_a_table_that_waits_is_closed_after_its_days_also_over_a_restart(tmp_path: Path, by: float) -> None:
    clock, days = Clock(), DEFAULT.waiting_days
    with opened(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        before = runner.run(live.tables.open(ada, PLAN))
        clock.now += MINUTE
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        after = runner.run(live.tables.open(ada, PLAN))
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(before.id)).status == "open"
    clock.now += days * DAY
    with opened(tmp_path, clock) as (runner, live):
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(before.id)).status == "aborted"
        assert runner.run(live.tables.get(after.id)).status == "open"
        clock.now += 1
        clock.ahead = 0.0
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(after.id)).status == "aborted"


@both_ways
def test_who_was_here_counts_as_here_for_the_same_hours(tmp_path: Path, by: float) -> None:
    clock, hours = Clock(), DEFAULT.away_hours
    with opened(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        live.presence.mark_seen(ada.id)
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        assert live.presence.is_present(ada.id)
    with opened(tmp_path, clock) as (_, live):
        clock.now += hours * HOUR - 1
        assert live.presence.is_present(ada.id)
        clock.now += 1
        assert not live.presence.is_present(ada.id)


@both_ways
def test_a_table_whose_time_could_not_be_looked_at_is_tried_again_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: float
) -> None:
    clock, asked = Clock(), 0
    with opened(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        table = runner.run(
            live.tables.open(ada, NewTable("paris-connection", ("me", "here:B", "here:C"), charter=LIVE))
        )
        assert tables.deadline(table) is not None

        async def full(*_: object) -> int:
            nonlocal asked
            asked += 1
            raise WriteFailed("the disk is full")

        monkeypatch.setattr(live.store, "append", full)
        clock.now += HOUR
        runner.run(live.timekeeper.run_due())
        tries = asked
        clock.ahead = by
        clock.now += RETRY_SECONDS
        runner.run(live.timekeeper.run_due())
        assert asked > tries > 0


@both_ways
def test_open_pages_load_again_at_the_next_start_if_its_versions_may_be_smaller(tmp_path: Path, by: float) -> None:
    clock = Clock()
    with opened(tmp_path, clock) as (runner, live):
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        epoch = live.store.epoch
    for _ in range(2):
        with opened(tmp_path, clock) as (_, live):
            assert (live.store.epoch == epoch) is (by > 0)
            by, epoch = DAY, live.store.epoch


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
def test_a_clock_that_is_set_back_while_no_server_runs_is_noticed_at_the_next_start(
    tmp_path: Path, killed: bool
) -> None:
    """Open pages load again, once, and a table that waits is closed after its days."""
    clock, days = Clock(), DEFAULT.waiting_days
    clock.ahead = 400.0 * DAY
    with opened(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        runner.run(live.timekeeper.run_due())
        waiting = runner.run(live.tables.open(ada, PLAN))
        epoch = live.store.epoch
        if killed:
            shutil.copytree(tmp_path, tmp_path / "as it was")
    if killed:
        tmp_path /= "as it was"
    clock.ahead = 0.0
    with opened(tmp_path, clock) as (runner, live):
        assert live.store.epoch != epoch
        epoch = live.store.epoch
        runner.run(live.timekeeper.run_due())
        clock.now += days * DAY - MINUTE
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(waiting.id)).status == "open"
    clock.now += 2 * MINUTE
    with opened(tmp_path, clock) as (runner, live):
        assert live.store.epoch == epoch
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(waiting.id)).status == "aborted"
