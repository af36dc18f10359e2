"""A table whose newest events are gone: the file came back older than it was."""

from __future__ import annotations

from spieltisch.tables.events import Event, EventsLost
from spieltisch.tables.table import Table


def report_lost_events(table: Table, noted: int) -> tuple[Event, ...]:
    """Say that this table once had version `noted`; nothing where that is known, and its version newer, already.

    >>> from types import SimpleNamespace
    >>> [event.count for event in report_lost_events(SimpleNamespace(version=7), 9)]
    [2, 0, 0]
    """
    steps = noted - table.version
    return (EventsLost(count=steps), *[EventsLost()] * steps) if steps > 0 else ()
