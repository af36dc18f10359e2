"""Removal of tables, people and component files from a database, so that no trace is left in its file."""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, func, or_, select, update

from spieltisch.store import schema
from spieltisch.store.alert_subscriptions import delete_in
from spieltisch.store.connections import BUSY_SECONDS
from spieltisch.store.errors import WriteFailed
from spieltisch.store.people import on_device_of
from spieltisch.store.result_rows import forget_result
from spieltisch.store.store import Store
from spieltisch.store.table_rows import append_events
from spieltisch.tables.summary import TableSummary

PERSON_TABLES = (
    *(schema.SESSIONS, schema.COMPONENT_OWNERS, schema.RECOVERY_CODES, schema.PASSKEYS, schema.PLANS, schema.UPLOADS),
    *(schema.PERSON_TOTALS, schema.PLAYED_GAMES, schema.RATINGS),
)
"""The tables whose rows belong to a `person`, apart from their seats."""
TABLE_PARTS = (
    schema.SEAT_HOLDERS,
    schema.LOBBY_ENTRIES,
    schema.EVENTS,
    schema.SECRETS,
    schema.ANALYSES,
    schema.OUTBOX,
    schema.CHAT_MESSAGES,
    schema.REACTIONS,
    schema.MUTES,
    schema.PLANS,
    schema.UPLOADS,
)
"""The tables whose rows belong to a table of players."""
Speaker: TypeAlias = tuple[str, str]
"""The id of a table, and of a person there."""
_OPENING: msgspec.json.Decoder[Any] = msgspec.json.Decoder(msgspec.defstruct("Opening", [("components", str, "")]))


class Rewritten(msgspec.Struct, frozen=True):
    """A table with rewritten events.

    `events` are the JSON of its events from the first on, `added` the events to append (time, JSON), `summary` belongs
    to the result.
    """

    table_id: str
    events: Sequence[bytes]
    added: Sequence[tuple[float, bytes]]
    summary: TableSummary


async def remove_table(store: Store, table_id: str) -> None:
    """Delete a table with everything that belongs to it, and component files that are no longer needed."""

    def job(connection: Connection) -> int:
        forget_result(connection, table_id)
        for part in TABLE_PARTS:
            connection.execute(delete(part).where(part.c.table_id == table_id))
        connection.execute(delete(schema.TABLES).where(schema.TABLES.c.id == table_id))
        _forget_files(connection)
        return 0

    await store.write(job, table_id)  # recorded in the journal, or its absence would be reported as a loss


async def remove_person(
    store: Store,
    person_id: str,
    tables: Iterable[Rewritten],
    files: Mapping[str, tuple[str, str]],
    speakers: Mapping[Speaker, tuple[str, str]],
) -> None:
    """Delete a person with their sessions and files, and rewrite tables, in one transaction.

    `files` maps the digest of a component file to its new digest and text. Messages of the `speakers` lose their text
    and get the id and name given for each; their notes are deleted.
    """

    def job(connection: Connection) -> None:
        for table in tables:
            _rewrite(connection, table)
        delete_in(connection, schema.ALERT_SUBSCRIPTIONS.c.person == person_id)
        for person_table in PERSON_TABLES:
            connection.execute(delete(person_table).where(person_table.c.person == person_id))
        connection.execute(delete(schema.PEOPLE).where(schema.PEOPLE.c.id == person_id))
        _forget_sign(connection, person_id)
        _forget_words(connection, person_id, speakers)
        for digest, (new, text) in files.items():
            _replace_file(connection, digest, new, text)
        _forget_files(connection)

    await store.write(job)


async def chat_authors(store: Store, person_id: str) -> dict[Speaker, frozenset[str]]:
    """Return the tables where this person, or a player on their device, has posted, with all authors' names there."""
    query = (
        select(schema.CHAT_MESSAGES.c.table_id, schema.CHAT_MESSAGES.c.person)
        .where(on_device_of(schema.CHAT_MESSAGES.c.person, person_id))
        .distinct()
    )

    def job(connection: Connection) -> dict[Speaker, frozenset[str]]:
        speakers = [(row.table_id, row.person) for row in connection.execute(query)]
        names = select(schema.CHAT_MESSAGES.c.name).distinct()
        return {
            speaker: frozenset(connection.execute(names.where(schema.CHAT_MESSAGES.c.table_id == speaker[0])).scalars())
            for speaker in speakers
        }

    return await store.read(job)


