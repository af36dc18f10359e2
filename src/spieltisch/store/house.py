"""The house: all tables of a server, kept folded, changed one command at a time, announced when they are on disk.

Everything here runs in one asyncio loop. A table is loaded (and replayed) when somebody asks for it; a command runs
under the table's own lock; what it answers is appended to the file, and only when the file has it, the table that
others see moves on and whoever listens is told.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import structlog

from spieltisch import tables
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.games import game as find_game
from spieltisch.store.components import ComponentSet
from spieltisch.store.devices import Code
from spieltisch.store.errors import StaleVersion, WriteFailed
from spieltisch.store.guests import Guests
from spieltisch.store.links import ANY_SEAT, WATCH, Invitation, Links
from spieltisch.store.lobby import Lobby, lobby
from spieltisch.store.people import Person, Preferences
from spieltisch.store.shelf import Shelf
from spieltisch.store.standing import seats_held, sets_kept, standing
from spieltisch.store.store import Store
from spieltisch.tables import Event, Place, Plan, Table, TableRefusal, Written, refusals

P = ParamSpec("P")
T = TypeVar("T")
Listener = Callable[[Table], None]

MOST_IN_MEMORY: Final = 512
"""Folded tables kept at hand; the one not asked for longest goes first and is folded again when needed."""

_logger = structlog.get_logger()


class House:
    """See the module. Made by `await House.open(path)`, ended by `await house.close()`."""

    def __init__(self, store: Store, games: Callable[[str], Game], clock: Callable[[], float]) -> None:
        self.store = store
        self._guests = Guests(store, clock)
        self._shelf = Shelf(store, games, clock)
        self._clock = clock
        self._links = Links(store.setting("link key"))
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: dict[str | None, list[Listener]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.replaying = self._spawn(self._replay())
        """Done when every open and running table was replayed once."""

    @classmethod
    async def open(
        cls, path: Path, games: Callable[[str], Game] = find_game, clock: Callable[[], float] = time.time
    ) -> House:
        """Open the file (made when there is none) and begin to replay its tables. Raises `StoreError`; see there."""
        return cls(await asyncio.to_thread(Store, path), games, clock)

    async def close(self) -> None:
        """Finish what is being written, and let the file go."""
        self.replaying.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.to_thread(self.store.close)

    # People

    async def arrive(self, name: str, language: str = "en") -> tuple[Person, str]:
        """A new guest, and the token for their browser. Raises `TableRefusal` name, language."""
        return await self._guests.arrive(name, language)

    def person(self, token: str) -> Person | None:
        """Whose browser this is; None when it is nobody's."""
        return self._guests.by_token(token)

    async def change(
        self,
        person_id: str,
        *,
        name: str | None = None,
        language: str | None = None,
        preferences: Preferences | None = None,
    ) -> Person:
        """Change what is given; see `Guests.change`. Raises `TableRefusal` name, language, theme."""
        return await self._guests.change(person_id, name=name, language=language, preferences=preferences)

    def give_code(self, person_id: str) -> Code:
        """A code that opens another session for this person, once, within ten minutes."""
        return self._guests.give_code(person_id)

    def code(self, person_id: str) -> Code | None:
        """The code this person has out, if it is still good."""
        return self._guests.code(person_id)

    async def take_code(self, text: str) -> tuple[Person, str]:
        """Whose code this is, and the token for their new device. Raises `TableRefusal` no-code, not-written."""
        return await self._guests.take_code(text)

    def sessions(self, person_id: str) -> tuple[float, ...]:
        """When each session of this person began, the oldest first."""
        return self._guests.sessions(person_id)

    async def sign_out_others(self, person_id: str, token: str) -> None:
        """All other browsers of this person speak for nobody any more."""
        await self._guests.sign_out_others(person_id, token)

    async def sign_out(self, token: str) -> None:
        """This browser speaks for nobody any more."""
        await self._guests.sign_out(token)

    # Component files

    async def add_components(self, person_id: str, key: str, text: str) -> str:
        """Keep a person's component file for a game and answer its digest. Raises `TableRefusal` game,
        components.
        """
        return await _done(await asyncio.to_thread(self._shelf.add, person_id, key, text))

    async def components(self, person_id: str, key: str) -> tuple[ComponentSet, ...]:
        """A person's component files for a game, the newest first."""
        return await asyncio.to_thread(self._shelf.of, person_id, key)

    async def read_components(self, key: str, digest: str) -> Components[Any]:
        """The components of a game: its own for "", else those in a stored file. Raises `TableRefusal`
        no-components, game, components, for a file that was sound once and can no longer be read.
        """
        return (await asyncio.to_thread(self._shelf.find, key, digest))[1]

    # Tables

    async def table(self, table_id: str) -> Table:
        """The table as it is on disk. Raises `TableRefusal` no-table, damaged."""
        known = self._tables.get(table_id)
        if known is not None:
            self._tables.move_to_end(table_id)
            return known
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = self._spawn(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def run(
        self,
        table_id: str,
        command: Callable[Concatenate[Table, P], Sequence[Event]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Table:
        """Run a command of `spieltisch.tables` on a table; answers the table after it, which is on disk then.

        Raises what the command raises (`TableRefusal`), stale and not-written: nothing was changed then. A
        caller who goes away does not stop a command that has begun.
        """

        async def job() -> Table:
            async with self._lock(table_id):
                table = await self.table(table_id)
                return await self._append(table, command(table, *args, **kwargs))

        return await asyncio.shield(self._spawn(job()))

    async def open_table(self, person: Person, plan: Plan) -> Table:
        """A new table. Raises `TableRefusal` for what the game does not have."""
        return await self._open(person, plan, {})

    async def rematch(self, table_id: str, person: Person) -> Table:
        """The table where the people of a table go on: opened by the first who asks, the same for all who ask later.

        Raises `TableRefusal` not-your-seat, not-over, frozen.
        """

        async def job() -> Table:
            async with self._lock(table_id):
                table = await self.table(table_id)
                plan, kept = tables.rematch_plan(table, person.id)
                if table.rematch:
                    return await self.table(table.rematch)
                new = await self._open(person, plan, kept)
                await self._append(table, tables.rematch_opened(table, new.id))
                return new

        return await asyncio.shield(self._spawn(job()))

    def subscribe(self, table_id: str | None, listener: Listener) -> Callable[[], None]:
        """Call `listener` with the table, in the loop, whenever it has changed on disk; None: any table.

        Answers a function that ends it. A listener that raises is logged; the others are told all the same.
        """
        self._listeners.setdefault(table_id, []).append(listener)

        def leave() -> None:
            listeners = self._listeners.get(table_id, [])
            if listener in listeners:
                listeners.remove(listener)
            if not listeners:
                self._listeners.pop(table_id, None)

        return leave

    async def running(self) -> tuple[str, ...]:
        """The ids of the tables whose game is running."""
        return tuple(one.id for one in await asyncio.to_thread(self.store.tables, "running"))

    async def lobby(self, person_id: str | None) -> Lobby:
        """The lists of the lobby, for a person or for somebody unknown."""
        return await asyncio.to_thread(lobby, self.store, person_id)

    async def standing(self, host: str | None = None) -> int:
        """How many tables are not over; with `host`, of those that this person opened."""
        return await asyncio.to_thread(standing, self.store, host)

    async def seats_held(self, person_id: str) -> int:
        """How many seats a person has at tables that are not over."""
        return await asyncio.to_thread(seats_held, self.store, person_id)

    async def sets_kept(self, person_id: str) -> int:
        """How many component files are kept for a person."""
        return await asyncio.to_thread(sets_kept, self.store, person_id)

    # Links

    def seat_link(self, table: Table, seat: int | None) -> str:
        """The token of a link to a seat, or (None) to any seat that is free. Raises `TableRefusal` seat."""
        if seat is not None and not 0 <= seat < len(table.seats):
            raise refusals.no_seat()
        return self._links.make(table, ANY_SEAT if seat is None else seat)

    def watch_link(self, table: Table) -> str:
        """The token of a link for spectators."""
        return self._links.make(table, WATCH)

    async def read_link(self, token: str) -> Invitation:
        """What a link is for. Raises `TableRefusal` no-link."""
        return self._links.read(token, await self.table(self._links.table_id(token)))

    # Inside

    async def _open(self, person: Person, plan: Plan, kept: dict[int, Place]) -> Table:
        game, components = await asyncio.to_thread(self._shelf.find, plan.game, plan.components)
        secret = secrets.token_bytes(32)
        events = tables.open_table(plan, game, components, person, secret, rules=_version(), kept=kept)
        at = self._clock()
        table_id = secrets.token_urlsafe(9)
        written = [Written(version, at, event) for version, event in enumerate(events, 1)]
        table = tables.fold(table_id, secret, written, self._shelf.setup)
        _sound(table)
        await _done(self._shelf.keep(game, components))
        await _done(self.store.create(table_id, game.key, secret, _bytes(written), table.summary()))
        self._stands(table)
        return table

    async def _append(self, table: Table, events: Sequence[Event]) -> Table:
        if not events:
            return table
        at = max(self._clock(), table.changed_at)
        written = [Written(version, at, event) for version, event in enumerate(events, table.version + 1)]
        after = tables.then(table, written)
        _sound(after)
        try:
            await _done(self.store.append(table.id, table.version, _bytes(written), after.summary()))
        except StaleVersion as problem:
            # Somebody else has written to the file: what is in memory is out of date.
            self._tables.pop(table.id, None)
            raise refusals.stale() from problem
        self._stands(after)
        return after

    def _stands(self, table: Table) -> None:
        """The table is on disk like this: show it, and tell who listens."""
        self._remember(table)
        for key in (table.id, None):
            for listener in tuple(self._listeners.get(key, ())):
                try:
                    listener(table)
                except Exception:
                    _logger.exception("a listener failed", table=table.id, version=table.version)

    def _remember(self, table: Table) -> None:
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        while len(self._tables) > MOST_IN_MEMORY:
            self._tables.popitem(last=False)

    async def _load(self, table_id: str) -> Table:
        table = await asyncio.to_thread(self._fold, table_id)
        known = self._tables.get(table_id)
        if known is not None and known.version >= table.version:
            return known
        if table.differs is None:
            self._remember(table)
            return table
        _logger.error("table frozen", table=table_id, version=table.differs.version, why=str(table.frozen))
        return await self._freeze(table)

    async def _freeze(self, table: Table) -> Table:
        assert table.differs is not None  # noqa: S101  # asked for by `_load`
        written = [Written(table.version + 1, max(self._clock(), table.changed_at), table.differs)]
        after = tables.then(table, written)
        await _done(self.store.append(table.id, table.version, _bytes(written), after.summary()))
        self._stands(after)
        return after

    def _fold(self, table_id: str) -> Table:
        stored = self.store.events(table_id)
        if not stored:
            raise refusals.no_table()
        try:
            written = [Written(one.version, one.at, tables.decode(one.data)) for one in stored]
            return tables.fold(table_id, self.store.secret(table_id), written, self._shelf.setup)
        except ValueError as problem:
            _logger.error("table damaged", table=table_id, problem=str(problem))
            raise refusals.damaged() from problem

    async def _replay(self) -> None:
        """Replay every table that is not over, so that one that differs is frozen before anybody decides on it."""
        for stored in await asyncio.to_thread(self.store.tables, "open", "running"):
            try:
                await self.table(stored.id)
            except TableRefusal as problem:
                _logger.error("table cannot be replayed", table=stored.id, problem=str(problem))
            except Exception:
                _logger.exception("table cannot be replayed", table=stored.id)

    def _lock(self, table_id: str) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    def _spawn(self, job: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asked for here, because the caller may have gone away; who waits still gets it


def _bytes(written: Iterable[Written]) -> list[tuple[float, bytes]]:
    return [(one.at, tables.encode(one.event)) for one in written]


def _sound(table: Table) -> None:
    """A move that was just checked must come out the same when it is folded; anything else would be a broken kernel."""
    if table.differs is not None:
        raise RuntimeError(f"table {table.id} would differ from itself: {table.frozen}")


def _version() -> str:
    from spieltisch import __version__

    return __version__


async def _done(future: Future[T]) -> T:
    """Wait for a write. A disk that will not take it becomes a refusal for people."""
    try:
        return await asyncio.wrap_future(future)
    except WriteFailed as problem:
        _logger.error("not written", problem=str(problem))
        raise refusals.not_written() from problem
