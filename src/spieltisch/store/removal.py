"""Removal of tables, people and component files from a database, so that no trace is left in its file.

`Table.info` may name columns with `free_text` of others, where the name of a removed person is replaced in rows that
they could read: those whose first column of `readers` is among the values of the second where the third is the person.
It may have a condition `orphaned`: rows to which it applies after a removal are deleted; and a function `departure`: it
takes the condition on rows that are about to be deleted, and returns a statement that is executed before.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, Table, case, delete, exists, or_, select, true, update

from spieltisch.store import schema
from spieltisch.store.dialects import contains
from spieltisch.store.hooks import Hooks
from spieltisch.store.notices import ENDED
from spieltisch.store.people import keep_last_access_time, on_device_of
from spieltisch.store.result_rows import forget_result
from spieltisch.store.retention import with_retention
from spieltisch.store.store import Store
from spieltisch.store.table_rows import ExtraWrite, append_events
from spieltisch.store.writer import RemovedTables
from spieltisch.tables.summary import TableSummary

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


async def remove_table(store: Store, table_id: str, *also: ExtraWrite) -> None:
    """Delete a table with everything that belongs to it, and component files that are no longer needed.

    The writes in `also` run before that, in the same transaction.
    """

    def job(connection: Connection) -> int:
        # So that no other process adds a row of the table while they are deleted.
        connection.execute(select(schema.TABLES.c.id).where(schema.TABLES.c.id == table_id).with_for_update())
        for write in also:
            write(connection)
        _remove_rows(connection, store.hooks, table_id)
        _forget_files(connection)
        return 0

    await store.write(job, table_id)  # recorded in the journal, or its absence would be reported as a loss


async def remove_person(
    store: Store,
    person_id: str,
    tables: Iterable[Rewritten],
    files: Mapping[str, tuple[str, str]],
    speakers: Mapping[Speaker, tuple[str, str]],
    *also: ExtraWrite,
    replace_names: Callable[[str], str] = str,
) -> tuple[str, ...]:
    """Rewrite tables, and delete all rows of a person and of the players on their device, in one transaction.

    Delete and return the games that they have uploaded, too: their name may be in them. `files` maps the digest of a
    component file to its new digest and text. What the `speakers` have written stays; it loses its text and gets the id
    and name given for each. Private notes are deleted. `replace_names` returns a text
    without their names. The writes in `also` run first.
    """

    def job(connection: Connection) -> RemovedTables:
        for write in also:
            write(connection)
        keep_last_access_time(connection, person_id)
        own_uploads = select(schema.UPLOADS.c.table_id).where(schema.UPLOADS.c.person == person_id)
        uploads = RemovedTables(connection.execute(own_uploads).scalars())
        for table_id in uploads:
            _remove_rows(connection, store.hooks, table_id)
        for rewritten in tables:
            _rewrite(connection, store.hooks, rewritten)
        for table in _tables_with_authors(store):
            _anonymize(connection, table, speakers)
        _replace_names(connection, store.hooks, person_id, replace_names)
        for table in store.hooks.tables:
            for column in [table.c[table.info[key]] for key in ("person", "other_person") if key in table.info]:
                own = on_device_of(column, person_id)
                if "departure" in table.info:
                    connection.execute(table.info["departure"](own))
                connection.execute(delete(table).where(own))
            for name in table.info.get("mentions", ()):
                mentioned = on_device_of(table.c[name], person_id)
                connection.execute(update(table).where(mentioned).values({name: ""}))
        for table in store.hooks.tables:
            if "orphaned" in table.info:
                connection.execute(delete(table).where(table.info["orphaned"]))
        _forget_presence(connection, person_id)
        for digest, (new, text) in files.items():
            _replace_file(connection, digest, new, text)
        _forget_files(connection)
        return uploads

    return await store.write(job, notices=[(ENDED, person_id)])


async def authors(store: Store, person_id: str) -> frozenset[Speaker]:
    """Return where this person, or a player on their device, is an author."""

    def job(connection: Connection) -> frozenset[Speaker]:
        speakers = set[Speaker]()
        for table in _tables_with_authors(store):
            place, person = table.c[table.info["table"]], table.c[table.info["person"]]
            own = select(place, person).where(on_device_of(person, person_id)).distinct()
            speakers.update((table_id, author) for table_id, author in connection.execute(own))
        return frozenset(speakers)

    return await store.read(job)


async def author_names(store: Store, table_id: str, *, shown_to_players: bool) -> frozenset[str]:
    """Return the names of all authors at a table, or of those whose rows its players may read."""

    def job(connection: Connection) -> frozenset[str]:
        names = set[str]()
        for table in _tables_with_authors(store):
            may_read = [table.info.get("is_shown_to_players", true())] if shown_to_players else []
            of_table = table.c[table.info["table"]] == table_id, *may_read
            names.update(connection.execute(select(table.c[table.info["name"]]).where(*of_table).distinct()).scalars())
        return frozenset(names)

    return await store.read(job)


async def rooms(store: Store, person_id: str) -> frozenset[tuple[str, str]]:
    """Return the rooms that show messages of a person, or reactions of theirs, each with the id of its table."""

    def job(connection: Connection) -> frozenset[tuple[str, str]]:
        found = set[tuple[str, str]]()
        for messages in with_retention(store, "chats"):
            is_shown = [on_device_of(messages.c.person, person_id)]
            shown = [each for each in with_retention(store, "reactions") if "other_person" not in each.info]
            for reactions in shown:  # a report of another person's message is shown to nobody there
                table_of_both = messages.c[messages.info["table"]] == reactions.c[reactions.info["table"]]
                to_message = table_of_both & (messages.c.number == reactions.c.number)
                is_shown.append(exists().where(to_message, on_device_of(reactions.c.person, person_id)))
            place = select(messages.c[messages.info["table"]], messages.c.room).distinct()
            query = place.where(or_(*is_shown), ~messages.info["is_private"])
            found.update((table_id, room) for table_id, room in connection.execute(query))
        return frozenset(found)

    return await store.read(job)


async def tables_mentioning(store: Store, *texts: str) -> tuple[str, ...]:
    """Return the ids of the tables whose events contain one of these strings (an id, a digest)."""
    events = schema.EVENTS.c

    def read(connection: Connection) -> tuple[str, ...]:
        mentioned = or_(*(contains(connection, events.data, text) for text in texts))
        query = select(events.table_id).distinct().where(mentioned).order_by(events.table_id)
        return tuple(connection.execute(query).scalars())

    return await store.read(read)


async def vacuum(store: Store) -> None:
    """Rewrite the database without deleted content. Raise `WriteFailed` if it fails or another process is reading."""
    await asyncio.to_thread(store.database.vacuum)


def _remove_rows(connection: Connection, hooks: Hooks, table_id: str) -> None:
    """Delete the rows that belong to a table, but for its component file."""
    forget_result(connection, table_id)
    for table in hooks.tables:
        if "table" in table.info:
            connection.execute(delete(table).where(table.c[table.info["table"]] == table_id))


def _tables_with_authors(store: Store) -> list[Table]:
    """Return the SQL tables whose rows stay under another name when their person is removed."""
    return [table for table in store.hooks.tables if "name" in table.info]


def _anonymize(connection: Connection, table: Table, speakers: Mapping[Speaker, tuple[str, str]]) -> None:
    """Give the rows of these people a new id and name, and take their content away. Leave private ones as they are."""
    info = table.info
    for (table_id, person), (anonymous_id, name) in speakers.items():
        own = table.c[info["table"]] == table_id, table.c[info["person"]] == person, ~info["is_private"]
        shown_name = table.c[info["name"]]
        new_name = case((shown_name == "", ""), else_=name)  # a row without a name shows no number of a guest either
        values = {info["person"]: anonymous_id, info["name"]: new_name, info["content"]: None}
        connection.execute(update(table).where(*own).values(values))


def _replace_names(connection: Connection, hooks: Hooks, person_id: str, replace_names: Callable[[str], str]) -> None:
    """Replace the names of a removed person in texts that belong to others and that the person could read.

    Elsewhere the same word is not theirs, and others would notice that someone of that name was removed.
    """
    for table in hooks.tables:
        for name in table.info.get("free_text", ()):
            row_key, readers_key, reader = table.info["readers"]
            is_read = row_key.in_(select(readers_key).where(on_device_of(reader, person_id)))
            texts = connection.execute(select(table.c[name]).where(is_read).distinct()).scalars().all()
            for text in texts:
                if (without := replace_names(text)) != text:
                    changed = is_read, table.c[name] == text
                    connection.execute(update(table).where(*changed).values({name: without}))


def _forget_presence(connection: Connection, person_id: str) -> None:
    """Delete the time at which the person was last seen."""
    setting = schema.SETTINGS.c.name == "seen"
    seen = connection.execute(select(schema.SETTINGS.c.value).where(setting)).scalar()
    if seen is not None:
        others = {person: at for person, at in msgspec.json.decode(seen).items() if person != person_id}
        connection.execute(update(schema.SETTINGS).where(setting).values(value=msgspec.json.encode(others)))


def _rewrite(connection: Connection, hooks: Hooks, table: Rewritten) -> None:
    for version, data in enumerate(table.events, 1):
        event = (schema.EVENTS.c.table_id == table.table_id) & (schema.EVENTS.c.version == version)
        connection.execute(update(schema.EVENTS).where(event).values(data=data))
    append_events(connection, hooks, table.table_id, len(table.events), table.added, table.summary)
    forget_result(connection, table.table_id)  # it is computed again


def _replace_file(connection: Connection, digest: str, new: str, text: str) -> None:
    """Replace the text that tables use. A file that others have uploaded, too, keeps its digest and gets their text."""
    sets, owners = schema.COMPONENT_SETS, schema.COMPONENT_OWNERS.c
    connection.execute(update(sets).where(sets.c.digest == new).values(text=text))
    of_another = connection.execute(select(owners.text).where(owners.digest == digest).limit(1)).scalar()
    if of_another is not None:
        connection.execute(update(sets).where(sets.c.digest == digest).values(text=of_another))


def _forget_files(connection: Connection) -> None:
    """Delete component files that have no owner and are used by no table."""
    owned = select(schema.COMPONENT_OWNERS.c.digest)
    sets = schema.COMPONENT_SETS.c
    unused = set(connection.execute(select(sets.digest).where(sets.digest.not_in(owned))).scalars())
    # Found by the key of each table: a condition on the version alone would scan all events.
    first = (schema.EVENTS.c.table_id == schema.TABLES.c.id) & (schema.EVENTS.c.version == 1)
    opening = select(schema.EVENTS.c.data).where(first).correlate(schema.TABLES).scalar_subquery()
    openings = select(opening).select_from(schema.TABLES)
    for data in connection.execute(openings).scalars():
        if not unused:
            return
        with suppress(msgspec.DecodeError):  # a corrupt table uses no components
            unused.discard(_OPENING.decode(data or b"").components)
    connection.execute(delete(schema.COMPONENT_SETS).where(sets.digest.in_(sorted(unused))))
