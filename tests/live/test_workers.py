"""Check worker processes that read files of strangers: costly tasks end, and the next task succeeds."""

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
from tests.sentences import sentence_after
from tests.tables.harness import refused

SECONDS = 60.0
"""By the clock, which in these tests never comes to it."""


def use_processor(endless: bool) -> str:
    """Use the processor forever, or not at all."""
    while endless:
        pass
    return "done"


def hoard(size: int) -> int:
    """Allocate this much memory at once."""
    return len(bytearray(size))


def run_workers(
    bounds: ResourceLimits, job: Callable[[Workers[[bool], str], Workers[[int], int]], Awaitable[None]]
) -> None:
    async def main() -> None:
        busying, hoarding = (
            Workers("busy", use_processor, 1, SECONDS, bounds),
            Workers("hoard", hoard, 1, SECONDS, bounds),
        )
        try:
            await job(busying, hoarding)
        finally:
            await busying.stop()
            await hoarding.stop()

    asyncio.run(main())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of the processor")
def test_a_task_that_uses_too_much_processor_time_is_ended_by_the_system() -> None:
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
def test_a_task_that_uses_too_much_memory_fails() -> None:
    async def job(_: Workers[[bool], str], hoarding: Workers[[int], int]) -> None:
        assert await hoarding.run(READ_LIMITS.bytes // 2) == READ_LIMITS.bytes // 2
        with pytest.raises(WorkFailed, match="MemoryError"):
            await hoarding.run(2 * READ_LIMITS.bytes)  # what it had when it was ready may have become less
        assert await hoarding.run(READ_LIMITS.bytes // 2) == READ_LIMITS.bytes // 2

    run_workers(READ_LIMITS, job)


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is that of POSIX")
def test_a_task_fails_if_its_process_cannot_start_and_the_next_task_succeeds() -> None:
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
def test_a_component_file_that_takes_too_long_to_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(component_library, "READ_LIMITS", ResourceLimits(seconds=0.001, bytes=READ_LIMITS.bytes))
    text = game("paris-connection").components.text

    async def job(live: Live, ada: Person, ben: Person) -> None:
        with pytest.raises(TableRefusal) as refusal:
            await live.components.add(ada.id, "paris-connection", text)
        too_slow = sentence_after("tables/refusals.py", "components_too_slow = partial(")
        assert (refusal.value.code, str(refusal.value.message)) == ("components", too_slow)
        assert await live.components.owned_by(ada.id, "paris-connection") == ()

    play(tmp_path, job)


def test_a_valid_component_file_is_read_in_a_worker_process_and_stored(tmp_path: Path) -> None:
    text = game("paris-connection").components.text

    async def job(live: Live, ada: Person, ben: Person) -> None:
        digest = await live.components.add(ada.id, "paris-connection", text)
        (stored_file,) = await live.components.owned_by(ada.id, "paris-connection")
        assert (stored_file.digest, stored_file.text, str(stored_file.title)) == (
            digest,
            text,
            str(game("paris-connection").components.title),
        )
        assert (await live.components.find("paris-connection", digest))[1].digest == digest

    play(tmp_path, job)


def test_component_files_of_one_address_do_not_delay_other_addresses(tmp_path: Path) -> None:
    """All files of the busy address come from people with different names."""

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
