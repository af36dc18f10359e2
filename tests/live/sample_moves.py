"""Moves of one kind, for tests: the moves that a player may plan, and one that is played."""

from __future__ import annotations

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.tables.planning import draft


def offered(table: Table, person: str, kind: str = "trade") -> list[str]:
    return [str(move) for move in draft(table, person, []).position.legal_moves if move.kind == kind]


async def trade(live: Live, table: Table, kind: str = "trade") -> Table:
    """Whoever decides plays the first legal move of a kind."""
    assert table.position is not None
    assert table.to_decide is not None
    text = next(str(move) for move in table.position.legal_moves if move.kind == kind)
    person = table.seats[table.to_decide].person
    return await live.tables.run(table.id, tables.play, person, text, table.version)
