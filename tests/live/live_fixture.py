"""Provide the live state of a server with Ada and Ben, a table and moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.store import Person
from spieltisch.store.people import Credential
from spieltisch.store.schema import PEOPLE
from spieltisch.tables import NewTable, Table

ENDING: dict[str, str | bool | int] = {"standstill": "ends"}
"""Options of Paris Connection with which a game ends even if every player plays the first legal move."""
PLAN = NewTable("paris-connection", ("me", "open", "link"), ENDING)
SECONDS = 60.0
Job = Callable[[Live, Person, Person], Awaitable[None]]


def play(path: Path, job: Job, limits: Limits = UNLIMITED) -> None:
    """Run a job on a database file with Ada and Ben."""

    async def main() -> None:
        live = await Live.open(path / "house.sqlite3", limits=limits, features=FEATURES)
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben", "de")
            await asyncio.wait_for(job(live, ada, ben), SECONDS)
        finally:
            await live.close()

    asyncio.run(main())


async def signed_in(live: Live, person: Person) -> str:
    """Return the token of another session of a person."""
    return await live.people.log_in(Credential(person.id, PEOPLE.c.id == person.id, 0.0))


async def running(live: Live, ada: Person, ben: Person) -> Table:
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "bot:easy"), ENDING))
    return await live.tables.run(table.id, tables.sit, ben, by_link=True)


async def move(live: Live, table: Table, picked: int = 0) -> Table:
    """Play the first legal move, or another, for the deciding player."""
    assert table.position is not None
    assert table.to_decide is not None
    moves = table.position.legal_moves
    text = str(moves[min(picked, len(moves) - 1)])
    turn = table.bot_to_move()
    if turn is not None:
        return await live.tables.run(table.id, tables.play_bot_move, turn, text)
    return await live.tables.run(table.id, tables.play, table.seats[table.to_decide].person, text, table.version)


async def to_the_end(live: Live, table: Table, picked: int = 0) -> Table:
    """Play the first legal move, or another (-1: the last), for every seat until the end."""
    while table.status == "running":
        table = await move(live, table, picked)
    return table
