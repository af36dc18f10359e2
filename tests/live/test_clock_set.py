"""Check that waiting times stay the same when the machine's clock is set while a server runs."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS
from spieltisch.live.limits import DAY, DEFAULT, UNLIMITED
from spieltisch.live.presence import HOUR
from spieltisch.live.timekeeper import RETRY_SECONDS
from spieltisch.store import WriteFailed, outbox
from spieltisch.tables import NewTable
from tests.live.conftest import Clock, House
from tests.live.hand_set_clocks import LIVE
from tests.live.live_fixture import PLAN

pytestmark = pytest.mark.both_databases

MINUTE = 60.0
both_ways = pytest.mark.parametrize("by", [-400.0 * DAY, 400.0 * DAY], ids=["back", "forward"])


@both_ways
def test_a_turn_after_a_clock_change_is_alerted_at_once(house: Callable[..., None], by: float) -> None:
    """The newest event of the table may have a time in the future, since it is older than the change of the clock."""

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
def test_a_failed_alert_is_retried_after_its_pause_despite_a_clock_change(
    house: Callable[..., None], by: float
) -> None:
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
def test_the_pause_after_an_alert_is_kept_despite_a_clock_change(
    house: Callable[..., None], by: float, again: bool
) -> None:
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
def test_players_with_an_open_page_are_alerted_after_their_chosen_minutes_despite_a_clock_change(
    house: Callable[..., None], by: float
) -> None:
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


def test_queued_alerts_do_not_wait_for_times_set_by_a_wrong_clock(house: Callable[..., None]) -> None:
    """The clock was ahead when the alerts were queued, and was corrected while no server ran."""

    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        house.live.presence.mark_active(house.ben.id)
        (waiting_alert,) = await outbox.due(house.live.store)
        await outbox.postpone(house.live.store, waiting_alert, house.clock() + 400 * DAY)
        assert await house.look() == house.clock() + MAX_BACKOFF_SECONDS
        house.clock.now += MAX_BACKOFF_SECONDS
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


@contextmanager
def open_live_in(path: Path, clock: Clock) -> Iterator[tuple[asyncio.Runner, Live]]:
    """Open `Live` on the database in a folder, without a web server, and close it at the end."""
    with asyncio.Runner() as runner:
        limits = replace(UNLIMITED, away_hours=DEFAULT.away_hours)
        file = path / "house.sqlite3"
        live = runner.run(Live.open(file, clock=clock, steady=lambda: clock.now, limits=limits, features=FEATURES))
        try:
            yield runner, live
        finally:
            runner.run(live.close())


@both_ways
def test_a_waiting_table_is_closed_after_the_set_days_despite_a_clock_change_and_a_restart(
    tmp_path: Path, by: float
) -> None:
    clock, days = Clock(), DEFAULT.waiting_days
    with open_live_in(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        before = runner.run(live.tables.open(ada, PLAN))
        clock.now += MINUTE
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        after = runner.run(live.tables.open(ada, PLAN))
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(before.id)).status == "open"
    clock.now += days * DAY
    with open_live_in(tmp_path, clock) as (runner, live):
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(before.id)).status == "aborted"
        assert runner.run(live.tables.get(after.id)).status == "open"
        clock.now += 1
        clock.ahead = 0.0
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(after.id)).status == "aborted"


@both_ways
def test_a_clock_change_does_not_alter_how_long_a_person_counts_as_present(tmp_path: Path, by: float) -> None:
    clock, hours = Clock(), DEFAULT.away_hours
    with open_live_in(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        live.presence.mark_seen(ada.id)
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        assert live.presence.is_present(ada.id)
    with open_live_in(tmp_path, clock) as (_, live):
        clock.now += hours * HOUR - 1
        assert live.presence.is_present(ada.id)
        clock.now += 1
        assert not live.presence.is_present(ada.id)


@both_ways
def test_a_table_whose_deadline_check_failed_is_checked_again_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: float
) -> None:
    clock, read_count = Clock(), 0
    with open_live_in(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        table = runner.run(
            live.tables.open(ada, NewTable("paris-connection", ("me", "here:B", "here:C"), charter=LIVE))
        )
        assert tables.deadline(table) is not None

        async def fail_with_full_disk(*_: object) -> int:
            nonlocal read_count
            read_count += 1
            raise WriteFailed("the disk is full")

        monkeypatch.setattr(live.store, "append", fail_with_full_disk)
        clock.now += HOUR
        runner.run(live.timekeeper.run_due())
        tries = read_count
        clock.ahead = by
        clock.now += RETRY_SECONDS
        runner.run(live.timekeeper.run_due())
        assert read_count > tries > 0


@both_ways
def test_open_pages_reload_after_a_restart_only_if_the_clock_was_set_back(tmp_path: Path, by: float) -> None:
    clock = Clock()
    with open_live_in(tmp_path, clock) as (runner, live):
        clock.ahead = by
        runner.run(live.timekeeper.run_due())
        epoch = live.store.epoch
    for _ in range(2):
        with open_live_in(tmp_path, clock) as (_, live):
            assert (live.store.epoch == epoch) is (by > 0)
            by, epoch = DAY, live.store.epoch


@pytest.mark.sqlite_only
@pytest.mark.parametrize("was_killed", [False, True], ids=["stopped", "killed"])
def test_a_clock_set_back_while_no_server_runs_is_noticed_at_the_next_start(tmp_path: Path, was_killed: bool) -> None:
    """Open pages reload once, and a waiting table is still closed after its number of days."""
    clock, days = Clock(), DEFAULT.waiting_days
    clock.ahead = 400.0 * DAY
    with open_live_in(tmp_path, clock) as (runner, live):
        ada, _ = runner.run(live.people.create("Ada"))
        runner.run(live.timekeeper.run_due())
        waiting_table = runner.run(live.tables.open(ada, PLAN))
        epoch = live.store.epoch
        if was_killed:
            shutil.copytree(tmp_path, tmp_path / "killed")
    if was_killed:
        tmp_path /= "killed"
    clock.ahead = 0.0
    with open_live_in(tmp_path, clock) as (runner, live):
        assert live.store.epoch != epoch
        epoch = live.store.epoch
        runner.run(live.timekeeper.run_due())
        clock.now += days * DAY - MINUTE
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(waiting_table.id)).status == "open"
    clock.now += 2 * MINUTE
    with open_live_in(tmp_path, clock) as (runner, live):
        assert live.store.epoch == epoch
        runner.run(live.tables.expire(days))
        assert runner.run(live.tables.get(waiting_table.id)).status == "aborted"
