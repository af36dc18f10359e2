"""A stored table played again from its events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from spieltisch import tables
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.store import NoSuchTable, Store, StoredEvent
from spieltisch.tables import Opened, RecordedEvent, Table


async def load_table(store: Store, library: ComponentLibrary, table_id: str) -> Table:
    """The table as its events make it. It may come out differently; see `tables.fold`.

    Raises `NoSuchTable`, and ValueError for events that are those of no table.
    """
    stored = await store.events(table_id)
    if not stored:
        raise NoSuchTable(table_id)
    return await fold_events(store, library, table_id, await asyncio.to_thread(decode_events, stored))


async def fold_events(
    store: Store, library: ComponentLibrary, table_id: str, written: Sequence[RecordedEvent]
) -> Table:
    """The table as these events make it. Raises as `replay`."""
    setup = await _setup(library, written[0])
    return await asyncio.to_thread(tables.fold, table_id, await store.secret(table_id), written, setup)


def decode_events(stored: Sequence[StoredEvent]) -> list[RecordedEvent]:
    """Events as they are in the store. Raises ValueError for what is none."""
    return [RecordedEvent(one.version, one.at, _event(one)) for one in stored]


def _event(stored: StoredEvent) -> tables.Event:
    try:
        return tables.decode(stored.data)
    except ValueError as problem:
        raise ValueError(f"event {stored.version}: {problem}") from problem


async def _setup(library: ComponentLibrary, first: RecordedEvent) -> Callable[[Opened], Setup]:
    """What `fold` asks for, found beforehand: it plays on a thread, and the library waits in the loop."""
    if not isinstance(first.event, Opened):
        raise ValueError(f"event {first.version} is not the opening of a table")
    try:
        found = await library.setup(first.event)
    except ValueError as problem:
        reason = problem

        def missing(opened: Opened) -> Setup:
            raise reason

        return missing
    return lambda opened: found
