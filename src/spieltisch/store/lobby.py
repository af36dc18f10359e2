"""Lists of the lobby, read from the summaries that are stored with each event."""

from __future__ import annotations

from typing import Final

import msgspec

from spieltisch.store.store import Store, StoredTable

MAX_ROWS: Final = 100
"""The maximum number of tables in one list."""


class PublicTables(msgspec.Struct, frozen=True):
    """The tables that the lobby shows to every visitor: tables with a seat open to anyone, and imported games."""

    open: tuple[StoredTable, ...]
    imported: tuple[StoredTable, ...]


class OwnTables(msgspec.Struct, frozen=True):
    """A person's unfinished tables (those where it is their turn first) and finished tables."""

    unfinished: tuple[StoredTable, ...]
    finished: tuple[StoredTable, ...]


async def public_tables(store: Store) -> PublicTables:
    """Return the lists that are the same for every visitor."""
    free = await store.tables(free=True, limit=MAX_ROWS)
    return PublicTables(free, await store.tables("finished", person="", limit=MAX_ROWS))


async def own_tables(store: Store, person: str) -> OwnTables:
    """Return the lists of a person."""
    unfinished = await store.tables("open", "running", "frozen", person=person, limit=MAX_ROWS)
    finished = await store.tables("finished", "aborted", person=person, limit=MAX_ROWS)
    return OwnTables(tuple(sorted(unfinished, key=lambda table: not table.summary.is_turn_of(person))), finished)


async def count_turns(store: Store, person: str) -> int:
    """Return the number of tables at which it is this person's turn."""
    return sum(
        table.summary.is_turn_of(person) for table in await store.tables("running", person=person, limit=MAX_ROWS)
    )
