"""The event loop is shared between addresses: nobody waits until the queue of another address is empty."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest

from spieltisch.web.http import processor_shares
from spieltisch.web.http.processor_shares import BUDGET_SECONDS, ProcessorShares, share_processor
from tests.web.conftest import Server

BUSY, OTHER, THIRD = "192.0.2.1", "192.0.2.2", "192.0.2.3"
STEP_SECONDS = BUDGET_SECONDS / 2.5
Job = Coroutine[Any, Any, None]


class House:
    """Requests that note their steps, each of which takes some time of a simulated processor."""

    def __init__(self) -> None:
        self.time = 0.0
        self.shares = ProcessorShares(0, lambda: self.time, lambda: self.time)
        self.steps: list[str] = []

    def step(self, name: str) -> None:
        self.time += STEP_SECONDS
        self.steps.append(name)

    async def _page(self, name: str, steps: int) -> None:
        for number in range(steps):
            self.step(name)
            if number < steps - 1:
                await asyncio.sleep(0)

    def page(self, address: str, name: str, steps: int = 1) -> Job:
        return self.shares.run(self._page(name, steps), address, is_move=False)

    def move(self, address: str, name: str) -> Job:
        return self.shares.run(self._page(name, 1), address, is_move=True)

    def serve(self, *jobs: Job) -> str:
        """Serve these requests, which arrive at the same time in this order; return the names of their steps."""

        async def serve() -> None:
            await asyncio.gather(*jobs)

        asyncio.run(serve())
        return "".join(self.steps)


@pytest.fixture
def house() -> House:
    return House()


def test_two_addresses_are_served_in_turns(house: House) -> None:
    many, few = [house.page(BUSY, "a") for _ in range(6)], [house.page(OTHER, "b") for _ in range(3)]
    assert house.serve(*many, *few) == "abababaaa"


def test_the_pauses_of_a_long_page_are_for_others(house: House) -> None:
    assert house.serve(house.page(BUSY, "a", 4), house.page(OTHER, "b", 2)) == "ababaa"


def test_pages_of_one_address_are_made_one_after_the_other(house: House) -> None:
    assert house.serve(house.page(BUSY, "a", 3), house.page(BUSY, "b", 2)) == "aaabb"


def test_a_move_overtakes_the_queue_of_another_address(house: House) -> None:
    many, few = [house.page(BUSY, "a") for _ in range(3)], [house.page(OTHER, "b") for _ in range(2)]
    assert house.serve(*many, *few, house.move(OTHER, "M")) == "aMabab"


def test_a_move_of_a_busy_address_overtakes_nobody(house: House) -> None:
    house.serve(*(house.page(BUSY, "a") for _ in range(4)))
    house.steps.clear()
    pages = [house.page(OTHER, "b", 2), house.page(THIRD, "c")]
    assert house.serve(*pages, *(house.move(BUSY, "M") for _ in range(2))) == "bcbMM"


def test_a_busy_address_waits_for_a_move_that_waits_for_the_disk(house: House) -> None:
    async def job() -> None:
        on_disk, begun = asyncio.Event(), asyncio.Event()

        async def write() -> None:
            begun.set()
            await on_disk.wait()
            house.step("M")

        async with asyncio.TaskGroup() as tasks:
            for _ in range(5):
                await house.page(BUSY, "a")
            house.steps.clear()
            tasks.create_task(house.shares.run(write(), OTHER, is_move=True))
            await begun.wait()
            waiting = tasks.create_task(house.page(BUSY, "a"))
            await house.page(THIRD, "c")
            assert not waiting.done()
            on_disk.set()

    asyncio.run(job())
    assert house.steps == ["c", "M", "a"]


def test_a_move_that_takes_long_stops_nobody(house: House) -> None:
    async def job() -> None:
        begun = asyncio.Event()

        async def hang() -> None:
            begun.set()
            await asyncio.Event().wait()

        for _ in range(5):
            await house.page(BUSY, "a")
        with patch.object(processor_shares, "HOLD_SECONDS", 0):
            hanging = asyncio.create_task(house.shares.run(hang(), OTHER, is_move=True))
            await begun.wait()
            async with asyncio.timeout(30):
                await house.page(BUSY, "a")
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging

    asyncio.run(job())
    assert len(house.steps) == 6


def test_a_cancelled_request_gives_its_turn_away(house: House) -> None:
    """Cancelled before and while it waits, and when it has got its turn, it cleans up, and the next one comes."""

    async def job() -> None:
        async def clean() -> None:
            try:
                await asyncio.sleep(0)
            finally:
                house.step("c")

        for rounds in range(1, 7):
            first = asyncio.create_task(house.page(BUSY, "a"))
            cancelled = asyncio.create_task(house.shares.run(clean(), OTHER, is_move=False))
            for _ in range(rounds):
                await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.gather(first, cancelled, return_exceptions=True)
            await house.page(THIRD, "b")

    asyncio.run(job())
    assert house.steps.count("a") == house.steps.count("b") == 6


def test_of_a_long_queue_the_end_is_refused() -> None:
    statuses: dict[str, list[int]] = {BUSY: [], OTHER: []}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(shared: Any, address: str) -> None:
        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses[address].append(message["status"])
                assert message["status"] == 200 or (b"retry-after", b"1") in message["headers"]

        await shared({"type": "http", "method": "GET", "client": (address, 1)}, None, send)

    async def job() -> None:
        shared = share_processor(cast(Any, app), ProcessorShares(2))
        await asyncio.gather(*(ask(shared, address) for address in [BUSY] * 5 + [OTHER]))

    asyncio.run(job())
    assert sorted(statuses[BUSY]) == [200, 200, 200, 429, 429]
    assert statuses[OTHER] == [200]


def test_the_neighbours_of_one_household_count_as_one_address() -> None:
    used: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        pass

    async def job() -> None:
        shares = ProcessorShares()
        shared = share_processor(cast(Any, app), shares)
        await shared(cast(Any, {"method": "GET", "client": ("2001:db8::17", 1)}), cast(Any, None), cast(Any, None))
        used.extend(shares.used_seconds(address) > 0 for address in ("2001:db8::", "2001:db8::17"))

    asyncio.run(job())
    assert used == [True, False]


def test_a_crowd_at_a_running_server_waits_in_its_own_queue(tmp_path: Path) -> None:
    """The server is stopped until all their requests have arrived."""
    server = Server(tmp_path, "--limit", "waiting_requests_per_address=3")
    site = urlsplit(server.address)

    def send(address: str) -> socket.socket:
        line = stack.enter_context(socket.create_connection((site.hostname, site.port), source_address=(address, 0)))
        line.sendall(f"GET / HTTP/1.1\r\nHost: {site.netloc}\r\nConnection: close\r\n\r\n".encode())
        return line

    def answer(line: socket.socket) -> bytes:
        return b"".join(iter(lambda: line.recv(1 << 16), b""))

    with ExitStack() as stack:
        stack.callback(server.stop)
        server.process.send_signal(signal.SIGSTOP)
        while Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
            pass
        lines = [send(address) for address in ["127.0.0.2"] * 30 + ["127.0.0.3"]]
        server.process.send_signal(signal.SIGCONT)
        *crowd, neighbour = map(answer, lines)
    assert neighbour.startswith(b"HTTP/1.1 200")
    refused = [reply for reply in crowd if reply.startswith(b"HTTP/1.1 429")]
    assert 0 < len(refused) < len(crowd)
    assert all(b"retry-after: 1" in reply for reply in refused)
