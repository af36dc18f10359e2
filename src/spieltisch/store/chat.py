"""Chat messages, reactions and mutes in the store."""

from collections.abc import Collection, Iterable
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from spieltisch.store.alert_queue import queue_mention_alerts
from spieltisch.store.errors import StoreError
from spieltisch.store.people import on_device_of
from spieltisch.store.schema import CHAT_MESSAGES, MUTES, REACTIONS
from spieltisch.store.store import Store

FIELDS: Final = ("number", "room", "person", "seat", "name", "at", "text")
"""The columns of a `ChatMessage`, in its order."""


class ChatFull(StoreError):
    """A person has posted as many messages at a table as are stored."""


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message.

    `person` is the author's id, `seat` their seat if they had one, `name` their name at that time, `at` the time in UTC
    seconds. `text` is None if the message was removed. `reactions` are pairs of a person and a reaction.
    `number_in_room` counts the messages of its room that its reader may read, from 1: unlike `number` it reveals
    nothing of other rooms.
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
    store: Store, table_id: str, chat_message: ChatMessage, maximum: int, mentioned: Collection[str] = ()
) -> int:
    """Store a message, queue alerts for the people it mentions, and return its number, counted from 1.

    Raise `ChatFull` if the author has posted `maximum` messages at this table (0: no limit).
    """

    def job(connection: Connection) -> int:
        query = select(func.count(), func.max(CHAT_MESSAGES.c.number)).where(CHAT_MESSAGES.c.table_id == table_id)
        message_count = connection.execute(query.where(CHAT_MESSAGES.c.person == chat_message.person)).one()[0]
        if 0 < maximum <= message_count:
            raise ChatFull(table_id)
        number = (connection.execute(query).one()[1] or 0) + 1
        values = {"table_id": table_id, **msgspec.structs.asdict(chat_message), "number": number}
        del values["reactions"], values["number_in_room"]
        connection.execute(insert(CHAT_MESSAGES), values)
        queue_mention_alerts(connection, table_id, number, chat_message.at, chat_message.person, mentioned)
        return number

    return await store.write(job)


async def newest(
    store: Store, table_id: str, rooms: Iterable[str], reader: str, maximum: int
) -> tuple[ChatMessage, ...]:
    """Return the newest messages in these rooms, oldest first; from the room "note" only those of `reader`."""
    public = CHAT_MESSAGES.c.room.in_([room for room in rooms if room != "note"])
    notes = (
        (CHAT_MESSAGES.c.room == "note") & (CHAT_MESSAGES.c.person == reader) if "note" in rooms and reader else None
    )
    number_in_room = func.row_number().over(partition_by=CHAT_MESSAGES.c.room, order_by=CHAT_MESSAGES.c.number)
    query = (
        select(*(CHAT_MESSAGES.c[name] for name in FIELDS), number_in_room.label("number_in_room"))
        .where(CHAT_MESSAGES.c.table_id == table_id, public if notes is None else or_(public, notes))
        .order_by(CHAT_MESSAGES.c.number.desc())
        .limit(maximum)
    )
    reaction_query = select(REACTIONS.c.number, REACTIONS.c.person, REACTIONS.c.reaction).where(
        REACTIONS.c.table_id == table_id
    )

    def job(connection: Connection) -> tuple[ChatMessage, ...]:
        rows = connection.execute(query).all()[::-1]
        reactions: dict[int, list[tuple[str, str]]] = {}
        for number, person, reaction in connection.execute(
            reaction_query.where(REACTIONS.c.number.in_([row[0] for row in rows]))
        ):
            reactions.setdefault(number, []).append((person, reaction))
        return tuple(
            ChatMessage(
                row.number,
                row.room,
                row.person,
                row.seat,
                row.name,
                row.at,
                row.text,
                tuple(reactions.get(row.number, ())),
                row.number_in_room,
            )
            for row in rows
        )

    return await store.read(job)


async def find(store: Store, table_id: str, number: int) -> ChatMessage | None:
    """Return the message with this number, without its reactions, or None."""
    query = select(*(CHAT_MESSAGES.c[name] for name in FIELDS)).where(_at(CHAT_MESSAGES, table_id, number))
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else ChatMessage(*row)


async def by_person(store: Store, person: str) -> tuple[tuple[str, ChatMessage], ...]:
    """Return all messages of a person at any table, with the table's id, oldest first.

    Notes and the messages of players on the same device are included, reactions are not.
    """
    query = (
        select(CHAT_MESSAGES.c.table_id, *(CHAT_MESSAGES.c[name] for name in FIELDS))
        .where(on_device_of(CHAT_MESSAGES.c.person, person))
        .order_by(CHAT_MESSAGES.c.at)
    )
    return await store.read(
        lambda connection: tuple((row[0], ChatMessage(*row[1:])) for row in connection.execute(query).all())
    )


async def remove(store: Store, table_id: str, number: int) -> None:
    """Delete the text of a message and the reactions to it."""

    def job(connection: Connection) -> None:
        connection.execute(update(CHAT_MESSAGES).where(_at(CHAT_MESSAGES, table_id, number)).values(text=None))
        connection.execute(delete(REACTIONS).where(_at(REACTIONS, table_id, number)))

    await store.write(job)


async def react(store: Store, table_id: str, number: int, person: str, reaction: str) -> None:
    """Add a reaction, or remove it if it exists."""
    await _toggle(store, REACTIONS, {"table_id": table_id, "number": number, "person": person, "reaction": reaction})


async def mute(store: Store, table_id: str, person: str, muted: str) -> None:
    """Mute a person for another one, or unmute them."""
    await _toggle(store, MUTES, {"table_id": table_id, "person": person, "muted": muted})


async def muted_by(store: Store, table_id: str, person: str) -> frozenset[str]:
    """Return the ids of the people whom this person has muted at a table."""
    query = select(MUTES.c.muted).where(MUTES.c.table_id == table_id, MUTES.c.person == person)
    return await store.read(lambda connection: frozenset(connection.execute(query).scalars()))


async def _toggle(store: Store, table: Table, row: dict[str, str | int]) -> None:
    def job(connection: Connection) -> None:
        conditions = [table.c[name] == value for name, value in row.items()]
        if not connection.execute(delete(table).where(*conditions)).rowcount:
            connection.execute(insert_or(table).values(row))

    await store.write(job)


def _at(table: Table, table_id: str, number: int) -> ColumnElement[bool]:
    return and_(table.c.table_id == table_id, table.c.number == number)
