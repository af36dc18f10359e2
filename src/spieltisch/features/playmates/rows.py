"""The people whom a person has muted or blocked, and invitations that are hidden from those who block their host."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from sqlalchemy import Column, Connection, ForeignKey, Integer, Table, delete, exists, insert, select

from spieltisch.store import Store
from spieltisch.store.alert_queue import queue, without_muting
from spieltisch.store.hooks import Appended
from spieltisch.store.schema import LOBBY_ENTRIES, METADATA, PEOPLE, TABLES, TEXT
from spieltisch.store.table_rows import SUMMARY
from spieltisch.tables.summary import TableSummary

INVITED_ALERT: Final = "invited"
"""The kind of alerts of a seat that someone keeps for a person."""
PLAYMATE_MARKS: Final = Table(
    "playmate_marks",
    METADATA,
    Column("person", TEXT, ForeignKey("people.id"), primary_key=True),
    Column("other", TEXT, primary_key=True, info={"is_secret": True}),
    Column("name", TEXT, nullable=False),  # the name by which the person knows the other
    Column("is_blocked", Integer, nullable=False),  # 0: only muted
    info={"person": "person", "other_person": "other", "stops_alerts": True},
)
"""People from whom another person wants no alerts of invitations; of those who are blocked, no invitations either."""


class Mark(NamedTuple):
    """A person whom another has muted or blocked, by the name that the other knows."""

    name: str
    is_blocked: bool


async def marks_of(store: Store, person: str) -> Mapping[str, Mark]:
    """Return the people whom a person has muted or blocked, by id."""
    query = select(PLAYMATE_MARKS).where(PLAYMATE_MARKS.c.person == person).order_by(PLAYMATE_MARKS.c.name)

    def read(connection: Connection) -> Mapping[str, Mark]:
        return {row.other: Mark(row.name, bool(row.is_blocked)) for row in connection.execute(query)}

    return await store.read(read)


async def known(store: Store, ids: Collection[str]) -> frozenset[str]:
    """Return those of these ids that people have here."""
    query = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(ids))
    return await store.read(lambda connection: frozenset(connection.execute(query).scalars()))


def set_mark(connection: Connection, person: str, other: str, mark: Mark | None) -> None:
    """Mute or block another person, or (None) neither.

    Invitations of someone who is blocked are hidden at once, and shown again when they no longer are.
    """
    own = (PLAYMATE_MARKS.c.person == person) & (PLAYMATE_MARKS.c.other == other)
    connection.execute(delete(PLAYMATE_MARKS).where(own))
    if mark is not None:
        row = {"person": person, "other": other, "name": mark.name, "is_blocked": int(mark.is_blocked)}
        connection.execute(insert(PLAYMATE_MARKS), row)
    waiting = select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed).where(TABLES.c.status == "open")
    of_host = waiting.where(TABLES.c.host == other).order_by(TABLES.c.id).with_for_update()  # no process appends now
    for table_id, encoded, changed in connection.execute(of_host).all():
        summary = SUMMARY.decode(encoded)
        if person in summary.invited and not _is_asked_for(connection, table_id):
            _hide(connection, table_id, {person})
            if mark is None or not mark.is_blocked:
                entry = {"person": person, "section": summary.section_of(person), "table_id": table_id}
                connection.execute(insert(LOBBY_ENTRIES), {**entry, "recency": -changed})


def queue_invitations(
    connection: Connection, table_id: str, host: str, people: Collection[str], kind: str = INVITED_ALERT
) -> None:
    """Queue alerts for the invited people who have neither muted nor blocked the host."""
    queue(connection, table_id, 1, kind, without_muting(connection, people, host))


def hide_invitations(
    connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended
) -> None:
    """Hide a table from people who block its host and for whom it only keeps a seat, in a rematch, too.

    Not if they have asked for that seat: whoever is the host, they would miss their game.
    """
    if not after.host or (before is not None and before.people == after.people and before.seats == after.seats):
        return
    blocking = select(PLAYMATE_MARKS.c.person).where(
        PLAYMATE_MARKS.c.other == after.host,
        PLAYMATE_MARKS.c.is_blocked == 1,
        PLAYMATE_MARKS.c.person.in_(after.invited),
    )
    people = connection.execute(blocking).scalars().all()
    if people and not _is_asked_for(connection, appended.table_id):
        _hide(connection, appended.table_id, people)


def _is_asked_for(connection: Connection, table_id: str) -> bool:
    """Return True if the people for whom a table keeps seats have asked for them: features list such tables."""
    lists = (table for table in METADATA.sorted_tables if table.info.get("is_asked_for"))
    found = (exists().where(table.c[table.info["table"]] == table_id) for table in lists)
    return any(connection.execute(select(is_listed)).scalar() for is_listed in found)


def _hide(connection: Connection, table_id: str, people: Iterable[str]) -> None:
    """Let a table be none of these people's own."""
    own = (LOBBY_ENTRIES.c.table_id == table_id) & LOBBY_ENTRIES.c.person.in_(sorted(people))
    connection.execute(delete(LOBBY_ENTRIES).where(own))
