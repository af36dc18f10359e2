"""Find and remove what is old: tables that are over, messages there, people who have nothing here, and logs.

These functions find what has not changed since a time, in UTC seconds. Each removal is one transaction that checks this
again (`require_over`, `require_unused`), because it may come into use, or another process may remove it.

`Table.info` declares with `retention` which other rows are meant: "chats" of messages, with the columns `number`,
`room`, `person` and `at`; "reactions" of those to a message, by its `number`; "admin_log" of a log, with `number` and
`at`.
"""

import math
from collections.abc import Collection
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    or_,
    select,
)

from spieltisch.store.dialects import contains
from spieltisch.store.errors import StillNeeded
from spieltisch.store.people import on_device_of
from spieltisch.store.schema import DEVICE_CODES, EVENTS, PEOPLE, SESSIONS, TABLES
from spieltisch.store.sessions import lock_access
from spieltisch.store.store import Store
from spieltisch.store.table_rows import ExtraWrite
from spieltisch.tables.events import Started

OVER: Final = ("finished", "aborted")
"""The states of tables that may be removed. A frozen one may thaw with the next version."""
STARTED: Final = f'"{Started.__struct_config__.tag}"'
"""A part of the JSON of the event with which a game begins."""
NOT_THEIRS: Final = (PEOPLE, SESSIONS, DEVICE_CODES)
"""The SQL tables whose rows each visitor with a name has, or had for some minutes."""

Times = dict[str, float]
"""By id, the time since which something has not changed."""


def _is_over(connection: Connection, before: float, *, is_unbegun: bool = False) -> ColumnElement[bool]:
    """Return the condition of a table that has been over since then, as have all tables of its duplicate.

    With `is_unbegun` it must have been closed before its game began, too.
    """
    others = TABLES.alias()
    same_deal = exists().where(others.c.duplicate == TABLES.c.duplicate, others.c.status.not_in(OVER))
    is_over = and_(TABLES.c.status.in_(OVER), TABLES.c.changed <= before, ~same_deal)
    if not is_unbegun:
        return is_over
    has_begun = exists().where(EVENTS.c.table_id == TABLES.c.id, contains(connection, EVENTS.c.data, STARTED))
    return and_(is_over, TABLES.c.status == "aborted", ~has_begun)


async def tables_over(store: Store, before: float, *, is_unbegun: bool = False) -> Times:
    """Return the tables that are over since then; with `is_unbegun` those that were closed before their game began."""

    def job(connection: Connection) -> Times:
        is_over = _is_over(connection, before, is_unbegun=is_unbegun)
        query = select(TABLES.c.id, TABLES.c.changed).where(is_over).order_by(TABLES.c.changed, TABLES.c.id)
        return {row.id: row.changed for row in connection.execute(query)}

    return await store.read(job)


def require_over(table_id: str, before: float) -> ExtraWrite:
    """Return the write that raises `StillNeeded` unless a table is over since then."""

    def write(connection: Connection) -> None:
        is_over = TABLES.c.id == table_id, _is_over(connection, before)
        if not connection.execute(select(TABLES.c.id).where(*is_over)).first():
            raise StillNeeded(table_id)

    return write


def with_retention(store: Store, kind: str) -> list[Table]:
    """Return the SQL tables whose rows are of this kind."""
    return [table for table in store.hooks.tables if table.info.get("retention") == kind]


def _table_id(table: Table) -> ColumnElement[str]:
    return table.c[table.info["table"]]


async def messages_over(store: Store, before: float) -> dict[tuple[str, float], float]:
    """Return the messages, by table and time, that are older at tables that are over since then.

    Each with its time, or that of the last event of its table if that was later.
    """

    def job(connection: Connection) -> dict[tuple[str, float], float]:
        times: dict[tuple[str, float], float] = {}
        for table in with_retention(store, "chats"):
            query = select(TABLES.c.id, TABLES.c.changed, table.c.at).join(table, _table_id(table) == TABLES.c.id)
            query = query.where(_is_over(connection, before), table.c.at <= before).order_by(TABLES.c.id, table.c.at)
            times |= {(row.id, row.at): max(row.changed, row.at) for row in connection.execute(query)}
        return times

    return await store.read(job)


