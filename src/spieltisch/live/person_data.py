"""Data stored of a person: its export and deletion while the server runs."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.words import Words
from spieltisch.live.client_threads import CLIENT, run_in_thread
from spieltisch.live.disk_errors import await_write
from spieltisch.live.game_history import GameHistory
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.notices import Notices
from spieltisch.live.people import People
from spieltisch.live.person_removal import remove_person
from spieltisch.live.presence import Presence
from spieltisch.live.shielded import ShieldedTasks
from spieltisch.store import ExtraWrite, Person, StaleVersion, Store, person_rows, removal
from spieltisch.store.sessions import leave_session
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import damaged

T = TypeVar("T")


class PersonData:
    """Export and deletion of people's data; a deletion continues if its caller is cancelled."""

    def __init__(
        self,
        store: Store,
        games: Callable[[str], Game],
        tables: LiveTables,
        people: People,
        presence: Presence,
        history: GameHistory,
        clock: Callable[[], float],
        notices: Notices,
    ) -> None:
        self._store = store
        self._games = games
        self._tables = tables
        self._people = people
        self._presence = presence
        self._history = history
        self._clock = clock
        self._notices = notices
        self._exporting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks = ShieldedTasks()

    async def close(self) -> None:
        """Finish running exports and deletions."""
        await self._tasks.finish()

    async def delete(self, person: Person, *also: ExtraWrite) -> None:
        """Delete a person everywhere, as `remove_person` does, after `also`, which raises if they must stay.

        Raise `TableRefusal` `not-written` or `damaged`, and what the writes raise.
        """
        await self._tasks.run(self._delete(person, also))

    async def export(self, person: Person) -> bytes:
        """Return all data stored of a person, as JSON.

        It contains tables, records of finished games, and all rows that belong to the person.
        """
        async with self._exporting.setdefault(CLIENT.get(), asyncio.Lock()):  # because many games are replayed for it
            stored = [table.seen_by(person.id) for table in await self._store.tables(person=person.id)]
            stored.sort(key=lambda table: -table.changed)
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
        document = {
            "tables": tables,
            **await person_rows.of_person(self._store, person.id),
        }
        return msgspec.json.format(msgspec.json.encode(document))

    async def _record(self, table_id: str) -> str | None:
        try:
            table = await self._tables.get(table_id)
            return await run_in_thread(lambda: table.record(None).text)
        except TableRefusal:  # a corrupt table is listed without its record
            return None

    async def _delete(self, person: Person, also: Sequence[ExtraWrite]) -> None:
        deleted = False
        while (table_ids := await removal.tables_mentioning(self._store, person.id)) or not deleted:
            async with self._history.lock, self._tables.rewrite_events(table_ids):
                try:
                    removing = remove_person(self._store, self._games, person, self._clock(), *also, locked=table_ids)
                    result = await await_write(removing)
                    deleted, also = True, ()
                    leave_session()
                    for table_id in result.uploads:
                        await self._tables.forget(table_id)
                    for table_id, room in sorted(result.rooms):
                        self._notices.announce("chat", table_id, room, "")
                except StaleVersion:
                    continue  # a table that was not locked has changed
                except ValueError as error:
                    raise damaged() from error
                finally:
                    self._history.look()
                    self._people.evict(person.id)
        self._presence.forget(person.id)
