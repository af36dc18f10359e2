"""The lists of the lobby, read from the summaries that are stored with every event."""

from __future__ import annotations

from typing import Final

import msgspec

from spieltisch.store.store import Store, StoredTable

MAX_ROWS: Final = 100
"""The most tables in one list."""


class PublicTables(msgspec.Struct, frozen=True):
    """What the lobby shows to everybody: tables with a seat free to all, and those that were read in from records."""

    open: tuple[StoredTable, ...]
    imported: tuple[StoredTable, ...]


class OwnTables(msgspec.Struct, frozen=True):
    """A person's tables that are not over (where it is their turn first), and those that are."""

    unfinished: tuple[StoredTable, ...]
    finished: tuple[StoredTable, ...]


async def public_tables(store: Store) -> PublicTables:
    """Return the lists that are the same for everybody."""
    free = await store.tables(free=True, limit=MAX_ROWS)
    return PublicTables(free, await store.tables("finished", person="", limit=MAX_ROWS))


async def own_tables(store: Store, person: str) -> OwnTables:
    """Return the lists of a person."""
    unfinished = await store.tables("open", "running", "frozen", person=person, limit=MAX_ROWS)
    finished = await store.tables("finished", "aborted", person=person, limit=MAX_ROWS)
    return OwnTables(tuple(sorted(unfinished, key=lambda one: not one.summary.is_turn_of(person))), finished)


async def count_turns(store: Store, person: str) -> int:
    """At how many tables it is this person's turn."""
    return sum(one.summary.is_turn_of(person) for one in await store.tables("running", person=person, limit=MAX_ROWS))
