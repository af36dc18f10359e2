"""The rows of a table: its events, its summary, and the tables that are derived from the summary."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update

from spieltisch.store.alert_queue import queue_seat_alerts, queue_turn_alerts
from spieltisch.store.errors import NoSuchTable, StaleVersion
from spieltisch.store.result_rows import forget_result
from spieltisch.store.schema import EVENTS, LOBBY_ENTRIES, RESULTS, SEAT_HOLDERS, TABLES
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import TableSummary

SUMMARY: Final = msgspec.json.Decoder(TableSummary)
"""The decoder of summaries.

It is made once, like all decoders here: msgspec 0.22 crashes if two threads use a type of `decode(type=)` for the first
time at the same moment.
"""
UPLOADED_PREFIX: Final = "brought-"
"""The prefix of the ids of games that visitors uploaded."""
STORED_TABLE: Final = tuple(
    TABLES.c[name] for name in ("id", "game", "host", "created", "changed", "version", "summary", "origin")
)
"""The columns of a `StoredTable`."""
ACTIVE_STATUSES: Final = ("open", "running")
"""The states of unfinished tables; a frozen table is over, because no one can play there or leave it."""


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as stored in the file: its version (1, 2, 3, ...), its time (UTC seconds), its JSON."""

    version: int
    at: float
    data: bytes


class StoredTable(msgspec.Struct, frozen=True):
    """A table as listed in the lobby."""

    id: str
    game: str
    host: str
    created: float
    changed: float
    version: int
    summary: TableSummary
    address_hash: bytes | None = None
    """The keyed hash of the address that opened the table; None if the table is over or the address is unknown."""

    @property
    def status(self) -> str:
        """The status: `open`, `running`, `finished`, `aborted` or `frozen`."""
        return self.summary.status


def append_events(
    connection: Connection, table_id: str, expected: int, events: Iterable[tuple[float, bytes]], summary: TableSummary
) -> int:
    """Do the work of `Store.append` inside a transaction; without events only the summary is stored."""
    query = select(TABLES.c.version, TABLES.c.changed, TABLES.c.summary).where(TABLES.c.id == table_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NoSuchTable(table_id)
    version, changed, earlier_summary = row
    if version != expected:
        raise StaleVersion(table_id, expected, version)
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "version": number, "at": at, "data": data}
        for number, (at, data) in enumerate(events, expected + 1)
    ]
    if rows:
        connection.execute(insert(EVENTS), rows)
    new = {"version": expected + len(rows), **summary_columns(summary, rows[-1]["at"] if rows else changed)}
    result = select(RESULTS.c.table_id).where(RESULTS.c.table_id == table_id).exists()
    uncounted = ~result if summary.status == "finished" else 0
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(**new, uncounted=uncounted))
    connection.execute(delete(SEAT_HOLDERS).where(SEAT_HOLDERS.c.table_id == table_id))
    holders = [
        {"table_id": table_id, "seat": number, "person": device_owner(seat.person)}
        for number, seat in enumerate(summary.seats)
        if seat.person
    ]
    if holders:
        connection.execute(insert(SEAT_HOLDERS), holders)
    connection.execute(delete(LOBBY_ENTRIES).where(LOBBY_ENTRIES.c.table_id == table_id))
    entries = [
        {"person": person, "section": summary.section_of(person), "recency": -new["changed"], "table_id": table_id}
        for person in summary.people
    ]
    if entries:
        connection.execute(insert(LOBBY_ENTRIES), entries)
    before = SUMMARY.decode(earlier_summary) if version else None
    if summary.status == "frozen":
        forget_result(connection, table_id)
    at = new["changed"]
    queue_turn_alerts(connection, table_id, new["version"], at, before.waiting_for if before else "", summary)
    if before and summary.dispossessed:
        queue_seat_alerts(connection, table_id, new["version"], before, summary)
    return expected + len(rows)


def summary_columns(summary: TableSummary, at: float) -> dict[str, Any]:
    """Return the columns of a table that its summary and the time of its last event determine."""
    encoded = msgspec.json.encode(summary)
    values = {
        "changed": at,
        "status": summary.status,
        "host": summary.host,
        "summary": encoded,
        "deadline": summary.deadline,
        "free_seats": summary.free_seats,
    }
    return values if summary.status in ACTIVE_STATUSES else {**values, "origin": None}


def stored_table(row: Row[*tuple[Any, ...]]) -> StoredTable:
    """Return the table of a row with the columns `STORED_TABLE`."""
    table_id, game, host, created, changed, version, summary, origin = row
    decoded = SUMMARY.decode(summary)
    return StoredTable(table_id, game, host, created, changed, version, decoded, origin)