async def remove_messages(store: Store, table_id: str, before: float) -> set[tuple[str, str]]:
    """Delete the messages of a table since then or older, and reactions to messages that are gone.

    Each message has its own time, so that a note changes nothing for those who may not read it. Return the rooms from
    which something was removed, each with the author if no one else may read it, or else "". Raise `StillNeeded` or
    `WriteFailed`.
    """

    def job(connection: Connection) -> set[tuple[str, str]]:
        # So that no one writes meanwhile.
        connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id).with_for_update())
        require_over(table_id, math.inf)(connection)
        removed: set[tuple[str, str]] = set()
        for messages in with_retention(store, "chats"):
            old = and_(_table_id(messages) == table_id, messages.c.at <= before)
            reader = case((messages.info["is_private"], messages.c.person), else_="")
            rooms = connection.execute(select(messages.c.room, reader).where(old).distinct())
            removed.update((room, person) for room, person in rooms)
            connection.execute(delete(messages).where(old))
            for table in with_retention(store, "reactions"):
                of_message = (_table_id(messages) == table_id) & (messages.c.number == table.c.number)
                connection.execute(delete(table).where(_table_id(table) == table_id, ~exists().where(of_message)))
        return removed

    return await store.write(job)


async def people_unused(store: Store, before: float) -> Times:
    """Return the people who were not seen since then and have nothing here, with the time when they were seen."""
    query = select(PEOPLE.c.id, PEOPLE.c.created, PEOPLE.c.seen).where(_is_unseen(before)).order_by(PEOPLE.c.id)

    def job(connection: Connection) -> Times:
        unseen = [(person, max(created, seen)) for person, created, seen in connection.execute(query)]
        return {person: at for person, at in unseen if not _has_anything(connection, store, person)}

    return await store.read(job)


def require_unused(store: Store, person_id: str, before: float) -> ExtraWrite:
    """Return the write that raises `StillNeeded` if a person has something here, or was seen since then."""

    def write(connection: Connection) -> None:
        lock_access(connection, person_id)
        is_there = connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person_id, _is_unseen(before))).first()
        if not is_there or _has_anything(connection, store, person_id):
            raise StillNeeded(person_id)

    return write


def _is_unseen(before: float) -> ColumnElement[bool]:
    return and_(PEOPLE.c.created <= before, PEOPLE.c.seen <= before)


def _has_anything(connection: Connection, store: Store, person_id: str) -> bool:
    """Return True if any row belongs to a person or names them, besides their name and sessions.

    So a feature that stores something of people keeps them, too: also a ban, or an act in a log. What another person
    keeps for themselves about them does not: by being kept, they would learn that someone has muted or reported them.
    """
    columns = [
        table.c[name]
        for table in store.hooks.tables
        if table not in NOT_THEIRS
        for name in (table.info.get("person"), *table.info.get("mentions", ()))
        if name is not None
    ]
    theirs = or_(*(exists().where(on_device_of(column, person_id)) for column in columns))
    return bool(connection.execute(select(theirs)).scalar())


async def log_entries(store: Store, before: float) -> dict[int, float]:
    """Return the numbers of the entries of the log of administrators that are from before then, with their times."""

    def job(connection: Connection) -> dict[int, float]:
        logs = with_retention(store, "admin_log")
        queries = (select(log.c.number, log.c.at).where(log.c.at <= before) for log in logs)
        return {row.number: row.at for query in queries for row in connection.execute(query)}

    return await store.read(job)


async def remove_log_entries(store: Store, numbers: Collection[int]) -> None:
    """Delete entries of the log of administrators. Raise `WriteFailed`."""

    def job(connection: Connection) -> None:
        for log in with_retention(store, "admin_log") if numbers else ():
            rows = [{"old": number} for number in numbers]
            connection.execute(delete(log).where(log.c.number == bindparam("old")), rows)

    await store.write(job)
