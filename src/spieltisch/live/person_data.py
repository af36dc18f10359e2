"""What is stored of a person, while the server runs: export it, and delete it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.words import Words
from spieltisch.live.disk_errors import await_write
from spieltisch.live.game_history import GameHistory
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.people import People
from spieltisch.live.person_removal import remove_person
from spieltisch.live.presence import Presence
from spieltisch.live.records import MOST
from spieltisch.store import Person, StaleVersion, Store, alert_subscriptions, component_sets, plans, removal
from spieltisch.store import chat as said
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import damaged

T = TypeVar("T")


class PersonData:
    """See the module. One deletion or export runs at a time; a deletion goes on when its caller goes away."""

    def __init__(
        self,
        store: Store,
        games: Callable[[str], Game],
        tables: LiveTables,
        people: People,
        presence: Presence,
        history: GameHistory,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._games = games
        self._tables = tables
        self._people = people
        self._presence = presence
        self._history = history
        self._clock = clock
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Finish what was begun."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def delete(self, person: Person) -> None:
        """Delete a person from everything, as `remove_person` does. Raises `TableRefusal` not-written, damaged."""
        await self._run_shielded(self._delete(person))

    async def export(self, person: Person) -> bytes:
        """Return all that is stored of a person, as JSON: preferences, passkeys, tables, records of finished games,
        chat, ways to be told, component files.
        """
        async with self._writing:  # many games are played again for it
            stored = await self._store.tables(person=person.id, limit=MOST)
            words = Words("en")
            tables: list[dict[str, Any]] = [
                {
                    "id": one.id,
                    "game": one.game,
                    "status": one.status,
                    "created": one.created,
                    "changed": one.changed,
                    "host": one.host == person.id,
                    "seat": one.summary.seat_of(person.id),
                    "seats": [{"kind": seat.kind, "name": words.say(seat.name)} for seat in one.summary.seats],
                    "record": await self._record(one.id) if one.status == "finished" else None,
                }
                for one in stored
            ]
            files = await component_sets.owned_by(self._store, person.id)
        kept = {
            "name": person.name,
            "language": person.language,
            "created": person.created,
            "preferences": person.preferences,
            "passkeys": [
                {"name": one.name, "added": one.added, "used": one.used}
                for one in await self._people.passkeys.of(person.id)
            ],
            "devices": await self._people.sessions(person.id),
            "tables": tables,
            "told": [
                {"kind": one.kind, "address": one.address, "state": one.state, "added": one.added}
                for one in await alert_subscriptions.of_person(self._store, person.id)
            ],
            "said": [
                {"table": table_id, "room": one.room, "name": words.say(one.name), "at": one.at, "text": one.text}
                for table_id, one in await said.by_person(self._store, person.id)
            ],
            "plans": [
                {
                    "table": table_id,
                    "made": one.made,
                    "plan": one.planned,
                    "fate": words.say(one.outcome) if one.outcome else "",
                }
                for table_id, one in await plans.of_person(self._store, person.id)
            ],
            "component_files": [{"game": one.game, "added": one.added, "text": one.text} for one in files],
        }
        return msgspec.json.format(msgspec.json.encode(kept))

    async def _record(self, table_id: str) -> str | None:
        try:
            table = await self._tables.get(table_id)
            return await asyncio.to_thread(lambda: table.record(None).text)
        except TableRefusal:  # a damaged table is listed without its record
            return None

    async def _delete(self, person: Person) -> None:
        gone = False
        while (held := await removal.tables_mentioning(self._store, person.id)) or not gone:
            async with self._writing, self._history.lock, self._tables.rewrite_events(held):
                try:
                    await await_write(remove_person(self._store, self._games, person, self._clock()))
                    gone = True
                except StaleVersion:
                    continue  # somebody was quicker at a table that was not held
                except ValueError as problem:
                    raise damaged() from problem
                finally:
                    self._history.forget()
                    self._people.evict(person.id)
        self._presence.forget(person.id)

    async def _run_shielded(self, job: Coroutine[Any, Any, T]) -> T:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        task.exception()  # asked for here, because the caller may have gone away; who waits still gets it
