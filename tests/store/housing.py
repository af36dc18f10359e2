"""Houses for tests: Ada and Ben, a table of theirs, moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from spieltisch import tables
from spieltisch.store import House, Person, Plan
from spieltisch.tables import Table

PLAN = Plan("paris-connection", ("me", "open", "link"))
SECONDS = 60.0
Job = Callable[[House, Person, Person], Awaitable[None]]


def play(path: Path, job: Job) -> None:
    """Run a job in a house with Ada and Ben."""

    async def main() -> None:
        house = await House.open(path / "house.sqlite3")
        try:
            ada, _ = await house.arrive("Ada")
            ben, _ = await house.arrive("Ben", "de")
            await asyncio.wait_for(job(house, ada, ben), SECONDS)
        finally:
            await house.close()

    asyncio.run(main())


async def running(house: House, ada: Person, ben: Person) -> Table:
    table = await house.open_table(ada, Plan("paris-connection", ("me", "link", "bot:greedy")))
    return await house.run(table.id, tables.sit, ben, by_link=True)


async def move(house: House, table: Table) -> Table:
    """Whoever decides plays the first legal move."""
    assert table.position is not None
    assert table.to_decide is not None
    text = str(table.position.legal_moves[0])
    turn = table.bot_to_move()
    if turn is not None:
        return await house.run(table.id, tables.bot_moves, turn, text)
    return await house.run(table.id, tables.play, table.seats[table.to_decide].person, text, table.version)
