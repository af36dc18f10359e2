"""Permanent removal of a person from a database.

The games of others stay complete, with an unnamed guest in the person's place. The database must not be in use by a
server, unless that server has locked the tables (`person_data.py`).
"""

import asyncio
import re
import secrets
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from spieltisch import tables
from spieltisch.core.components import Components, ComponentsError
from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.core.toml_remarks import without_remarks
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.records import offline_library
from spieltisch.live.table_loading import decode_events, fold_events
from spieltisch.store import ComponentSet, ExtraWrite, Person, Store, component_sets, removal
from spieltisch.store.removal import Rewritten
from spieltisch.tables import Aborted, Anonymizer, Event, Opened, RecordedEvent, Table, device_owner

NOBODY: Final = "N. N."
"""The replacement for a name in a component file, independent of language."""
KEYS_WITHOUT_EFFECT: Final = frozenset({"name", "title", "provenance"})
"""The keys of a component file that do not affect the game."""


class RemovalResult(msgspec.Struct, frozen=True):
    """The result of a removal.

    `tables` are those at which a guest has taken the person's place, `uploads` the games that they had uploaded.
    `rooms` are those in which a chat has changed, each with the id of its table. `files_with_name` are the digests of
    component files that stay unchanged although their values contain the name, because tables are played with them.
    """

    tables: tuple[str, ...]
    uploads: tuple[str, ...]
    rooms: frozenset[tuple[str, str]]
    files_with_name: tuple[str, ...]


async def remove_person(
    store: Store,
    games: Callable[[str], Game],
    person: Person,
    at: float,
    *also: ExtraWrite,
    locked: Collection[str] | None = None,
) -> RemovalResult:
    """Remove a person from all tables, logs and records, with their sessions, component files and uploaded games.

    A running server has `locked` tables, and only these change: others may have been opened meanwhile.

    They leave unfinished tables. `at` is in UTC seconds; the writes in `also` run first in the same transaction. Their
    data remain in the file's free space until `store.removal.vacuum`. Raise ValueError for a table that cannot be read,
    or `WriteFailed`; in both cases nothing is changed.
    """
    names = {person.name}
    authors, rooms = await removal.authors(store, person.id), await removal.rooms(store, person.id)
    speakers: dict[tuple[str, str], tuple[str, str]] = {}
    anonymous_ids: dict[str, str] = {}
    recorded_events: dict[str, list[RecordedEvent]] = {}

    async def anonymizer(table_id: str, events: Sequence[RecordedEvent], *, is_player: bool) -> Anonymizer:
        # The number of a player must not tell players whether a spectator has written.
        other_names = await removal.author_names(store, table_id, shown_to_players=is_player)
        anonymous_ids[table_id] = secrets.token_urlsafe(9)
        recorded = [recorded.event for recorded in events]
        return Anonymizer(person.id, anonymous_ids[table_id], recorded, other_names)

    for table_id in await removal.tables_mentioning(store, person.id):
        if locked is not None and table_id not in locked:
            continue
        events = await _events(store, table_id)
        anonymous = await anonymizer(table_id, events, is_player=True)
        recorded_events[table_id] = [_with_event(recorded, anonymous.anonymize(recorded.event)) for recorded in events]
        names |= anonymous.names
        speakers |= _replacements(anonymous, table_id, authors)
    for table_id in {table_id for table_id, _ in authors} - anonymous_ids.keys():  # they were only spectators there
        anonymous = await anonymizer(table_id, await _events(store, table_id), is_player=False)
        speakers |= _replacements(anonymous, table_id, authors)
    files, with_name = await _files_without(names, store, games, person.id)
    renamed = [digest for digest, components in files.items() if components.digest != digest]
    for table_id in await removal.tables_mentioning(store, *renamed) if renamed else ():
        events = recorded_events.get(table_id) or await _events(store, table_id)
        recorded_events[table_id] = [_with_components(files, events[0]), *events[1:]]
    for components in files.values():
        await component_sets.add(store, ComponentSet.of(components, at))
    library = offline_library(store, games, at)
    rewritten = [
        await _table_without(store, library, table_id, events, anonymous_ids.get(table_id), at)
        for table_id, events in recorded_events.items()
    ]
    replacements = {digest: (components.digest, components.text) for digest, components in files.items()}
    replace_names = partial(_pattern(names).sub, NOBODY)
    uploads = await removal.remove_person(
        store, person.id, rewritten, replacements, speakers, *also, replace_names=replace_names
    )
    files_with_name = [digest for digest in with_name if await component_sets.find(store, digest) is not None]
    return RemovalResult(tuple(anonymous_ids), uploads, rooms, tuple(files_with_name))


