"""The lists of the lobby, read from the summaries that are stored with every event."""

from __future__ import annotations

from typing import Final

import msgspec

from spieltisch.store.store import Store, StoredTable

LONGEST: Final = 100
"""The most tables in one list."""


class Lobby(msgspec.Struct, frozen=True):
    """The person's tables that are not over (where it is their turn first), tables with a seat free to all, tables
    of theirs that are over, and those that were read in from records.
    """

    mine: tuple[StoredTable, ...]
    open: tuple[StoredTable, ...]
    finished: tuple[StoredTable, ...]


async def lobby(store: Store, person: str | None) -> Lobby:
    """The lists for a person; for somebody unknown only what is nobody's."""
    free = await store.tables(free=True, limit=LONGEST)
    imported = await store.tables("finished", person="", limit=LONGEST)
    if person is None:
        return Lobby((), free, imported)
    mine = await store.tables("open", "running", "frozen", person=person, limit=LONGEST)
    finished = await store.tables("finished", "aborted", person=person, limit=LONGEST)
    turns_first = tuple(sorted(mine, key=lambda one: not one.summary.my_turn(person)))
    others = tuple(one for one in free if one.summary.seat_of(person) is None and one.host != person)
    return Lobby(turns_first, others, (*finished, *imported))


async def turns(store: Store, person: str) -> int:
    """At how many tables it is this person's turn."""
    return sum(one.summary.my_turn(person) for one in await store.tables("running", person=person, limit=LONGEST))
