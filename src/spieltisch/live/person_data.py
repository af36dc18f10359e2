"""Data stored of a person: its export and deletion while the server runs."""

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
from spieltisch.live.records import ALL_TABLES
from spieltisch.live.shielded import shielded
from spieltisch.store import Person, StaleVersion, Store, alert_subscriptions, chat, component_sets, plans, removal
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import damaged

T = TypeVar("T")


class PersonData:
    """Export and deletion of people's data, one at a time; a deletion continues if its caller is cancelled."""

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
        """Finish running exports and deletions."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def delete(self, person: Person) -> None:
        """Delete a person everywhere, as `remove_person` does.

        Raise `TableRefusal` `not-written` or `damaged`.
        """
        await self._run_shielded(self._delete(person))

    async def export(self, person: Person) -> bytes:
        """Return all data stored of a person, as JSON.

        It contains preferences, passkeys, devices, tables, records of finished games, chat, plans, alert subscriptions
        and component files.
        """
        async with self._writing:  # because many games are replayed for it
            stored = await self._store.tables(person=person.id, limit=ALL_TABLES)
            words = Words("en")
            tables: list[dict[str, Any]] = [
                {
                    "id": table.id,
                    "game": table.game,
                    "status": table.status,
                    "created": table.created,
                    "changed": table.changed,
                    "host": table.host == person.id,
                    "seat": table.summary.seat_of(person.id),
                    "seats": [{"kind": seat.kind, "name": words.say(seat.name)} for seat in table.summary.seats],
                    "record": await self._record(table.id) if table.status == "finished" else None,
                }
                for table in stored
            ]
            files = await component_sets.owned_by(self._store, person.id)
        document = {
            "name": person.name,
            "language": person.language,
            "created": person.created,
            "preferences": person.preferences,
            "passkeys": [
                {"name": passkey.name, "added": passkey.added, "used": passkey.used}
                for passkey in await self._people.passkeys.of(person.id)
            ],
            "devices": (await self._people.access(person.id)).sessions,
            "tables": tables,
            "told": [
                {
                    "kind": subscription.kind,
                    "address": subscription.address,
                    "state": subscription.state,
                    "added": subscription.added,
                }
                for subscription in await alert_subscriptions.of_person(self._store, person.id)
            ],
            "said": [
                {
                    "table": table_id,
                    "room": posted.room,
                    "name": words.say(posted.name),
                    "at": posted.at,
                    "text": posted.text,
                }
                for table_id, posted in await chat.by_person(self._store, person.id)
            ],
            "plans": [
                {
                    "table": table_id,
                    "made": plan.made,
                    "plan": plan.planned,
                    "fate": words.say(plan.outcome) if plan.outcome else "",
                }
                for table_id, plan in await plans.of_person(self._store, person.id)
            ],
            "component_files": [{"game": file.game, "added": file.added, "text": file.text} for file in files],
        }
        return msgspec.json.format(msgspec.json.encode(document))

    async def _record(self, table_id: str) -> str | None:
        try:
            table = await self._tables.get(table_id)
            return await asyncio.to_thread(lambda: table.record(None).text)
        except TableRefusal:  # a corrupt table is listed without its record
            return None

    async def _delete(self, person: Person) -> None:
        deleted = False
        while (table_ids := await removal.tables_mentioning(self._store, person.id)) or not deleted:
            async with self._writing, self._history.lock, self._tables.rewrite_events(table_ids):
                try:
                    await await_write(remove_person(self._store, self._games, person, self._clock()))
                    deleted = True
                except StaleVersion:
                    continue  # a table that was not locked has changed
                except ValueError as error:
                    raise damaged() from error
                finally:
                    self._history.look()
                    self._people.evict(person.id)
        self._presence.forget(person.id)

    async def _run_shielded(self, job: Coroutine[Any, Any, T]) -> T:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await shielded(task)
