"""Overlap transactions of two processes on a PostgreSQL database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any

import pytest
from sqlalchemy import Connection, text

from spieltisch.live import Live

IS_AWAITED = text("SELECT count(*) FROM pg_stat_activity WHERE :process = ANY(pg_blocking_pids(pid))")


async def overlapping(
    live: Live, first_work: Coroutine[Any, Any, Any], second_work: Coroutine[Any, Any, Any]
) -> list[object]:
    """Return the results or errors of two jobs that run at once.

    The first job commits only when the second job waits for it or has ended.
    """
    loop, may_commit = asyncio.get_running_loop(), threading.Event()
    has_run: asyncio.Future[int] = loop.create_future()
    submit, has_begun = live.store._writer.submit, list[bool]()

    def held(job: Any, *arguments: Any) -> Any:
        if has_begun or asyncio.current_task() is not first:
            return submit(job, *arguments)
        has_begun.append(True)

        def hold(connection: Connection) -> Any:
            result = job(connection)
            process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            loop.call_soon_threadsafe(has_run.set_result, process)
            may_commit.wait()
            return result

        return submit(hold, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live.store._writer, "submit", held)
        first = asyncio.create_task(first_work)
        process = await has_run
    try:
        second = asyncio.create_task(second_work)
        while not second.done() and not await is_awaited(live, process):
            await asyncio.sleep(0.002)  # there is nothing else to wait for: PostgreSQL tells no one who waits
    finally:
        may_commit.set()
    return list[object](await asyncio.gather(first, second, return_exceptions=True))


async def is_awaited(live: Live, process: int) -> bool:
    """Return True if another transaction waits for this database process."""
    return bool(await live.store.read(lambda connection: connection.execute(IS_AWAITED, {"process": process}).scalar()))
