"""Provide the insides of two servers on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import psycopg

from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import Person
from tests.live.live_fixture import SECONDS

Job = Callable[[Live, Live, Person, Person], Awaitable[None]]


@asynccontextmanager
async def opened(url: str, clock: Callable[[], float] = time.time) -> AsyncIterator[Live]:
    live = await Live.open(url, clock=clock, features=FEATURES, is_shared=True, guard=SsrfGuard(private=True))
    try:
        await live.tables.replaying
        yield live
    finally:
        await live.close()


def run_in_two_servers(url: str, job: Job, first_clock: Callable[[], float] = time.time) -> None:
    """Run a job with two `Live` objects on one database, and with Ada and Ben."""

    async def main() -> None:
        async with AsyncExitStack() as stack:
            first, second = [await stack.enter_async_context(opened(url, clock)) for clock in (first_clock, time.time)]
            ada, _ = await first.people.create("Ada")
            ben, _ = await first.people.create("Ben", "de")
            await asyncio.wait_for(job(first, second, ada, ben), SECONDS)

    asyncio.run(main())


async def until_in_memory(live: Live, table_id: str, version: int) -> None:
    """Wait until a process has this version of a table in memory."""

    def is_known() -> bool:
        table_in_memory = live.tables._tables.peek(table_id)
        return table_in_memory is not None and table_in_memory.version == version

    await until(is_known)


async def until(is_done: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    while not is_done():
        await asyncio.sleep(0.002)  # there is nothing else to wait for: notices come from another process


def end_listening(url: str) -> None:
    """End the connections on which processes receive notices."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT (extract(epoch%'"
        )
