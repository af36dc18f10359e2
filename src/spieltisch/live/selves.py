"""A person as a whole, while the server runs: two selves become one, everything is taken out, they go for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.words import Words, messages
from spieltisch.live.history import History
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.people import People
from spieltisch.live.presence import Presence
from spieltisch.live.records import MOST
from spieltisch.live.removal import remove_person
from spieltisch.live.writing import written
from spieltisch.store import Person, StaleVersion, Store, component_sets, plans, removal, selves, ways
from spieltisch.store import words as said
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import damaged, no_code, one_deal_of_two

T = TypeVar("T")


class Selves:
    """See the module. Events are written anew by one at a time; whoever has begun that is not stopped by going away."""

    def __init__(
        self,
        store: Store,
        games: Callable[[str], Game],
        tables: LiveTables,
        people: People,
        presence: Presence,
        history: History,
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

    async def merge(self, person: Person, other: Person) -> None:
        """The other one is this person from now on, and so are all their devices. Raises `TableRefusal` both-sit, where
        they were at one table in different seats, one-of-a-deal, and not-written; nothing is changed then.
        """
        await self._whole(self._merge(person, other))

    async def go(self, person: Person) -> None:
        """Take a person out of everything, as `remove_person` does. Raises `TableRefusal` not-written, damaged."""
        await self._whole(self._go(person))

    async def everything(self, person: Person) -> bytes:
        """All that is kept of a person, as JSON: preferences, passkeys, tables, records of finished games, what they
        have said, ways to be told, component files.
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
                for one in await ways.of(self._store, person.id)
            ],
            "said": [
                {"table": table_id, "room": one.room, "name": words.say(one.name), "at": one.at, "text": one.text}
                for table_id, one in await said.of(self._store, person.id)
            ],
            "plans": [
                {
                    "table": table_id,
                    "made": one.made,
                    "plan": one.planned,
                    "fate": words.say(one.fate) if one.fate else "",
                }
                for table_id, one in await plans.everywhere(self._store, person.id)
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

    async def _merge(self, person: Person, other: Person) -> None:
        merged = False
        while (held := set(await removal.mentioning(self._store, other.id))) or not merged:
            async with self._writing, self._history.still, self._tables.rewriting(held):
                done = await written(selves.merge(self._store, person.id, other.id, held))
                if done.gone:
                    raise no_code()
                if done.deal:
                    raise one_deal_of_two()
                if done.both:
                    words = messages(
                        "At {count} table both of them sit, or sat, in different seats. So they cannot be one person.",
                        "At {count} tables both of them sit, or sat, in different seats. So they cannot be one person.",
                        len(done.both),
                    )
                    raise TableRefusal(RefusalCode.BOTH_SEATED, words)
                if not done.unheld:
                    merged = True
                    self._tables.became(other.id, person)
                self._history.forget()
                self._people.forget(other.id)
                self._people.forget(person.id)
        self._presence.forget(other.id)

    async def _go(self, person: Person) -> None:
        gone = False
        while (held := await removal.mentioning(self._store, person.id)) or not gone:
            async with self._writing, self._history.still, self._tables.rewriting(held):
                try:
                    await written(remove_person(self._store, self._games, person, self._clock()))
                    gone = True
                except StaleVersion:
                    continue  # somebody was quicker at a table that was not held
                except ValueError as problem:
                    raise damaged() from problem
                finally:
                    self._history.forget()
                    self._people.forget(person.id)
        self._presence.forget(person.id)

    async def _whole(self, job: Coroutine[Any, Any, T]) -> T:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        task.exception()  # asked for here, because the caller may have gone away; who waits still gets it
