"""Check the presence of people with an open stream or a recent request, also after restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from spieltisch.live.notices import Notices
from spieltisch.live.presence import HOUR, SAVE_INTERVAL_SECONDS, Presence
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Store
from spieltisch.tables.table_settings import AWAY_HOURS

pytestmark = pytest.mark.both_databases


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_person_is_present_for_some_hours_after_the_last_request(tmp_path: Path) -> None:
    clock = Clock()

    async def main() -> None:
        for hours in (24, 24, 0):
            store = await Store.open(tmp_path / "house.sqlite3")
            presence = await Presence.open(store, hours, ServerClock(clock, clock, last=clock.now), Notices(store))
            await _look(presence, clock)
            await presence.close()
            await store.close()

    async def _look(presence: Presence, clock: Clock) -> None:
        if not presence.hours:
            assert presence.is_present("nobody"), "for ever"
            assert presence.is_present("nobody", 1), "also at a table that chose otherwise"
            return
        if clock.now == 1000.0:
            assert presence.is_present("ben"), "he may have been here before anybody was noted"
            clock.now += 24 * HOUR
            assert not presence.is_present("ben")
            presence.mark_seen("ben")
        assert presence.is_present("ben"), "after a restart too"
        with presence.connected("ben"), presence.connected(None):
            with presence.connected("ben"):
                clock.now += 100 * HOUR
            assert presence.is_present("ben"), "one of two streams is open"
        for chosen in (1, 3, 12):
            clock.now += chosen * HOUR - 1
            assert presence.is_present("ben", chosen)
            clock.now += 1
            assert not presence.is_present("ben", chosen)
            clock.now -= chosen * HOUR
        clock.now += 24 * HOUR - 1
        assert presence.is_present("ben", 48), "no table chooses more than the server"
        clock.now += 1
        assert not presence.is_present("ben")
        presence.mark_seen("ben")

    asyncio.run(main())


def test_no_table_counts_as_absence_what_two_processes_need_to_tell_each_other_of_an_open_page() -> None:
    """One saves it up to an interval late, and the other looks up to an interval after that."""
    assert min(filter(None, AWAY_HOURS)) * HOUR > 2 * SAVE_INTERVAL_SECONDS


def test_time_without_a_running_server_does_not_count_as_absence(tmp_path: Path) -> None:
    """Otherwise the first host to return after an outage could take the seats of all others without asking."""
    clock = Clock()

    async def main() -> None:
        store, stopped_at = await Store.open(tmp_path / "house.sqlite3"), clock.now
        presence = await Presence.open(store, 24, ServerClock(clock, clock, last=clock.now), Notices(store))
        presence.mark_seen("ben")
        await presence.close()
        clock.now += HOUR
        for _ in range(2):
            clock.now += 100 * HOUR
            killed_presence = await Presence.open(store, 24, ServerClock(clock, clock, last=stopped_at), Notices(store))
            assert killed_presence.is_present("ben")
            assert killed_presence.is_present("cleo"), "she may have been here before anybody was noted"
            stopped_at = clock.now
        clock.now += 24 * HOUR - 1
        assert killed_presence.is_present("ben")
        clock.now += 1
        assert not killed_presence.is_present("ben")
        assert not killed_presence.is_present("cleo")
        await store.close()

    asyncio.run(main())


def test_the_presence_of_people_is_saved_regularly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise players with open pages would count as absent after a server was killed."""
    clock = Clock()
    monkeypatch.setattr("spieltisch.live.presence.SAVE_INTERVAL_SECONDS", 0.0)

    async def main() -> None:
        store = await Store.open(tmp_path / "house.sqlite3")
        presence = await Presence.open(store, 24, ServerClock(clock, clock, last=clock.now), Notices(store))
        clock.now += 24 * HOUR
        is_noted = asyncio.Event()
        change_setting = store.change_setting

        async def keep_and_notify(name: str, change: Callable[[bytes], bytes]) -> None:
            await change_setting(name, change)
            is_noted.set()

        monkeypatch.setattr(store, "change_setting", keep_and_notify)
        with presence.connected("ben"):
            async with presence.running():
                await is_noted.wait()
            restored_presence = await Presence.open(
                store, 24, ServerClock(clock, clock, last=clock.now), Notices(store)
            )
            assert restored_presence.is_present("ben")
            assert not restored_presence.is_present("cleo")
            await restored_presence.close()
        await presence.close()
        await store.close()

    asyncio.run(main())
