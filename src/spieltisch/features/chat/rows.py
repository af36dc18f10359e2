"""Chat messages, reactions and mutes in the store."""

from collections.abc import Collection, Iterable
from typing import Final

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from spieltisch.core.words import message
from spieltisch.store.alert_queue import queue_mention_alerts, without_muting
from spieltisch.store.schema import METADATA, TEXT
from spieltisch.store.store import Store
from spieltisch.store.table_rows import require_table
from spieltisch.store.writer import order_of
from spieltisch.tables import TableRefusal, device_owner
from spieltisch.tables.refusal_codes import RefusalCode

CHAT_MESSAGES: Final = Table(
    "chat_messages",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, info={"is_secret": True}),
    Column("room", TEXT, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("seat", Integer),  # the author's seat
    Column("name", TEXT, nullable=False),
    Column("at", Float, nullable=False),
    Column("text", TEXT),  # NULL: it was removed
    Index("chat_messages_by_person", "person"),
    info={"person": "person", "table": "table_id", "name": "name", "content": "text", "retention": "chats"},
)
"""Chat messages at tables; they are not part of the game and therefore not stored with its events."""
CHAT_MESSAGES.info["is_private"] = CHAT_MESSAGES.c.room == "note"
CHAT_MESSAGES.info["is_shown_to_players"] = CHAT_MESSAGES.c.room == "table"

REACTIONS: Final = Table(
    "reactions",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, info={"is_secret": True}),
    Column("person", TEXT, primary_key=True),
    Column("reaction", TEXT, primary_key=True),
    info={"person": "person", "table": "table_id", "retention": "reactions"},
)

MUTES: Final = Table(
    "mutes",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("person", TEXT, primary_key=True),
    Column("muted", TEXT, primary_key=True, info={"is_secret": True}),
    info={"person": "person", "other_person": "muted", "table": "table_id"},
)
"""People muted by another person at a table."""

FIELDS: Final = ("number", "room", "person", "seat", "name", "at", "text")
"""The columns of a `ChatMessage`, in its order."""


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message.

    `person` is the author's id, `seat` their seat if they had one, `name` their name at that time, "" for the greeting
    of a spectator, which shows none. `at` is the time in UTC seconds. `text` is None if the message was removed.
    `reactions` are pairs of a person and a reaction. `number_in_room` counts the messages of its room that its reader
    may read, from 1: unlike `number` it reveals nothing of other rooms.
    """

    number: int
    room: str
    person: str
    seat: int | None
    name: str
    at: float
    text: str | None
    reactions: tuple[tuple[str, str], ...] = ()
    number_in_room: int = 0


async def add(
    store: Store,
    table_id: str,
    chat_message: ChatMessage,
    maximum: int,
    mentioned: Collection[str],
    *,
    is_greeting: bool = False,
) -> None:
    """Store a message, and queue alerts for the people it mentions.

    Raise `TableRefusal` `chat-full` if the author has posted `maximum` messages at this table (0: no limit), or if
    a spectator `is_greeting` the players again, `NoSuchTable` if the table has been removed.
    """

    def job(connection: Connection) -> None:
        require_table(connection, table_id)
        query = select(func.count(), func.max(CHAT_MESSAGES.c.number)).where(CHAT_MESSAGES.c.table_id == table_id)
        own_query = query.where(CHAT_MESSAGES.c.person == chat_message.person)
        message_count = connection.execute(own_query).one()[0]
        if is_greeting and connection.execute(own_query.where(CHAT_MESSAGES.c.room == "table")).one()[0]:
            raise TableRefusal(RefusalCode.CHAT_FULL, message("You’ve already greeted the players."))
        if 0 < maximum <= message_count:
            reason = message("You have sent {count} messages at this table, the maximum.", count=maximum)
            raise TableRefusal(RefusalCode.CHAT_FULL, reason)
        number = (connection.execute(query).one()[1] or 0) + 1
        values = {"table_id": table_id, **msgspec.structs.asdict(chat_message), "number": number}
        del values["reactions"], values["number_in_room"]
        connection.execute(insert(CHAT_MESSAGES), values)
        muters = select(MUTES.c.person).where(MUTES.c.table_id == table_id, MUTES.c.muted == chat_message.person)
        people = set(mentioned) - set(connection.execute(muters).scalars())
        wanted = without_muting(connection, set(map(device_owner, people)), device_owner(chat_message.person))
        queue_mention_alerts(connection, table_id, number, chat_message.at, wanted)

    await store.write(job, order=order_of(table_id))


async def newest(
    store: Store, table_id: str, rooms: Iterable[str], reader: str, maximum: int, first: int = 0
) -> tuple[ChatMessage, ...]:
    """Return the newest messages in these rooms but the `first`, oldest first; of notes only those of `reader`."""
    room = CHAT_MESSAGES.c.room
    is_readable = room.in_(rooms) & ((room != "note") | (CHAT_MESSAGES.c.person == reader))
    number_in_room = func.row_number().over(partition_by=room, order_by=CHAT_MESSAGES.c.number)
    query = (
        select(*(CHAT_MESSAGES.c[name] for name in FIELDS), number_in_room.label("number_in_room"))
        .where(CHAT_MESSAGES.c.table_id == table_id, is_readable)
        .order_by(CHAT_MESSAGES.c.number.desc())
        .limit(maximum)
        .offset(first)
    )
    reaction_query = select(REACTIONS).where(REACTIONS.c.table_id == table_id)

    def job(connection: Connection) -> tuple[ChatMessage, ...]:
        rows = connection.execute(query).all()[::-1]
        reactions: dict[int, list[tuple[str, str]]] = {}
        for row in connection.execute(reaction_query.where(REACTIONS.c.number.in_([row.number for row in rows]))):
            reactions.setdefault(row.number, []).append((row.person, row.reaction))
        return tuple(ChatMessage(*row[:7], tuple(reactions.get(row.number, ())), row.number_in_room) for row in rows)

    return await store.read(job)


async def find(store: Store, table_id: str, number: int) -> ChatMessage | None:
    """Return the message with this number, without its reactions, or None."""
    query = select(*(CHAT_MESSAGES.c[name] for name in FIELDS)).where(_is_message(CHAT_MESSAGES, table_id, number))
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else ChatMessage(*row)


def remove(connection: Connection, table_id: str, number: int) -> None:
    """Delete the text of a message and the reactions to it."""
    connection.execute(update(CHAT_MESSAGES).where(_is_message(CHAT_MESSAGES, table_id, number)).values(text=None))
    connection.execute(delete(REACTIONS).where(_is_message(REACTIONS, table_id, number)))


async def muted_by(store: Store, table_id: str, person: str) -> frozenset[str]:
    """Return the ids of the people whom this person has muted at a table."""
    query = select(MUTES.c.muted).where(MUTES.c.table_id == table_id, MUTES.c.person == person)
    return await store.read(lambda connection: frozenset(connection.execute(query).scalars()))


async def toggle(store: Store, table: Table, table_id: str, **values: str | int) -> None:
    """Add a row, such as a reaction, or delete it if it exists. Raise `NoSuchTable` if its table has been removed."""
    row = {"table_id": table_id, **values}

    def job(connection: Connection) -> None:
        require_table(connection, table_id)
        conditions = [table.c[name] == value for name, value in row.items()]
        if not connection.execute(delete(table).where(*conditions)).rowcount:
            connection.execute(insert(table).values(row))

    await store.write(job, order=order_of(table_id))


def _is_message(table: Table, table_id: str, number: int) -> ColumnElement[bool]:
    return and_(table.c.table_id == table_id, table.c.number == number)
