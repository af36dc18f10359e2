"""Check that the event loop is shared fairly between addresses."""

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
from tests.web.servers import Server

BUSY, OTHER, THIRD = "192.0.2.1", "192.0.2.2", "192.0.2.3"
STEP_SECONDS = BUDGET_SECONDS / 2.5
Job = Coroutine[Any, Any, None]


class SimulatedServer:
    """A server with a simulated processor whose requests record their steps."""

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
        """Serve requests that arrive together in this order, and return the names of their steps."""

        async def run_server() -> None:
            await asyncio.gather(*jobs)

        asyncio.run(run_server())
        return "".join(self.steps)


@pytest.fixture
def simulated_server() -> SimulatedServer:
    return SimulatedServer()


def test_two_addresses_are_served_in_turn(simulated_server: SimulatedServer) -> None:
    count, few_requests = (
        [simulated_server.page(BUSY, "a") for _ in range(6)],
        [simulated_server.page(OTHER, "b") for _ in range(3)],
    )
    assert simulated_server.serve(*count, *few_requests) == "abababaaa"


def test_other_addresses_are_served_in_pauses_of_rendering_a_long_page(simulated_server: SimulatedServer) -> None:
    assert simulated_server.serve(simulated_server.page(BUSY, "a", 4), simulated_server.page(OTHER, "b", 2)) == "ababaa"


def test_pages_for_one_address_are_rendered_one_after_another(simulated_server: SimulatedServer) -> None:
    assert simulated_server.serve(simulated_server.page(BUSY, "a", 3), simulated_server.page(BUSY, "b", 2)) == "aaabb"


def test_a_move_overtakes_the_queue_of_another_address(simulated_server: SimulatedServer) -> None:
    count, few_requests = (
        [simulated_server.page(BUSY, "a") for _ in range(3)],
        [simulated_server.page(OTHER, "b") for _ in range(2)],
    )
    assert simulated_server.serve(*count, *few_requests, simulated_server.move(OTHER, "M")) == "aMabab"


def test_a_move_of_a_busy_address_overtakes_no_other_address(simulated_server: SimulatedServer) -> None:
    simulated_server.serve(*(simulated_server.page(BUSY, "a") for _ in range(4)))
    simulated_server.steps.clear()
    pages = [simulated_server.page(OTHER, "b", 2), simulated_server.page(THIRD, "c")]
    assert simulated_server.serve(*pages, *(simulated_server.move(BUSY, "M") for _ in range(2))) == "bcbMM"


def test_pages_of_a_busy_address_wait_while_a_move_of_that_address_waits_for_the_disk(
    simulated_server: SimulatedServer,
) -> None:
    async def job() -> None:
        on_disk, has_begun = asyncio.Event(), asyncio.Event()

        async def write() -> None:
            has_begun.set()
            await on_disk.wait()
            simulated_server.step("M")

        async with asyncio.TaskGroup() as tasks:
            for _ in range(5):
                await simulated_server.page(BUSY, "a")
            simulated_server.steps.clear()
            tasks.create_task(simulated_server.shares.run(write(), OTHER, is_move=True))
            await has_begun.wait()
            waiting_request = tasks.create_task(simulated_server.page(BUSY, "a"))
            await simulated_server.page(THIRD, "c")
            assert not waiting_request.done()
            on_disk.set()

    asyncio.run(job())
    assert simulated_server.steps == ["c", "M", "a"]


def test_a_slow_move_blocks_no_other_request(simulated_server: SimulatedServer) -> None:
    async def job() -> None:
        has_begun = asyncio.Event()

        async def hang() -> None:
            has_begun.set()
            await asyncio.Event().wait()

        for _ in range(5):
            await simulated_server.page(BUSY, "a")
        with patch.object(processor_shares, "HOLD_SECONDS", 0):
            hanging = asyncio.create_task(simulated_server.shares.run(hang(), OTHER, is_move=True))
            await has_begun.wait()
            async with asyncio.timeout(30):
                await simulated_server.page(BUSY, "a")
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging

    asyncio.run(job())
    assert len(simulated_server.steps) == 6


def test_a_cancelled_request_passes_its_turn_to_the_next_request(simulated_server: SimulatedServer) -> None:
    """The request is cancelled before it waits, while it waits, or when its turn has come."""

    async def job() -> None:
        async def clean() -> None:
            try:
                await asyncio.sleep(0)
            finally:
                simulated_server.step("c")

        for rounds in range(1, 7):
            first = asyncio.create_task(simulated_server.page(BUSY, "a"))
            cancelled = asyncio.create_task(simulated_server.shares.run(clean(), OTHER, is_move=False))
            for _ in range(rounds):
                await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.gather(first, cancelled, return_exceptions=True)
            await simulated_server.page(THIRD, "b")

    asyncio.run(job())
    assert simulated_server.steps.count("a") == simulated_server.steps.count("b") == 6


def test_requests_beyond_the_queue_limit_are_refused() -> None:
    statuses: dict[str, list[int]] = {BUSY: [], OTHER: []}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send_request(shared: Any, address: str) -> None:
        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses[address].append(message["status"])
                assert message["status"] == 200 or (b"retry-after", b"1") in message["headers"]

        await shared({"type": "http", "method": "GET", "client": (address, 1)}, None, send)

    async def job() -> None:
        shared = share_processor(cast(Any, app), ProcessorShares(2))
        await asyncio.gather(*(send_request(shared, address) for address in [BUSY] * 5 + [OTHER]))

    asyncio.run(job())
    assert sorted(statuses[BUSY]) == [200, 200, 200, 429, 429]
    assert statuses[OTHER] == [200]


def test_all_ipv6_addresses_of_a_household_count_as_one() -> None:
    turn_results: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        pass

    async def job() -> None:
        shares = ProcessorShares()
        shared = share_processor(cast(Any, app), shares)
        await shared(cast(Any, {"method": "GET", "client": ("2001:db8::17", 1)}), cast(Any, None), cast(Any, None))
        turn_results.extend(shares.used_seconds(address) > 0 for address in ("2001:db8::", "2001:db8::17"))

    asyncio.run(job())
    assert turn_results == [True, False]


def test_many_requests_of_one_address_wait_in_a_separate_queue_of_a_running_server(tmp_path: Path) -> None:
    """The server is suspended until all requests have arrived."""
    server = Server(tmp_path, "--limit", "waiting_requests_per_address=3")
    site = urlsplit(server.address)

    def send_request(address: str) -> socket.socket:
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
        lines = [send_request(address) for address in ["127.0.0.2"] * 90 + ["127.0.0.3"]]
        server.process.send_signal(signal.SIGCONT)
        *crowd, neighbour = map(answer, lines)
    assert neighbour.startswith(b"HTTP/1.1 200")
    refusals = [reply for reply in crowd if reply.startswith(b"HTTP/1.1 429")]
    assert 0 < len(refusals) < len(crowd)
    assert all(b"retry-after: 1" in reply for reply in refusals)
