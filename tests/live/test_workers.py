"""Worker processes that read what strangers send: what costs too much ends, and the next question is answered."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from spieltisch.games import game
from spieltisch.live import Live, component_library
from spieltisch.live.component_library import READ_LIMITS
from spieltisch.store import Person
from spieltisch.tables import TableRefusal
from spieltisch.workers import ResourceLimits, Workers, WorkFailed
from tests.live.live_fixture import play
from tests.tables.harness import refused

SECONDS = 60.0
"""By the clock, which in these tests never comes to it."""


def busy(endless: bool) -> str:
    """Uses the processor, for ever or not at all."""
    while endless:
        pass
    return "done"


def hoard(size: int) -> int:
    """Wants so much memory at once."""
    return len(bytearray(size))


def run_workers(
    bounds: ResourceLimits, job: Callable[[Workers[[bool], str], Workers[[int], int]], Awaitable[None]]
) -> None:
    async def main() -> None:
        busying, hoarding = Workers("busy", busy, 1, SECONDS, bounds), Workers("hoard", hoard, 1, SECONDS, bounds)
        try:
            await job(busying, hoarding)
        finally:
            await busying.stop()
            await hoarding.stop()

    asyncio.run(main())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of the processor")
def test_work_that_uses_the_processor_too_long_is_ended_by_the_system() -> None:
    async def job(busying: Workers[[bool], str], _: Workers[[int], int]) -> None:
        assert await busying.run(False) == "done"
        before = busying.processes
        with pytest.raises(WorkFailed, match="died"):
            await busying.run(True)
        assert not busying.processes
        assert await busying.run(False) == "done"
        assert busying.processes != before

    run_workers(ResourceLimits(seconds=0.2, bytes=READ_LIMITS.bytes), job)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds the limit")
def test_work_that_wants_too_much_memory_does_not_get_it() -> None:
    async def job(_: Workers[[bool], str], hoarding: Workers[[int], int]) -> None:
        assert await hoarding.run(READ_LIMITS.bytes // 2) == READ_LIMITS.bytes // 2
        with pytest.raises(WorkFailed, match="MemoryError"):
            await hoarding.run(2 * READ_LIMITS.bytes)  # what it had when it was ready may have become less
        assert await hoarding.run(READ_LIMITS.bytes // 2) == READ_LIMITS.bytes // 2

    run_workers(READ_LIMITS, job)


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is that of POSIX")
def test_where_no_process_can_be_started_the_question_fails_and_the_next_is_answered() -> None:
    import resource

    async def job(busying: Workers[[bool], str], _: Workers[[int], int]) -> None:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
        try:
            with pytest.raises(WorkFailed, match="no process could be started"):
                await busying.run(False)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        assert await busying.run(False) == "done"

    run_workers(READ_LIMITS, job)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of the processor")
def test_a_file_that_costs_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component_library, "READ_LIMITS", ResourceLimits(seconds=0.001, bytes=READ_LIMITS.bytes))
    text = game("paris-connection").components.text

    async def job(live: Live, ada: Person, ben: Person) -> None:
        with pytest.raises(TableRefusal, match="takes too much time or memory"):
            await live.components.add(ada.id, "paris-connection", text)
        assert await live.components.owned_by(ada.id, "paris-connection") == ()

    play(tmp_path, job)


def test_a_sound_file_is_read_in_another_process_and_kept(tmp_path: Path) -> None:
    text = game("paris-connection").components.text

    async def job(live: Live, ada: Person, ben: Person) -> None:
        digest = await live.components.add(ada.id, "paris-connection", text)
        (kept,) = await live.components.owned_by(ada.id, "paris-connection")
        assert (kept.digest, kept.text, str(kept.title)) == (
            digest,
            text,
            str(game("paris-connection").components.title),
        )
        assert (await live.components.find("paris-connection", digest))[1].digest == digest

    play(tmp_path, job)


def test_nobody_waits_for_all_the_files_from_one_address(tmp_path: Path) -> None:
    """Under however many names they come."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        answered: list[str] = []

        async def bring(person: str, address: str) -> None:
            with refused("components"):
                await live.components.add(person, "paris-connection", "[", address)
            answered.append(person)

        storm = [bring(f"name {number}", "192.0.2.1") for number in range(20)]
        await asyncio.gather(*storm, bring(ben.id, "192.0.2.2"))
        assert answered.index(ben.id) <= 2
        assert len(answered) == 21

    play(tmp_path, job)
