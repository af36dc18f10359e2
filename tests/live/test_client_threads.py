"""Check that work in threads is shared fairly between addresses."""

from __future__ import annotations

import asyncio
import threading
from unittest.mock import patch

import pytest

from spieltisch.live import client_threads
from spieltisch.live.client_threads import CLIENT, run_in_thread
from spieltisch.live.fair_queue import FairQueue


def test_each_address_has_a_separate_thread_queue() -> None:
    now, done_requests, may_begin = 0.0, list[str](), threading.Event()

    def work(name: str) -> None:
        nonlocal now
        may_begin.wait()
        now += 1
        done_requests.append(name)

    async def request_name(address: str) -> None:
        CLIENT.set(address)
        await run_in_thread(work, address)

    async def job() -> None:
        asking = [asyncio.create_task(request_name(address)) for address in ("busy", "busy", "busy", "other")]
        await asyncio.sleep(0)  # all of them run until they wait
        may_begin.set()
        await asyncio.gather(*asking)

    with patch.object(client_threads, "_QUEUE", FairQueue(1, lambda: now)):
        asyncio.run(job())
    assert done_requests == ["busy", "other", "busy", "busy"]


def test_an_error_in_a_thread_is_raised_for_the_caller() -> None:
    def fail() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        asyncio.run(run_in_thread(fail))
    assert asyncio.run(run_in_thread(lambda number: number + 1, 1)) == 2
