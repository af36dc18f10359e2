"""A person leaves a database for good: others' games stay whole, and a guest without a name has played in them.

For a database that no server works on, or one whose server holds the tables meanwhile (`person_data.py`).
"""

from __future__ import annotations

import asyncio
import re
import secrets
import tomllib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from spieltisch import tables
from spieltisch.core.components import Components, ComponentsError
from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.records import offline_library
from spieltisch.live.table_loading import decode_events, fold_events
from spieltisch.store import ComponentSet, Person, Store, component_sets, removal
from spieltisch.store.removal import Rewritten
from spieltisch.tables import Aborted, Anonymizer, Event, Opened, RecordedEvent, Table, device_owner

NOBODY: Final = "N. N."
"""What stands for a name in a component file, which is in no language."""
KEYS_WITHOUT_EFFECT: Final = frozenset({"name", "title", "provenance"})
"""What stands in a component file and changes no game."""


class Removed(msgspec.Struct, frozen=True):
    """What was done: at which tables a guest has the person's place, and which component files, by their digests, stay
    as they are though their values hold the name, because tables are played with them.
    """

    tables: tuple[str, ...]
    files_with_name: tuple[str, ...]


async def remove_person(store: Store, games: Callable[[str], Game], person: Person, at: float) -> Removed:
    """Take a person out of all tables, logs and records, with their sessions and component files. From tables that are
    not over they get up. `at`: UTC seconds. In the file's free room they stay until `store.removal.compact`.

    Raises ValueError for a table that cannot be read, `WriteFailed`; nothing was changed then.
    """
    names = {person.name}
    spoken = await removal.chat_authors(store, person.id)
    called = {table_id: all_names for (table_id, _), all_names in spoken.items()}
    speakers: dict[tuple[str, str], tuple[str, str]] = {}

    def anonymous_at(table_id: str, events: Sequence[RecordedEvent]) -> Anonymizer:
        return Anonymizer(person.id, strangers[table_id], [one.event for one in events], called.get(table_id, ()))

    strangers: dict[str, str] = {}
    written: dict[str, list[RecordedEvent]] = {}
    for table_id in await removal.tables_mentioning(store, person.id):
        strangers[table_id] = secrets.token_urlsafe(9)
        events = await _events(store, table_id)
        anonymous = anonymous_at(table_id, events)
        written[table_id] = [_with(one, anonymous.anonymize(one.event)) for one in events]
        names |= anonymous.names
        speakers |= _replacements(anonymous, table_id, spoken)
    for table_id in called.keys() - strangers.keys():  # they only looked on there
        strangers[table_id] = secrets.token_urlsafe(9)
        anonymous = anonymous_at(table_id, await _events(store, table_id))
        speakers |= _replacements(anonymous, table_id, spoken)
    files, with_name = await _without(names, store, games, person.id)
    for table_id in await removal.tables_mentioning(store, *files) if files else ():
        events = written.get(table_id) or await _events(store, table_id)
        written[table_id] = [_played_with(files, events[0]), *events[1:]]
    for components in files.values():
        await component_sets.add(store, ComponentSet.of(components, at))
    own = offline_library(store, games, at)
    rewritten = [
        await _table_without(store, own, key, events, strangers.get(key), at) for key, events in written.items()
    ]
    replaced = {digest: (components.digest, components.text) for digest, components in files.items()}
    await removal.remove_person(store, person.id, rewritten, replaced, speakers)
    left = [digest for digest in with_name if await component_sets.find(store, digest) is not None]
    return Removed(tuple(strangers), tuple(left))


def _replacements(
    anonymous: Anonymizer, table_id: str, spoken: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Under which id and name those who have spoken at a table are known from now on."""
    return {one: anonymous.replacement(one[1]) for one in spoken if one[0] == table_id}


async def _events(store: Store, table_id: str) -> list[RecordedEvent]:
    try:
        return decode_events(await store.events(table_id))
    except ValueError as problem:
        raise _damaged(table_id, problem) from problem


def _damaged(table_id: str, problem: ValueError) -> ValueError:
    return ValueError(f"table {table_id} is damaged, and has to be removed first: {problem}")


def _with(written: RecordedEvent, event: Event) -> RecordedEvent:
    return RecordedEvent(written.version, written.at, event)


async def _table_without(
    store: Store, own: ComponentLibrary, table_id: str, events: Sequence[RecordedEvent], stranger: str | None, at: float
) -> Rewritten:
    """The table as it is to stand: who is gone gets up, and is no host any more."""
    before = list(events)
    added: list[RecordedEvent] = []

    async def folded() -> Table:
        try:
            return await fold_events(store, own, table_id, [*before, *added])
        except ValueError as problem:
            raise _damaged(table_id, problem) from problem

    def then(table: Table, more: Iterable[Event]) -> Table:
        for event in more:
            added.append(RecordedEvent(table.version + 1, max(at, table.changed_at), event))
            table = tables.apply(table, added[-1:])
        return table

    table = await folded()
    if table.replay_difference is not None:
        table = then(table, [table.replay_difference])
    for seat in table.seats_on_device(stranger):
        if table.status in ("open", "running"):
            table = then(table, tables.leave(table, seat.person))
    if table.host == stranger and table.status in ("open", "running"):  # they opened it, and never sat there
        heir = next((device_owner(seat.person) for seat in table.people), "")
        before[0] = _with(before[0], msgspec.structs.replace(table.opened, host=heir))
        table = await folded()
        if not heir:
            table = then(table, [Aborted()])
    whole = [tables.encode(one.event) for one in before]
    return Rewritten(table_id, whole, [(one.at, tables.encode(one.event)) for one in added], table.summary())


def _played_with(files: dict[str, Components[Any]], first: RecordedEvent) -> RecordedEvent:
    opened = first.event
    if not isinstance(opened, Opened) or opened.components not in files:
        return first
    return _with(first, msgspec.structs.replace(opened, components=files[opened.components].digest))


async def _without(
    names: set[str], store: Store, games: Callable[[str], Game], person_id: str
) -> tuple[dict[str, Components[Any]], list[str]]:
    """The person's component files that hold one of these names, by digest, as they are without it; and the digests of
    those that cannot be without it, because a game would not be the same.
    """
    alone = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    files: dict[str, Components[Any]] = {}
    with_name: list[str] = []
    for file in await component_sets.owned_by(store, person_id):
        text = alone.sub(NOBODY, file.text)
        if text == file.text:
            continue
        try:
            components = await asyncio.to_thread(games(file.game).read_components, text)
        except (ComponentsError, UnknownGame):
            with_name.append(file.digest)
            continue
        if _values(text) == _values(file.text):
            files[file.digest] = components
        else:
            with_name.append(file.digest)
    return files, with_name


def _values(text: str) -> dict[str, Any]:
    return {key: value for key, value in tomllib.loads(text).items() if key not in KEYS_WITHOUT_EFFECT}
