"""Tables, people and component files taken out of a database, so that nothing of them is left in its file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, func, or_, select, update

from spieltisch.store.alert_subscriptions import delete_in
from spieltisch.store.errors import WriteFailed
from spieltisch.store.people import on_device_of
from spieltisch.store.schema import (
    ALERT_SUBSCRIPTIONS,
    ANALYSES,
    CHAT_MESSAGES,
    COMPONENT_OWNERS,
    COMPONENT_SETS,
    EVENTS,
    MUTES,
    OUTBOX,
    PASSKEYS,
    PEOPLE,
    PLANS,
    REACTIONS,
    RECOVERY_CODES,
    RESULTS,
    SEAT_HOLDERS,
    SECRETS,
    SESSIONS,
    SETTINGS,
    TABLES,
)
from spieltisch.store.store import BUSY_SECONDS, Store, append_events
from spieltisch.tables.summary import TableSummary

PERSON_TABLES = (SESSIONS, COMPONENT_OWNERS, RECOVERY_CODES, PASSKEYS, PLANS)
"""What belongs to a `person`, beside their seats."""
Speaker: TypeAlias = tuple[str, str]
"""A table's id, and a person's there."""
_OPENING: msgspec.json.Decoder[Any] = msgspec.json.Decoder(msgspec.defstruct("Opening", [("components", str, "")]))


class Rewritten(msgspec.Struct, frozen=True):
    """A table as it is to stand: its events' JSON from the first on, what is appended to them (time, JSON), and the
    summary that belongs to the result.
    """

    table_id: str
    events: Sequence[bytes]
    added: Sequence[tuple[float, bytes]]
    summary: TableSummary


async def remove_table(store: Store, table_id: str) -> None:
    """Take a table out with all that belongs to it; component files that nobody needs any more go with it."""

    def job(connection: Connection) -> int:
        for part in (SEAT_HOLDERS, EVENTS, SECRETS, ANALYSES, RESULTS, OUTBOX, CHAT_MESSAGES, REACTIONS, MUTES, PLANS):
            connection.execute(delete(part).where(part.c.table_id == table_id))
        connection.execute(delete(TABLES).where(TABLES.c.id == table_id))
        _forget_files(connection)
        return 0

    await store.write(job, table_id)  # noted: else its loss would be told of


async def remove_person(
    store: Store,
    person_id: str,
    tables: Iterable[Rewritten],
    files: Mapping[str, tuple[str, str]],
    speakers: Mapping[Speaker, tuple[str, str]],
) -> None:
    """Take a person out with their sessions and files, and let tables stand as they are given, all at once. What is in
    `files`, by its digest, is known by a new digest from now on, and has a new text. Of what the `speakers` have said
    only who did remains, by the id and the name given for each; their notes go.
    """

    def job(connection: Connection) -> None:
        for table in tables:
            _rewrite(connection, table)
        delete_in(connection, ALERT_SUBSCRIPTIONS.c.person == person_id)
        for owned in PERSON_TABLES:
            connection.execute(delete(owned).where(owned.c.person == person_id))
        connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person_id))
        _forget_sign(connection, person_id)
        _forget_words(connection, person_id, speakers)
        for digest, (new, text) in files.items():
            _replace_file(connection, digest, new, text)
        _forget_files(connection)

    await store.write(job)


async def chat_authors(store: Store, person_id: str) -> dict[Speaker, frozenset[str]]:
    """Where this person, or somebody beside them, has spoken; and the names of all who have spoken there."""
    theirs = (
        select(CHAT_MESSAGES.c.table_id, CHAT_MESSAGES.c.person)
        .where(on_device_of(CHAT_MESSAGES.c.person, person_id))
        .distinct()
    )

    def job(connection: Connection) -> dict[Speaker, frozenset[str]]:
        found = [(row.table_id, row.person) for row in connection.execute(theirs)]
        names = select(CHAT_MESSAGES.c.name).distinct()
        return {
            one: frozenset(connection.execute(names.where(CHAT_MESSAGES.c.table_id == one[0])).scalars())
            for one in found
        }

    return await store.read(job)


async def tables_mentioning(store: Store, *words: str) -> tuple[str, ...]:
    """The tables in whose events one of these words stands: an id, a digest."""
    stands = or_(*(func.instr(EVENTS.c.data, word.encode()) > 0 for word in words))
    wanted = select(EVENTS.c.table_id).distinct().where(stands).order_by(EVENTS.c.table_id)
    return await store.read(lambda connection: tuple(connection.execute(wanted).scalars()))


async def vacuum(store: Store) -> None:
    """Write the file anew without what was removed, and empty its log: nothing of it is left. Raises `WriteFailed`."""

    def job() -> None:
        try:
            with closing(sqlite3.connect(store.path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("VACUUM")
                busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as problem:
            raise WriteFailed(f"{store.path} could not be written anew: {problem}") from problem
        if busy:
            raise WriteFailed(f"{store.path} could not be written anew: somebody reads it")

    await asyncio.to_thread(job)


def _forget_words(connection: Connection, person_id: str, speakers: Mapping[Speaker, tuple[str, str]]) -> None:
    connection.execute(
        delete(CHAT_MESSAGES).where(on_device_of(CHAT_MESSAGES.c.person, person_id), CHAT_MESSAGES.c.room == "note")
    )
    for (table_id, person), (stranger, name) in speakers.items():
        said = (CHAT_MESSAGES.c.table_id == table_id) & (CHAT_MESSAGES.c.person == person)
        connection.execute(update(CHAT_MESSAGES).where(said).values(person=stranger, name=name, text=None))
    connection.execute(delete(REACTIONS).where(on_device_of(REACTIONS.c.person, person_id)))
    connection.execute(
        delete(MUTES).where(on_device_of(MUTES.c.person, person_id) | on_device_of(MUTES.c.muted, person_id))
    )


def _forget_sign(connection: Connection, person_id: str) -> None:
    """When the person was here last."""
    kept = SETTINGS.c.name == "seen"
    seen = connection.execute(select(SETTINGS.c.value).where(kept)).scalar()
    if seen is not None:
        others = {person: at for person, at in msgspec.json.decode(seen).items() if person != person_id}
        connection.execute(update(SETTINGS).where(kept).values(value=msgspec.json.encode(others)))


def _rewrite(connection: Connection, table: Rewritten) -> None:
    for version, data in enumerate(table.events, 1):
        event = (EVENTS.c.table_id == table.table_id) & (EVENTS.c.version == version)
        connection.execute(update(EVENTS).where(event).values(data=data))
    append_events(connection, table.table_id, len(table.events), table.added, table.summary)
    connection.execute(delete(RESULTS).where(RESULTS.c.table_id == table.table_id))  # it is worked out anew


def _replace_file(connection: Connection, digest: str, new: str, text: str) -> None:
    connection.execute(update(COMPONENT_SETS).where(COMPONENT_SETS.c.digest == new).values(text=text))
    connection.execute(update(COMPONENT_OWNERS).where(COMPONENT_OWNERS.c.digest == digest).values(digest=new))


def _forget_files(connection: Connection) -> None:
    """Component files that nobody owns and no table is played with."""
    needed = set(connection.execute(select(COMPONENT_OWNERS.c.digest)).scalars())
    for data in connection.execute(select(EVENTS.c.data).where(EVENTS.c.version == 1)).scalars():
        with suppress(msgspec.DecodeError):  # a damaged table is played with nothing
            needed.add(_OPENING.decode(data).components)
    for digest in set(connection.execute(select(COMPONENT_SETS.c.digest)).scalars()) - needed:
        connection.execute(delete(COMPONENT_SETS).where(COMPONENT_SETS.c.digest == digest))
