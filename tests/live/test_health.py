"""Check that all health requests within a second share one check of the store."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from spieltisch.live import health
from spieltisch.live.health import StoreHealth
from spieltisch.store import Store, StoreDamaged


def test_concurrent_health_requests_share_one_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_slow_or_unreadable_store_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_health_check_ends_with_a_server_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end_log: list[str] = []

    async def main() -> None:
        store = await Store.open(tmp_path / "house.sqlite3")
        watched_store, serving = StoreHealth(store), asyncio.Event()
        asking: list[asyncio.Task[str]] = []

        async def check() -> None:
            serving.set()
            try:
                await asyncio.Event().wait()
            finally:
                end_log.append("check")

        monkeypatch.setattr(store, "check", check)

        async def run_server() -> None:
            async with watched_store.running():
                asking.append(asyncio.create_task(watched_store.problem_code()))
                await serving.wait()
                raise RuntimeError

        with pytest.raises(RuntimeError):
            await run_server()
        end_log.append("watch")
        await asyncio.wait(asking)
        await store.close()

    asyncio.run(main())
    assert end_log == ["check", "watch"]
