"""The seeks of people, stored until they sit at a table, cancel them or have left."""

from collections.abc import Collection
from typing import Final

import msgspec
from sqlalchemy import Column, Connection, Float, ForeignKey, Table, delete, select, true, update

from spieltisch.features.matchmaking.commands import Kind, Seek
from spieltisch.store import Store
from spieltisch.store.alert_queue import queue
from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.hooks import Appended
from spieltisch.store.schema import METADATA, PEOPLE, TEXT, Json
from spieltisch.tables import device_owner, refusals
from spieltisch.tables.summary import TableSummary

FOUND_ALERT: Final = "found"
"""The kind of alerts of a table that was found."""
SEEKS: Final = Table(
    "seeks",
    METADATA,
    Column("person", TEXT, ForeignKey("people.id"), primary_key=True),
    Column("since", Float, nullable=False),
    Column("seen", Float, nullable=False),  # when the person was last here
    Column("kind", Json, nullable=False, info={"secret_fields": ("origin",)}),  # a Kind
    info={"person": "person", "ends_with_session": "since"},
)
"""The kinds of games for which people wait, one for each person."""

_KIND: Final = msgspec.json.Decoder(Kind)


async def all_seeks(store: Store) -> tuple[Seek, ...]:
    """Return what people seek."""
    query = select(SEEKS.c.person, PEOPLE.c.name, SEEKS.c.kind, SEEKS.c.since).join(PEOPLE)

    def read(connection: Connection) -> tuple[Seek, ...]:
        rows = connection.execute(query)
        return tuple(Seek(person, name, _KIND.decode(kind), since) for person, name, kind, since in rows)

    return await store.read(read)


def add(connection: Connection, person: str, kind: Kind, at: float) -> None:
    """Store what a person seeks, in place of what they sought before."""
    row = {"person": person, "since": at, "seen": at, "kind": msgspec.json.encode(kind)}
    insert_or_replace(connection, SEEKS, row)


def cancel(connection: Connection, person: str) -> None:
    """End the waiting of a person."""
    connection.execute(delete(SEEKS).where(SEEKS.c.person == person))


def mark_here(connection: Connection, people: Collection[str] | None, at: float) -> None:
    """Record that these people are here; None: all who wait."""
    here = SEEKS.c.person.in_(people) if people is not None else true()
    connection.execute(update(SEEKS).where(here).values(seen=at))


def end_left(connection: Connection, before: float) -> None:
    """End the waiting of people who have not been here since then."""
    connection.execute(delete(SEEKS).where(SEEKS.c.seen < before))


def claim(connection: Connection, table_id: str, seeks: Collection[Seek]) -> None:
    """End the waiting of people who are seated at a table in this transaction, and queue alerts for them.

    Raise `TableRefusal` `stale` if one of them waits no longer: another process may have seated them. In each process
    they are deleted in the same order, so that none waits for another.
    """
    for seek in sorted(seeks, key=lambda each: each.person):
        is_theirs = (SEEKS.c.person == seek.person) & (SEEKS.c.since == seek.since)
        if not connection.execute(delete(SEEKS).where(is_theirs)).rowcount:
            raise refusals.stale()
    queue(connection, table_id, 1, FOUND_ALERT, {seek.person for seek in seeks})


def end_seeks(connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended) -> None:
    """End the waiting of people who have taken a seat."""
    if newcomers := _seated(after) - (_seated(before) if before is not None else frozenset()):
        connection.execute(delete(SEEKS).where(SEEKS.c.person.in_(sorted(newcomers))))


def _seated(summary: TableSummary) -> frozenset[str]:
    return frozenset(device_owner(seat.person) for seat in summary.seats if seat.kind == "person")
