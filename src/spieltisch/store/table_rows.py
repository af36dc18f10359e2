"""The rows of a table: its events, its summary, and the tables that are derived from the summary."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection, Integer, Row, bindparam, case, cast, delete, insert, select, update

from spieltisch.store.errors import NoSuchTable, StaleVersion
from spieltisch.store.hooks import Appended, Hooks
from spieltisch.store.result_rows import forget_result
from spieltisch.store.schema import EVENTS, LOBBY_ENTRIES, RESULTS, SEAT_HOLDERS, TABLES
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import Section, TableSummary

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

MOVE_LOBBY_ENTRIES: Final = (
    update(LOBBY_ENTRIES)
    .where(LOBBY_ENTRIES.c.table_id == bindparam("of_table"))
    .values(
        recency=bindparam("last_change"),
        section=case((LOBBY_ENTRIES.c.person == bindparam("mover"), int(Section.TURN)), else_=bindparam("others")),
    )
)
"""Moves the entries of a table to the top of their sections: of `mover` to the turns, of all `others` to this section.

Built once, because that takes longer than running it.
"""
ExtraWrite: TypeAlias = Callable[[Connection], object]
"""A write in the same transaction as the events of a table."""


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

    def seen_by(self, person: str) -> "StoredTable":
        """Return the table as this person may know it: without the progress of a game that is hidden from them."""
        if not self.summary.hides_progress_from(person):
            return self
        summary = self.summary.seen_by(person)
        return msgspec.structs.replace(self, changed=self.created, version=0, summary=summary)


def require_table(connection: Connection, table_id: str) -> None:
    """Raise `NoSuchTable` if a table is gone; from now on no other process changes or removes it, or requires it.

    That lasts until this transaction ends.
    """
    query = select(TABLES.c.id).where(TABLES.c.id == table_id).with_for_update(key_share=True)
    if connection.execute(query).first() is None:
        raise NoSuchTable(table_id)


def append_events(
    connection: Connection,
    hooks: Hooks,
    table_id: str,
    expected: int,
    events: Iterable[tuple[float, bytes]],
    summary: TableSummary,
    also: Iterable[ExtraWrite] = (),
) -> int:
    """Do the work of `Store.append` inside a transaction; without events only the summary is stored."""
    people = sorted(summary.people)
    row = connection.execute(hooks.earlier, {"table_id": table_id, "people": people}).one_or_none()
    if row is None:
        raise NoSuchTable(table_id)
    version, changed, earlier_summary, *are_called = row
    if version != expected:
        raise StaleVersion(table_id, expected, version)
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "version": number, "at": at, "data": data}
        for number, (at, data) in enumerate(events, expected + 1)
    ]
    if rows:
        connection.execute(insert(EVENTS), rows)
    new = {"version": expected + len(rows), **summary_columns(summary, rows[-1]["at"] if rows else changed)}
    before = SUMMARY.decode(earlier_summary) if version else None
    result = select(RESULTS.c.table_id).where(RESULTS.c.table_id == table_id).exists()
    # A result that is no longer withheld is stored again, because it counts for ratings from now on.
    is_revealed = before is not None and before.is_withheld and not summary.is_withheld
    uncounted = (1 if is_revealed else cast(~result, Integer)) if summary.status == "finished" else 0
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(**new, uncounted=uncounted))
    extra_writes = tuple(also)
    for write in extra_writes:
        write(connection)
    appended = Appended(table_id, new["version"], new["changed"], [row["data"] for row in rows])
    for hook in (_store_seat_holders, _store_lobby_entries, _forget_result_of_frozen):
        hook(connection, before, summary, appended)
    for feature_hook, is_called in zip(hooks.on_append, are_called, strict=True):
        if is_called or extra_writes:  # these may have stored its first row
            feature_hook(connection, before, summary, appended)
    return appended.version


def _store_seat_holders(
    connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended
) -> None:
    if before is not None and before.seats == after.seats:
        return
    holders = _seat_holders(after)
    connection.execute(delete(SEAT_HOLDERS).where(SEAT_HOLDERS.c.table_id == appended.table_id))
    if holders:
        rows = [{"table_id": appended.table_id, "seat": seat, "person": person} for seat, person in holders]
        connection.execute(insert(SEAT_HOLDERS), rows)


def _seat_holders(summary: TableSummary) -> list[tuple[int, str]]:
    """Return the seats with their people; one that is only kept for a person counts for no quota of theirs."""
    people = ((number, seat) for number, seat in enumerate(summary.seats) if seat.person and seat.kind != "reserved")
    return [(number, device_owner(seat.person)) for number, seat in people]


def _store_lobby_entries(
    connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended
) -> None:
    table_id, recency = appended.table_id, -appended.at
    if before is not None and (before.host, before.seats) == (after.host, after.seats):
        moved = MOVE_LOBBY_ENTRIES
        if after.watch_delay:
            moved = moved.where(LOBBY_ENTRIES.c.person.not_in([*filter(after.hides_progress_from, after.people)]))
        connection.execute(
            moved,
            {"of_table": table_id, "last_change": recency, "mover": after.waiting_for, "others": after.section_of("")},
        )
        return
    connection.execute(delete(LOBBY_ENTRIES).where(LOBBY_ENTRIES.c.table_id == table_id))
    entries = [
        {"person": person, "section": after.section_of(person), "recency": recency, "table_id": table_id}
        for person in after.people
    ]
    if entries:
        connection.execute(insert(LOBBY_ENTRIES), entries)


def _forget_result_of_frozen(
    connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended
) -> None:
    if after.status == "frozen" and (before is None or before.status != "frozen"):
        forget_result(connection, appended.table_id)


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
    return values if summary.status in ACTIVE_STATUSES or summary.is_suspended else {**values, "origin": None}


def stored_table(row: Row[*tuple[Any, ...]]) -> StoredTable:
    """Return the table of a row with the columns `STORED_TABLE`."""
    table_id, game, host, created, changed, version, summary, origin = row
    decoded = SUMMARY.decode(summary)
    return StoredTable(table_id, game, host, created, changed, version, decoded, origin)
