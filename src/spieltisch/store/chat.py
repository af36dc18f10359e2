"""What is said at tables, in the store."""

from __future__ import annotations

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
"""The columns of a `Word`, in its order."""


class ChatFull(StoreError):
    """Somebody has said as much at a table as is kept."""


class ChatMessage(msgspec.Struct, frozen=True):
    """Something that was said: by whom (an id, the seat if any, the name then), when (UTC seconds), in which room.

    `text` is None where it was taken away; `reactions` has who gave which sign.
    """

    number: int
    room: str
    person: str
    seat: int | None
    name: str
    at: float
    text: str | None
    reactions: tuple[tuple[str, str], ...] = ()


async def add(store: Store, table_id: str, word: ChatMessage, most: int, mentioned: Collection[str] = ()) -> int:
    """Keep what was said, and tell those who are mentioned; returns its number, from 1. Raises `TooManyWords` to who
    has said `most` here (0: never).
    """

    def job(connection: Connection) -> int:
        here = select(func.count(), func.max(CHAT_MESSAGES.c.number)).where(CHAT_MESSAGES.c.table_id == table_id)
        said = connection.execute(here.where(CHAT_MESSAGES.c.person == word.person)).one()[0]
        if 0 < most <= said:
            raise ChatFull(table_id)
        number = (connection.execute(here).one()[1] or 0) + 1
        values = {"table_id": table_id, **msgspec.structs.asdict(word), "number": number}
        del values["reactions"]
        connection.execute(insert(CHAT_MESSAGES), values)
        queue_mention_alerts(connection, table_id, number, word.at, word.person, mentioned)
        return number

    return await store.write(job)


async def newest(store: Store, table_id: str, rooms: Iterable[str], own: str, most: int) -> tuple[ChatMessage, ...]:
    """The newest words in these rooms, oldest first; of the room "note" those of `own` alone."""
    open_to_all = CHAT_MESSAGES.c.room.in_([room for room in rooms if room != "note"])
    mine = (CHAT_MESSAGES.c.room == "note") & (CHAT_MESSAGES.c.person == own) if "note" in rooms and own else None
    wanted = (
        select(*(CHAT_MESSAGES.c[name] for name in FIELDS))
        .where(CHAT_MESSAGES.c.table_id == table_id, open_to_all if mine is None else or_(open_to_all, mine))
        .order_by(CHAT_MESSAGES.c.number.desc())
        .limit(most)
    )
    signs = select(REACTIONS.c.number, REACTIONS.c.person, REACTIONS.c.sign).where(REACTIONS.c.table_id == table_id)

    def job(connection: Connection) -> tuple[ChatMessage, ...]:
        rows = connection.execute(wanted).all()[::-1]
        given: dict[int, list[tuple[str, str]]] = {}
        for number, person, sign in connection.execute(signs.where(REACTIONS.c.number.in_([row[0] for row in rows]))):
            given.setdefault(number, []).append((person, sign))
        return tuple(
            ChatMessage(
                one.number, one.room, one.person, one.seat, one.name, one.at, one.text, tuple(given.get(one.number, ()))
            )
            for one in rows
        )

    return await store.read(job)


async def find(store: Store, table_id: str, number: int) -> ChatMessage | None:
    """What was said under this number, without the signs that it was given."""
    wanted = select(*(CHAT_MESSAGES.c[name] for name in FIELDS)).where(_at(CHAT_MESSAGES, table_id, number))
    row = await store.read(lambda connection: connection.execute(wanted).one_or_none())
    return None if row is None else ChatMessage(*row)


async def by_person(store: Store, person: str) -> tuple[tuple[str, ChatMessage], ...]:
    """All that somebody has said anywhere, notes too, each with its table's id, oldest first; without others' signs."""
    wanted = (
        select(CHAT_MESSAGES.c.table_id, *(CHAT_MESSAGES.c[name] for name in FIELDS))
        .where(on_device_of(CHAT_MESSAGES.c.person, person))
        .order_by(CHAT_MESSAGES.c.at)
    )
    return await store.read(
        lambda connection: tuple((one[0], ChatMessage(*one[1:])) for one in connection.execute(wanted).all())
    )


async def remove(store: Store, table_id: str, number: int) -> None:
    """Nobody reads this any more."""

    def job(connection: Connection) -> None:
        connection.execute(update(CHAT_MESSAGES).where(_at(CHAT_MESSAGES, table_id, number)).values(text=None))
        connection.execute(delete(REACTIONS).where(_at(REACTIONS, table_id, number)))

    await store.write(job)


async def react(store: Store, table_id: str, number: int, person: str, sign: str) -> None:
    """Give a sign, or take it back."""
    await _toggle(store, REACTIONS, {"table_id": table_id, "number": number, "person": person, "sign": sign})


async def mute(store: Store, table_id: str, person: str, muted: str) -> None:
    """Do not read somebody any more, or again."""
    await _toggle(store, MUTES, {"table_id": table_id, "person": person, "muted": muted})


async def muted_by(store: Store, table_id: str, person: str) -> frozenset[str]:
    """Whom this person does not want to read."""
    wanted = select(MUTES.c.muted).where(MUTES.c.table_id == table_id, MUTES.c.person == person)
    return await store.read(lambda connection: frozenset(connection.execute(wanted).scalars()))


async def _toggle(store: Store, table: Table, row: dict[str, str | int]) -> None:
    def job(connection: Connection) -> None:
        found = [table.c[name] == value for name, value in row.items()]
        if not connection.execute(delete(table).where(*found)).rowcount:
            connection.execute(insert_or(table).values(row))

    await store.write(job)


def _at(table: Table, table_id: str, number: int) -> ColumnElement[bool]:
    return and_(table.c.table_id == table_id, table.c.number == number)
