"""Check that clocks of tables pause only while no process runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import update

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.store.schema import LEASES
from spieltisch.tables import ClockPaused, Table
from tests.live.hand_set_clocks import Clocks, open_running_table
from tests.live.live_fixture import SECONDS, move
from tests.postgres import Server

pytestmark = pytest.mark.postgresql


@asynccontextmanager
async def process(url: str, hands: Clocks) -> AsyncIterator[Live]:
    live = await Live.open(
        url, clock=lambda: hands.wall, steady=lambda: hands.steady, features=FEATURES, is_shared=True
    )
    try:
        await live.tables.replaying
        yield live
    finally:
        await live.close()


def pauses(table: Table) -> list[ClockPaused]:
    return [event.event for event in table.events if isinstance(event.event, ClockPaused)]


def play(url: str, job: Callable[[Live, Live, Clocks, Person, Person], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        hands = Clocks()
        async with process(url, hands) as first, process(url, hands) as second:
            people = [(await first.people.create(name))[0] for name in ("Ada", "Ben")]
            await asyncio.wait_for(job(first, second, hands, *people), SECONDS)

    asyncio.run(main())


async def move_leases(live: Live, *, began_later_by: float = 0.0, ended_later_by: float = 0.0) -> None:
    """Move the start and the last renewal of all processes into the past by these seconds."""
    moved_leases = update(LEASES).values(since=LEASES.c.since - began_later_by, until=LEASES.c.until - ended_later_by)
    await live.store.write(lambda connection: connection.execute(moved_leases))


def test_a_process_suspended_while_another_runs_pauses_no_game_clock(postgres: Server) -> None:
    async def job(first: Live, second: Live, hands: Clocks, ada: Person, ben: Person) -> None:
        table = await open_running_table(first, ada, ben)
        await move_leases(second, began_later_by=300)
        hands.run(120)
        table = await move(first, table)
        assert pauses(table) == []
        assert not first.clock.doubtful

    play(postgres.schema(), job)


def test_game_clocks_of_all_processes_pause_while_every_process_is_suspended(postgres: Server) -> None:
    async def job(first: Live, second: Live, hands: Clocks, ada: Person, ben: Person) -> None:
        table, other_table = [await open_running_table(first, ada, ben) for _ in range(2)]
        slept_from = hands.wall
        await second.tables.get(other_table.id)
        await move_leases(second, began_later_by=300, ended_later_by=300)
        hands.run(120)
        table = await move(first, table)
        assert pauses(table) == [ClockPaused(since=slept_from)]
        hands.run(1)
        table = await move(second, table)
        assert len(pauses(table)) == 1, "it is recorded once"
        assert pauses(await move(second, other_table)) == [ClockPaused(since=slept_from)]

    play(postgres.schema(), job)
