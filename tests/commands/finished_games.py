"""Provide finished games: at a table of a server, and as a record."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from spieltisch import Record, game, tables
from spieltisch.core.components import Components
from spieltisch.core.position import Position
from spieltisch.core.record import RecordedMove
from spieltisch.live import Live
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable


def played(data: Path) -> str:
    """Open a table of three people and play its game to the end; return its path."""

    async def main() -> str:
        live = await Live.open(data / DATABASE)
        try:
            people = {
                person.id: person for person in [(await live.people.create(name))[0] for name in ("Ada", "Ben", "Cid")]
            }
            ada, ben, cid = people.values()
            plan = NewTable("paris-connection", ("me", "open", "open"), {"standstill": "ends"})
            table = await live.tables.open(ada, plan)
            for person in (ben, cid):
                table = await live.tables.run(table.id, tables.sit, person)
            while table.position is not None and table.to_decide is not None:
                move = str(table.position.legal_moves[0])
                deciding_person = table.seats[table.to_decide].person
                table = await live.tables.run(table.id, tables.play, deciding_person, move, table.version)
            return f"/table/{table.id}"
        finally:
            await live.close()

    return asyncio.run(main())


def simulated(seed: int, components: Components[Any] | None = None) -> Record:
    """Return the record of a simulated game, without a secret."""
    chance = random.Random(seed)
    position = Position.start(game("paris-connection").setup(3, components), seed=seed)
    plays: list[RecordedMove] = []
    while not position.is_over:
        move = position.play(chance.choice(list(position.legal_moves)))
        plays.append(RecordedMove(move.seat, move.move.text, move.drew))
    return Record.of(position, plays, players=("A", "B", "C"), seed=seed)
