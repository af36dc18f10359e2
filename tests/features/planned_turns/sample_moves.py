"""Provide moves of one kind that a player may plan or play."""

from __future__ import annotations

from spieltisch import tables
from spieltisch.features.planned_turns.commands import draft
from spieltisch.live import Live
from spieltisch.tables import Table


def offered(table: Table, person: str, kind: str = "trade") -> list[str]:
    return [str(move) for move in draft(table, person, []).position.legal_moves if move.kind == kind]


async def trade(live: Live, table: Table, kind: str = "trade") -> Table:
    """Play the first legal move of a kind for the deciding player."""
    assert table.position is not None
    assert table.to_decide is not None
    text = next(str(move) for move in table.position.legal_moves if move.kind == kind)
    person = table.seats[table.to_decide].person
    return await live.tables.run(table.id, tables.play, person, text, table.version)