async def tables_mentioning(store: Store, *texts: str) -> tuple[str, ...]:
    """Return the ids of the tables whose events contain one of these strings (an id, a digest)."""
    mentioned = or_(*(func.instr(schema.EVENTS.c.data, text.encode()) > 0 for text in texts))
    query = select(schema.EVENTS.c.table_id).distinct().where(mentioned).order_by(schema.EVENTS.c.table_id)
    return await store.read(lambda connection: tuple(connection.execute(query).scalars()))


async def vacuum(store: Store) -> None:
    """Rewrite the file without deleted content and empty its write-ahead log.

    Raise `WriteFailed` if it fails or another process is reading.
    """

    def job() -> None:
        try:
            with closing(sqlite3.connect(store.path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("VACUUM")
                busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise WriteFailed(f"{store.path} could not be rewritten: {error}") from error
        if busy:
            raise WriteFailed(f"{store.path} could not be rewritten: another process is reading it")

    await asyncio.to_thread(job)


def _forget_words(connection: Connection, person_id: str, speakers: Mapping[Speaker, tuple[str, str]]) -> None:
    connection.execute(
        delete(schema.CHAT_MESSAGES).where(
            on_device_of(schema.CHAT_MESSAGES.c.person, person_id), schema.CHAT_MESSAGES.c.room == "note"
        )
    )
    for (table_id, person), (anonymous_id, name) in speakers.items():
        own_messages = (schema.CHAT_MESSAGES.c.table_id == table_id) & (schema.CHAT_MESSAGES.c.person == person)
        connection.execute(
            update(schema.CHAT_MESSAGES).where(own_messages).values(person=anonymous_id, name=name, text=None)
        )
    connection.execute(delete(schema.REACTIONS).where(on_device_of(schema.REACTIONS.c.person, person_id)))
    connection.execute(
        delete(schema.MUTES).where(
            on_device_of(schema.MUTES.c.person, person_id) | on_device_of(schema.MUTES.c.muted, person_id)
        )
    )


def _forget_sign(connection: Connection, person_id: str) -> None:
    """Delete the time at which the person was last seen."""
    setting = schema.SETTINGS.c.name == "seen"
    seen = connection.execute(select(schema.SETTINGS.c.value).where(setting)).scalar()
    if seen is not None:
        others = {person: at for person, at in msgspec.json.decode(seen).items() if person != person_id}
        connection.execute(update(schema.SETTINGS).where(setting).values(value=msgspec.json.encode(others)))


def _rewrite(connection: Connection, table: Rewritten) -> None:
    for version, data in enumerate(table.events, 1):
        event = (schema.EVENTS.c.table_id == table.table_id) & (schema.EVENTS.c.version == version)
        connection.execute(update(schema.EVENTS).where(event).values(data=data))
    append_events(connection, table.table_id, len(table.events), table.added, table.summary)
    forget_result(connection, table.table_id)  # it is computed again


def _replace_file(connection: Connection, digest: str, new: str, text: str) -> None:
    connection.execute(update(schema.COMPONENT_SETS).where(schema.COMPONENT_SETS.c.digest == new).values(text=text))
    connection.execute(
        update(schema.COMPONENT_OWNERS).where(schema.COMPONENT_OWNERS.c.digest == digest).values(digest=new)
    )


def _forget_files(connection: Connection) -> None:
    """Delete component files that have no owner and are used by no table."""
    needed = set(connection.execute(select(schema.COMPONENT_OWNERS.c.digest)).scalars())
    for data in connection.execute(select(schema.EVENTS.c.data).where(schema.EVENTS.c.version == 1)).scalars():
        with suppress(msgspec.DecodeError):  # a corrupt table uses no components
            needed.add(_OPENING.decode(data).components)
    for digest in set(connection.execute(select(schema.COMPONENT_SETS.c.digest)).scalars()) - needed:
        connection.execute(delete(schema.COMPONENT_SETS).where(schema.COMPONENT_SETS.c.digest == digest))
