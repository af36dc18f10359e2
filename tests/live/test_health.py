"""The store is tried once for all who ask within a second: a stranger cannot keep the disk busy."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from spieltisch.live import health
from spieltisch.live.health import StoreHealth
from spieltisch.store import Store, StoreDamaged


def test_many_who_ask_cost_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)

    async def main() -> None:
        nonlocal now
        store = await Store.open(tmp_path / "house.sqlite3")
        well = StoreHealth(store)
        before = store.commits
        for seconds, looks in ((0.0, 1), (0.9, 1), (0.2, 2)):
            now += seconds
            assert set(await asyncio.gather(*(well.problem_code() for _ in range(50)))) == {""}
            assert store.commits - before == looks
        await store.close()
        now += 1
        assert await well.problem_code() == "lost"

    asyncio.run(main())


def test_what_takes_too_long_or_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.0)
    monkeypatch.setattr(health, "REUSE_SECONDS", 0.0)

    async def main() -> None:
        store = await Store.open(tmp_path / "house.sqlite3")
        well = StoreHealth(store)
        monkeypatch.setattr(store, "check", asyncio.Event().wait)
        assert await well.problem_code() == "slow"

        async def damaged() -> None:
            raise StoreDamaged("not a database any more")

        monkeypatch.setattr(store, "check", damaged)
        assert await well.problem_code() == "not-read"
        await store.close()

    asyncio.run(main())
