"""Loading of a stored table by replaying its events, and the form in which they are stored."""

from collections.abc import Callable, Iterable, Sequence

from spieltisch import tables
from spieltisch.core.setup import Setup
from spieltisch.live.client_threads import run_in_thread
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.store import NoSuchTable, Store, StoredEvent
from spieltisch.tables import Opened, RecordedEvent, Table


async def load_table(store: Store, library: ComponentLibrary, table_id: str) -> Table:
    """Load the events of a table and replay them. Moves may replay differently now; see `tables.fold`.

    Raise `NoSuchTable`, or ValueError if the events do not make a table.
    """
    stored = await store.events(table_id)
    if not stored:
        raise NoSuchTable(table_id)
    return await fold_events(store, library, table_id, await run_in_thread(decode_events, stored))


async def fold_events(
    store: Store, library: ComponentLibrary, table_id: str, recorded_events: Sequence[RecordedEvent]
) -> Table:
    """Return the table made from these events.

    Raise as `load_table`.
    """
    setup = await _setup(library, recorded_events[0])
    return await run_in_thread(tables.fold, table_id, await store.secret(table_id), recorded_events, setup)


def decode_events(stored: Sequence[StoredEvent]) -> list[RecordedEvent]:
    """Return the decoded events.

    Raise ValueError if one is invalid.
    """
    return [RecordedEvent(stored_event.version, stored_event.at, _event(stored_event)) for stored_event in stored]


def _event(stored: StoredEvent) -> tables.Event:
    try:
        return tables.decode(stored.data)
    except ValueError as error:
        raise ValueError(f"event {stored.version}: {error}") from error


async def _setup(library: ComponentLibrary, first: RecordedEvent) -> Callable[[Opened], Setup]:
    """Return the function that `fold` needs, with its result prepared.

    `fold` runs in a thread, and the library can only be awaited in the loop.
    """
    if not isinstance(first.event, Opened):
        raise ValueError(f"event {first.version} is not the opening of a table")
    try:
        setup = await library.setup(first.event)
    except ValueError as error:
        reason = error

        def missing(opened: Opened) -> Setup:
            raise reason

        return missing
    return lambda opened: setup


def encode_events(recorded_events: Iterable[RecordedEvent]) -> list[tuple[float, bytes]]:
    """Return events as the store takes them: their time and their JSON."""
    return [(recorded.at, tables.encode(recorded.event)) for recorded in recorded_events]