def _replacements(
    anonymous: Anonymizer, table_id: str, authors: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the new id and name of each player who has posted at a table."""
    return {author: anonymous.replacement(author[1]) for author in authors if author[0] == table_id}


async def _events(store: Store, table_id: str) -> list[RecordedEvent]:
    try:
        return decode_events(await store.events(table_id))
    except ValueError as error:
        raise _damage_error(table_id, error) from error


def _damage_error(table_id: str, error: ValueError) -> ValueError:
    return ValueError(f"table {table_id} is damaged, and has to be removed first: {error}")


def _with_event(recorded: RecordedEvent, event: Event) -> RecordedEvent:
    return RecordedEvent(recorded.version, recorded.at, event)


async def _table_without(
    store: Store,
    library: ComponentLibrary,
    table_id: str,
    events: Sequence[RecordedEvent],
    anonymous_id: str | None,
    at: float,
) -> Rewritten:
    """Return the table as it must be stored: the removed person leaves and is no longer the host."""
    before = list(events)
    added: list[RecordedEvent] = []

    async def folded() -> Table:
        try:
            return await fold_events(store, library, table_id, [*before, *added])
        except ValueError as error:
            raise _damage_error(table_id, error) from error

    def append(table: Table, new_events: Iterable[Event]) -> Table:
        for event in new_events:
            added.append(RecordedEvent(table.version + 1, max(at, table.changed_at), event))
            table = tables.apply(table, added[-1:])
        return table

    table = await folded()
    if table.replay_difference is not None:
        table = append(table, [table.replay_difference])
    is_suspended = table.is_suspended and bool(table.host == anonymous_id or table.seats_on_device(anonymous_id))
    if is_suspended:  # or the seat, and the host, would be nobody's once it is thawed
        table = append(table, tables.resume(table))
    for seat in table.seats_on_device(anonymous_id):
        if table.status in ("open", "running"):
            table = append(table, tables.leave(table, seat.person))
    # A host who never took a seat at their table.
    if table.host == anonymous_id and table.status in ("open", "running"):
        kept = (seat for seat in table.seats if seat.kind == "reserved" and table.opened.keeps_seats)
        heir = next((device_owner(seat.person) for seat in (*table.people, *kept)), "")
        before[0] = _with_event(before[0], msgspec.structs.replace(table.opened, host=heir))
        table = await folded()
        if not heir:
            table = append(table, [Aborted()])
    if is_suspended and not table.is_over:
        table = append(table, tables.suspend(table))
    rewritten = [tables.encode(recorded.event) for recorded in before]
    return Rewritten(
        table_id, rewritten, [(recorded.at, tables.encode(recorded.event)) for recorded in added], table.summary()
    )


def _with_components(files: dict[str, Components[Any]], first: RecordedEvent) -> RecordedEvent:
    opened = first.event
    if not isinstance(opened, Opened) or opened.components not in files:
        return first
    return _with_event(first, msgspec.structs.replace(opened, components=files[opened.components].digest))


async def _files_without(
    names: set[str], store: Store, games: Callable[[str], Game], person_id: str
) -> tuple[dict[str, Components[Any]], list[str]]:
    """Return the person's component files without comments, evidence and any of these names, by digest.

    Also return the digests of those that keep a name, because the game would change without it.
    """
    pattern = _pattern(names)
    files: dict[str, Components[Any]] = {}
    with_name: list[str] = []
    for file in await component_sets.owned_by(store, person_id):
        bare_text = without_remarks(file.text)
        for text in dict.fromkeys((pattern.sub(NOBODY, bare_text), bare_text)):
            try:
                components = await asyncio.to_thread(games(file.game).read_components, text)
            except (ComponentsError, UnknownGame):
                continue
            if _decode_values(text) == _decode_values(file.text):
                files[file.digest] = components
                break
        if pattern.search(files[file.digest].text if file.digest in files else file.text):
            with_name.append(file.digest)
    return files, with_name


def _pattern(names: set[str]) -> re.Pattern[str]:
    """Return the pattern of these names, as whole words."""
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))


def _decode_values(text: str) -> dict[str, Any]:
    return {key: value for key, value in tomllib.loads(text).items() if key not in KEYS_WITHOUT_EFFECT}
