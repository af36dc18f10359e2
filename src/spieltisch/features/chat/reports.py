"""Reports of messages to the administrators, each with the text that it is about, even if its author removes that."""

from typing import Final

import msgspec
from sqlalchemy import Column, Connection, Float, ForeignKey, Index, Integer, Table, delete, select

from spieltisch.features.chat.rows import ChatMessage
from spieltisch.store.dialects import insert_new
from spieltisch.store.schema import METADATA, TEXT
from spieltisch.store.store import Store
from spieltisch.store.table_rows import require_table
from spieltisch.store.writer import order_of

MESSAGE_REPORTS: Final = Table(
    "message_reports",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, info={"is_secret": True}),
    Column("person", TEXT, primary_key=True),  # who reported it
    Column("author", TEXT, nullable=False, info={"is_secret": True}),
    Column("name", TEXT, nullable=False, info={"is_secret": True}),
    Column("text", TEXT, nullable=False, info={"is_secret": True}),
    Column("at", Float, nullable=False),
    Index("message_reports_by_author", "author"),
    info={"person": "person", "other_person": "author", "table": "table_id", "retention": "reactions"},
)
"""Reports that no administrator has dealt with yet."""


class MessageReport(msgspec.Struct, frozen=True):
    """A report by a person, at a time in UTC seconds, of the message with this number and its author."""

    table_id: str
    number: int
    person: str
    author: str
    name: str
    text: str
    at: float


async def add(store: Store, table_id: str, reporter: str, reported: ChatMessage, at: float) -> None:
    """Store a report; a second one of the same message by the same person changes nothing. Raise `NoSuchTable`."""
    report = MessageReport(table_id, reported.number, reporter, reported.person, reported.name, reported.text or "", at)

    def job(connection: Connection) -> None:
        require_table(connection, table_id)
        insert_new(connection, MESSAGE_REPORTS, msgspec.structs.asdict(report))

    await store.write(job, order=order_of(table_id))


async def reported_by(store: Store, table_id: str, person: str) -> frozenset[int]:
    """Return the numbers of the messages of a table that a person has reported."""
    own = MESSAGE_REPORTS.c.table_id == table_id, MESSAGE_REPORTS.c.person == person
    query = select(MESSAGE_REPORTS.c.number).where(*own)
    return await store.read(lambda connection: frozenset(connection.execute(query).scalars()))


async def newest(store: Store, maximum: int) -> tuple[MessageReport, ...]:
    """Return the newest reports, newest first."""
    query = select(*MESSAGE_REPORTS.c).order_by(MESSAGE_REPORTS.c.at.desc()).limit(maximum)
    return await store.read(lambda connection: tuple(MessageReport(*row) for row in connection.execute(query)))


def settle(connection: Connection, table_id: str, number: int) -> bool:
    """Delete all reports of a message, for an administrator has dealt with them. Return False if there are none."""
    is_message = MESSAGE_REPORTS.c.table_id == table_id, MESSAGE_REPORTS.c.number == number
    return bool(connection.execute(delete(MESSAGE_REPORTS).where(*is_message)).rowcount)
