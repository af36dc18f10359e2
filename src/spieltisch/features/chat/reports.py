"""Reports to the administrators, of messages, of players' names and of invitations.

That of a message has its text, even if its author removes it.
"""

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
    Column("number", Integer, primary_key=True, info={"is_secret": True}),  # of the message, or see `number_of_name`
    Column("person", TEXT, primary_key=True),  # who reported it
    Column("author", TEXT, nullable=False, info={"is_secret": True}),
    Column("name", TEXT, nullable=False, info={"is_secret": True}),
    Column("text", TEXT, nullable=False, info={"is_secret": True}),
    Column("at", Float, nullable=False),
    Index("message_reports_by_author", "author"),
    info={"person": "person", "other_person": "author", "table": "table_id", "retention": "reactions"},
)
"""Reports that no administrator has dealt with yet."""


INVITATION: Final = -1000
"""In place of the number of a message: the host’s invitation to a seat that is kept for the person who reports it."""


def number_of_name(seat: int) -> int:
    """Return what stands in place of the number of a message if the name in a seat is reported.

    >>> number_of_name(0), number_of_name(2)
    (-1, -3)
    """
    return -1 - seat


class MessageReport(msgspec.Struct, frozen=True):
    """A report by a person, at a time in UTC seconds, of the message with this number and its author.

    Reports of names and invitations have no text.
    """

    table_id: str
    number: int
    person: str
    author: str
    name: str
    text: str
    at: float

    @property
    def kind(self) -> str:
        """The kind of content that is reported: a `message`, a `name` or an `invitation`."""
        return "message" if self.number >= 0 else "invitation" if self.number == INVITATION else "name"


async def add(store: Store, table_id: str, reporter: str, reported: ChatMessage, at: float) -> None:
    """Store a report; a second one of the same message by the same person changes nothing. Raise `NoSuchTable`."""
    report = MessageReport(table_id, reported.number, reporter, reported.person, reported.name, reported.text or "", at)
    await add_report(store, report)


async def add_report(store: Store, report: MessageReport) -> None:
    """Do the same with a report that is complete."""

    def job(connection: Connection) -> None:
        require_table(connection, report.table_id)
        insert_new(connection, MESSAGE_REPORTS, msgspec.structs.asdict(report))

    await store.write(job, order=order_of(report.table_id))


async def reported_by(store: Store, table_id: str, person: str) -> frozenset[int]:
    """Return the numbers of what a person has reported at a table."""
    own = MESSAGE_REPORTS.c.table_id == table_id, MESSAGE_REPORTS.c.person == person
    query = select(MESSAGE_REPORTS.c.number).where(*own)
    return await store.read(lambda connection: frozenset(connection.execute(query).scalars()))


async def newest(store: Store, maximum: int) -> tuple[MessageReport, ...]:
    """Return the newest reports, newest first."""
    query = select(*MESSAGE_REPORTS.c).order_by(MESSAGE_REPORTS.c.at.desc()).limit(maximum)
    return await store.read(lambda connection: tuple(MessageReport(*row) for row in connection.execute(query)))


async def find(store: Store, table_id: str, number: int) -> MessageReport | None:
    """Return a report of what has this number at a table; None if there is none."""
    is_it = MESSAGE_REPORTS.c.table_id == table_id, MESSAGE_REPORTS.c.number == number
    query = select(*MESSAGE_REPORTS.c).where(*is_it).limit(1)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else MessageReport(*row)


def settle(connection: Connection, table_id: str, number: int) -> bool:
    """Delete all reports of this, for an administrator has dealt with them. Return False if there are none."""
    is_message = MESSAGE_REPORTS.c.table_id == table_id, MESSAGE_REPORTS.c.number == number
    return bool(connection.execute(delete(MESSAGE_REPORTS).where(*is_message)).rowcount)
