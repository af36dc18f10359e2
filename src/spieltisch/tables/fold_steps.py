"""Steps shared by the functions that apply events: the choice by the kind of event, a changed seat, a log entry."""

from dataclasses import replace
from functools import singledispatch
from typing import Any

import msgspec

from spieltisch.core.words import Message
from spieltisch.tables import events as e
from spieltisch.tables import log
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import Seat


@singledispatch
def apply_event(event: Any, table: Table, recorded: e.RecordedEvent) -> Table:
    """Return the table after an event. Raise ValueError if no event of this kind can stand there."""
    raise ValueError(f"event {recorded.version} of table {table.id} cannot stand there: {event!r}")


def with_seat(table: Table, number: int, **changes: Any) -> Table:
    """Return the table with these changes of a seat."""
    seat: Seat = msgspec.structs.replace(table.seats[number], **changes)
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def with_log_entry(table: Table, recorded: e.RecordedEvent, words: Message) -> Table:
    """Return the table with a line in its log."""
    seat = getattr(recorded.event, "seat", None)
    return replace(
        table, log_entries=(*table.log_entries, log.LogEntry(recorded.version, recorded.at, seat, words, table.names))
    )
