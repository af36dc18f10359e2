"""Check work that only one of several processes does at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from spieltisch.live.leases import Leases
from spieltisch.store import LeaseEnded, Store, WriteFailed
from spieltisch.store.leases import Lease
from tests.store.lease_time import pass_time

pytestmark = pytest.mark.both_databases

WORK: Final = Lease("alerts")
SECONDS: Final = 60.0


class Work:
    """Work that never ends by itself."""

    def __init__(self) -> None:
        self.began, self.ended = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


def play(path: Path, job: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        store = await Store.open(path / "house.sqlite3")
        try:
            await asyncio.wait_for(job(store), SECONDS)
        finally:
            await store.close()

    asyncio.run(main())


def test_work_under_a_lease_continues_in_another_process_when_its_process_ends(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        ada, ben = (Leases(store, is_shared=True, owner=name) for name in ("ada", "ben"))
        works, has_looked = [Work(), Work()], asyncio.Event()
        ben.on_ended.append(has_looked.set)
        async with ben.running():
            async with ada.running():
                first = asyncio.create_task(ada.while_held(WORK, works[0].run))
                await works[0].began.wait()
                second = asyncio.create_task(ben.while_held(WORK, works[1].run))
                await ben.renew()
                assert not works[1].began.is_set()
                assert (ada.holds(WORK), ben.holds(WORK)) == (True, False)
                async with ben.held(WORK) as is_ours:
                    assert not is_ours
            await ben.renew()
            await asyncio.gather(works[0].ended.wait(), works[1].began.wait(), has_looked.wait())
            for task in (first, second):
                task.cancel()
            await asyncio.gather(first, second, return_exceptions=True)
            assert works[1].ended.is_set()
            async with ada.held(WORK) as is_ours:
                assert is_ours, "whoever stops to work leaves it to others at once"

    play(tmp_path, job)


def test_a_process_without_its_database_stops_work_under_leases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(store: Store) -> None:
        ada, work = Leases(store, is_shared=True, term=0.3), Work()
        async with ada.running():
            task = asyncio.create_task(ada.while_held(WORK, work.run))
            await work.began.wait()

            async def write(*args: Any) -> None:
                raise WriteFailed("the database is away")

            with monkeypatch.context() as patch:
                patch.setattr(store, "write", write)
                await work.ended.wait()
                assert not ada.holds(WORK)
                work.began.clear()
            await work.began.wait()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    play(tmp_path, job)


def test_a_process_that_wakes_up_writes_nothing_under_its_old_lease(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        now = 0.0
        ada, ben = Leases(store, is_shared=True, steady=lambda: now), Leases(store, is_shared=True, owner="ben")
        async with ada.held(WORK):
            assert await ada.fence(WORK).write(lambda connection: "written") == "written"
            await store.write(partial(pass_time, seconds=60))
            assert ada.holds(WORK), "no time seems to have passed"
            async with ben.held(WORK) as is_ours:
                assert is_ours
                with pytest.raises(LeaseEnded):
                    await ada.fence(WORK).write(lambda connection: "written")
            now = 60.0
            assert not ada.holds(WORK)

    play(tmp_path, job)


def test_the_only_process_of_a_database_writes_no_lease(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        own_leases, work = Leases(store, is_shared=False), Work()
        before = store.commits
        async with own_leases.running(), own_leases.held(WORK) as is_ours:
            assert is_ours
            task = asyncio.create_task(own_leases.while_held(WORK, work.run))
            await work.began.wait()
            assert own_leases.holds(WORK)
            assert own_leases.fence(WORK) is store
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert store.commits == before

    play(tmp_path, job)
