"""Events lost because the database file was replaced by an older one."""

from __future__ import annotations

from spieltisch.tables.events import Event, EventsLost
from spieltisch.tables.table import Table


def report_lost_events(table: Table, noted: int) -> tuple[Event, ...]:
    """Return the events that report a loss if the table once had version `noted`; nothing if it has none.

    There is nothing to report either if the loss has been reported, since the version is newer then.

    >>> from types import SimpleNamespace
    >>> [event.count for event in report_lost_events(SimpleNamespace(version=7), 9)]
    [2, 0, 0]
    """
    lost = noted - table.version
    return (EventsLost(count=lost), *[EventsLost()] * lost) if lost > 0 else ()
