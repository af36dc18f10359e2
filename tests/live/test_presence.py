"""Presence of people: with an open stream, or a short time ago; also after restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spieltisch.live.presence import HOUR, Presence
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Store


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_here_until_the_hours_after_the_last_sign_are_over(tmp_path: Path) -> None:
    clock = Clock()

    async def main() -> None:
        for hours in (24, 24, 0):
            store = await Store.open(tmp_path / "house.sqlite3")
            presence = await Presence.open(store, hours, ServerClock(clock, clock, last=clock.now))
            await _look(presence, clock)
            await presence.close()
            await store.close()

    async def _look(presence: Presence, clock: Clock) -> None:
        if not presence.hours:
            assert presence.is_present("nobody"), "for ever"
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
        clock.now += 24 * HOUR - 1
        assert presence.is_present("ben")
        clock.now += 1
        assert not presence.is_present("ben")
        presence.mark_seen("ben")

    asyncio.run(main())


def test_who_stays_is_noted_every_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill of the server must not make an open page look like an absence."""
    clock = Clock()
    monkeypatch.setattr("spieltisch.live.presence.SAVE_INTERVAL_SECONDS", 0.0)

    async def main() -> None:
        store = await Store.open(tmp_path / "house.sqlite3")
        presence = await Presence.open(store, 24, ServerClock(clock, clock, last=clock.now))
        clock.now += 24 * HOUR
        noted = asyncio.Event()
        keep = store.set_setting

        async def keep_and_notify(name: str, value: bytes) -> None:
            await keep(name, value)
            noted.set()

        monkeypatch.setattr(store, "set_setting", keep_and_notify)
        with presence.connected("ben"):
            await noted.wait()
            again = await Presence.open(store, 24, ServerClock(clock, clock, last=clock.now))
            assert again.is_present("ben")
            assert not again.is_present("cleo")
            await again.close()
        await presence.close()
        await store.close()

    asyncio.run(main())
