"""Provide a server's inside whose bots play without pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from spieltisch import bots
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns, Choose
from spieltisch.store import Person
from spieltisch.tables import Table

SECONDS = 180.0


def play(
    path: Path,
    job: Callable[[Live, Person, BotTurns], Awaitable[None]],
    choose: Choose = bots.choose_turn,
) -> None:
    async def main() -> None:
        live = await Live.open(path / "house.sqlite3", features=FEATURES)
        ada, _ = await live.people.create("Ada")
        turns = BotTurns(live, choose=choose, pace=0, first_pause=0.02, seconds_to_think=SECONDS)
        await live.start(turns.running())
        try:
            await asyncio.wait_for(job(live, ada, turns), SECONDS)
        finally:
            await live.close()
        assert turns.workers.processes == ()

    asyncio.run(main())


async def until(live: Live, table: Table, is_reached: Callable[[Table], bool]) -> Table:
    """Wait until a condition on the table is true."""
    loop = asyncio.get_running_loop()
    reached_table: asyncio.Future[Table] = loop.create_future()

    def check_table(now: Table) -> None:
        if is_reached(now) and not reached_table.done():
            reached_table.set_result(now)

    leave = live.tables.subscribe(table.id, check_table)
    check_table(await live.tables.get(table.id))
    try:
        return await reached_table
    finally:
        leave()
