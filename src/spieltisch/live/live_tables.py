"""The tables in play: kept folded, changed one command at a time, announced when they are on disk.

Everything here runs in one asyncio loop. A table is loaded (and replayed) when somebody asks for it; a command runs
under the table's own lock; the events it returns are appended to the file, and only when the file has them, the table
that others see moves on and whoever listens is told.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import structlog

from spieltisch import tables
from spieltisch.bots import BOTS
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write as on_disk
from spieltisch.live.limits import DAY
from spieltisch.live.lobby_versions import LobbyVersions
from spieltisch.live.quotas import Quotas
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.table_loading import load_table
from spieltisch.store import ExtraWrite, NoSuchTable, StaleVersion, Store, plans
from spieltisch.tables import (
    ClockPaused,
    Duplicate,
    Event,
    NewTable,
    Opened,
    Participant,
    RecordedEvent,
    SeatOffer,
    Table,
    TableRefusal,
    Undone,
    WhatIf,
    refusals,
)

P = ParamSpec("P")
T = TypeVar("T")
Listener = Callable[[Table], None]

MOST_IN_MEMORY: Final = 512
"""Folded tables kept at hand; the one not asked for longest goes first and is folded again when needed."""

MOST_AT_ONCE: Final = 10_000
"""Tables closed in one go, because they have waited too long."""

_logger = structlog.get_logger()


class LiveTables:
    """See the module. It begins to replay all tables that are not over when it is made, in a running loop."""

    def __init__(
        self,
        store: Store,
        library: ComponentLibrary,
        quotas: Quotas,
        clock: ServerClock,
        outside: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.bots: Mapping[str, str] = {name: name for name in BOTS} | dict(outside)
        """The bots that may sit down: what they are called at tables, and by which name they are found."""
        self.lobby = LobbyVersions(time.time_ns() // 1_000_000)  # more than before the last start
        self._store = store
        self._library = library
        self._quotas = quotas
        self._clock = clock
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._opening = asyncio.Lock()
        self._listeners: dict[str | None, list[Listener]] = {}
        self._seen_jumps: dict[str, int] = {}
        """How many of the clock's leaps a table with a clock of its own knows of."""
        self._lost_tables: set[str] = set()
        """Tables that the file has lost altogether."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.replaying = self._spawn(self._replay())
        """Done when every open and running table was replayed once."""

    async def close(self) -> None:
        """Finish what is being written."""
        self.replaying.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def report_losses(self) -> None:
        """Tell every table of which the file has lost the newest events, unless it was told already."""
        for lost in await self._store.lost_events():
            there = await self._store.tables(table_id=lost.table)
            if not there:
                self._lost_tables.add(lost.table)
            elif there[0].version <= lost.noted:
                try:
                    await self.run(lost.table, tables.report_lost_events, lost.noted)
                except TableRefusal as problem:
                    _logger.error("a table could not be told what it lost", table=lost.table, problem=str(problem))

    async def get(self, table_id: str) -> Table:
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
        """Run a command of `spieltisch.tables` on a table; returns the table after it, which is on disk then.

        Raises what the command raises (`TableRefusal`), stale and not-written: nothing was changed then. A
        caller who goes away does not stop a command that has begun.
        """

        return await self.run_with_write(table_id, lambda table: (command(table, *args, **kwargs), None))

    async def run_with_write(
        self, table_id: str, job: Callable[[Table], tuple[Sequence[Event], ExtraWrite | None]]
    ) -> Table:
        """Do what `run` does with events that come with something that is written in the same transaction, or with
        that alone. Raises as `run` does, and what is raised there.
        """

        async def changed() -> Table:
            async with self._lock(table_id):
                table = await self._append(await self.get(table_id), ())
                return await self._append(table, *job(table))

        return await asyncio.shield(self._spawn(changed()))

    async def require_can_open(self, person: Participant, plan: NewTable, address: str = "", many: int = 1) -> None:
        """Raise what is against opening so many such tables: what `open` or `open_deal` would raise. Nothing is
        written.
        """
        game, components = await self._library.find(plan.game, plan.components)
        await self._quotas.require_table_quota(person.id, self._quotas.hash_address(address), many)
        tables.open_table(plan, game, components, person, bytes(32), bots=self.bots)

    async def open(self, person: Participant, plan: NewTable, address: str = "", study: WhatIf | None = None) -> Table:
        """A new table, opened from an address; it may go on from another game. Raises `TableRefusal` for what the game
        does not have, too-many-tables, too-many-seats.
        """
        return await self._open(person, plan, {}, address, study)

    async def open_duplicate(self, person: Participant, plan: NewTable, many: int, address: str = "") -> str:
        """So many new tables that share a deal, see `tables.plans`; returns the deal's id. Raises as `open`."""
        game, components = await self._library.find(plan.game, plan.components)
        origin, secret, deal = self._quotas.hash_address(address), secrets.token_bytes(32), secrets.token_urlsafe(9)
        names = tables.reserved_names(plan)
        async with self._opening:
            await self._quotas.require_table_quota(person.id, origin, many)
            # The first may begin at once: by then the others are there, so that it is kept back.
            for number, one in reversed([*enumerate(tables.new_duplicates(plan, many), 1)]):
                shared = Duplicate(deal, number)
                await self._opened(person, one, {}, game, components, origin, None, secret, shared, names)
        return deal

    async def duplicate_tables(self, deal: str) -> tuple[Table, ...]:
        """The tables of a deal, in their order. Raises `TableRefusal` no-table where there are none, damaged."""
        found = [await self.get(one.id) for one in await self._store.tables(deal=deal)]
        if not found:
            raise refusals.no_table()
        return tuple(sorted(found, key=_number))

    async def require_first_time(self, table: Table, *people: str) -> None:
        """Raise `TableRefusal` one-of-a-deal where one of these people knows another table of this one's deal."""
        if table.opened.duplicate is not None:
            found = await self.duplicate_tables(table.opened.duplicate.id)
            tables.require_first_time(people, (one for one in found if one.id != table.id))

    async def reveal_duplicate(self, deal: str) -> None:
        """When all tables of a deal are over, show everything. Raises `TableRefusal` damaged, not-written."""

        async def job() -> None:
            ids = [one.id for one in await self._store.tables(deal=deal)]
            if not all([(await self.get(one)).over for one in ids]):  # nobody waits for who only looks
                return
            async with self._locked(ids):
                found = [await self.get(one) for one in ids]
                for table in found if all(one.over for one in found) else ():
                    if events := tables.reveal(table):
                        await self._append(table, events)

        await asyncio.shield(self._spawn(job()))

    async def require_can_sit(
        self, table: Table, person: Participant, seat: int | None, *, by_link: bool = False
    ) -> None:
        """Raise what is against sitting down there: what `sit` would raise. Nothing is written."""
        await self._quotas.require_seat_quota(person.id)
        await self.require_first_time(table, person.id)
        tables.sit(table, person, seat, by_link=by_link)

    async def sit(self, table_id: str, person: Participant, seat: int | None, *, by_link: bool = False) -> Table:
        """Sit down; see `tables.sit`. Without a link, a seat that is kept for who plays beside this person is taken by
        them. Raises also too-many-seats, one-of-a-deal.
        """
        await self._quotas.require_seat_quota(person.id)
        there = await self.get(table_id)
        sitter = person if by_link else tables.person_to_seat(there, person, seat)
        deal = there.opened.duplicate
        ids = [table_id] if deal is None else [one.id for one in await self._store.tables(deal=deal.id)]

        async def job() -> Table:
            async with self._locked(ids):  # nobody sits down at two tables of a deal at once
                table = await self._append(await self.get(table_id), ())
                await self.require_first_time(table, sitter.id)
                return await self._append(table, tables.sit(table, sitter, seat, by_link=by_link))

        return await asyncio.shield(self._spawn(job()))

    async def rematch(self, table_id: str, person: Participant, address: str = "") -> Table:
        """The table where the people of a table go on: opened by the first who asks, the same for all who ask later.

        Raises `TableRefusal` not-your-seat, not-over, frozen, too-many-tables, too-many-seats.
        """

        async def job() -> Table:
            async with self._lock(table_id):
                table = await self.get(table_id)
                plan, kept = tables.rematch_plan(table, person.id)
                if table.rematch:
                    return await self.get(table.rematch)
                new = await self._open(person, plan, kept, address)
                await self._append(table, tables.rematch_opened(table, new.id))
                return new

        return await asyncio.shield(self._spawn(job()))

    @asynccontextmanager
    async def rewrite_events(self, table_ids: Iterable[str]) -> AsyncIterator[None]:
        """Hold these tables while somebody writes their events anew; then they are read again, and all are told."""
        ids = sorted(set(table_ids))
        async with self._locked(ids), self._opening:  # else a table of theirs is opened meanwhile
            yield
            for table_id in ids:
                if (loading := self._loading.get(table_id)) is not None:
                    await asyncio.wait([loading])  # it may have read what stood there before
                if (before := self._tables.pop(table_id, None)) is not None:
                    self._publish(await self._fold(table_id), before)
            self.lobby.change_all()

    @asynccontextmanager
    async def _locked(self, table_ids: Iterable[str]) -> AsyncIterator[None]:
        """Whoever holds several takes them in one order, so that nobody waits for ever."""
        async with AsyncExitStack() as held:
            for table_id in sorted(table_ids):
                await held.enter_async_context(self._lock(table_id))
            yield

    def subscribe(self, table_id: str | None, listener: Listener) -> Callable[[], None]:
        """Call `listener` with the table, in the loop, whenever it has changed on disk; None: any table.

        Returns a function that ends it. A listener that raises is logged; the others are told all the same.
        """
        self._listeners.setdefault(table_id, []).append(listener)

        def leave() -> None:
            listeners = self._listeners.get(table_id, [])
            if listener in listeners:
                listeners.remove(listener)
            if not listeners:
                self._listeners.pop(table_id, None)

        return leave

    async def expire(self, days: int) -> None:
        """Close the tables whose games have not begun, where nothing has happened for so many days."""
        before = self._clock() - days * DAY
        for stored in await self._store.tables("open", before=before, limit=MOST_AT_ONCE):
            try:
                await self.run(stored.id, tables.expire, before, days)
            except TableRefusal as problem:
                _logger.error("table cannot be closed", table=stored.id, problem=str(problem))

    def evict(self, table_id: str) -> None:
        """This table has been taken out of the store."""
        self._tables.pop(table_id, None)

    async def origin(self, table_id: str) -> bytes | None:
        """What stands for the address that opened a table; None when it is over, or unknown."""
        return next((one.address_hash for one in await self._store.tables(table_id=table_id)), None)

    async def running(self) -> tuple[str, ...]:
        """The ids of the tables whose game is running."""
        return tuple(one.id for one in await self._store.tables("running"))

    async def _open(
        self, person: Participant, plan: NewTable, kept: dict[int, SeatOffer], address: str, study: WhatIf | None = None
    ) -> Table:
        game, components = await self._library.find(plan.game, plan.components)
        async with self._opening:  # who asks for many at once has no more than the others
            return await self._opened(person, plan, kept, game, components, self._quotas.hash_address(address), study)

    async def _opened(
        self,
        person: Participant,
        plan: NewTable,
        kept: dict[int, SeatOffer],
        game: Game,
        components: Components[Any],
        origin: bytes | None,
        study: WhatIf | None,
        secret: bytes | None = None,
        deal: Duplicate | None = None,
        apart: Sequence[str] = (),
    ) -> Table:
        await self._quotas.require_table_quota(person.id, origin)
        secret = secret or secrets.token_bytes(32)
        given: dict[str, Any] = {"kept": kept, "study": study, "deal": deal, "apart": apart, "bots": self.bots}
        events = tables.open_table(plan, game, components, person, secret, rules=_version(), **given)
        at = self._clock()
        table_id = secrets.token_urlsafe(9)
        written = [RecordedEvent(version, at, event) for version, event in enumerate(events, 1)]

        def setup(opened: Opened) -> Setup:
            return game.setup(len(opened.seat_offers), components, **opened.options)

        table = tables.fold(table_id, secret, written, setup)
        _assert_same(table)
        await self._library.store_copy(components)
        await on_disk(self._store.create(table_id, game.key, secret, _bytes(written), table.summary(), origin))
        if table.opened.settings.clock:
            self._seen_jumps[table_id] = len(self._clock.jumps)
        self._publish(table, None)
        return table

    async def _append(self, table: Table, events: Sequence[Event], also: ExtraWrite | None = None) -> Table:
        """The table after these events, and before them after what the server was away for since its last one."""
        now, stood = self._clock(), self._clock_pauses(table)
        if not events and not stood:
            if also is not None:
                await on_disk(self._store.write(also))
            return table
        at = max(now, stood[-1][0] if stood else table.changed_at)
        return await self._write(table, [*stood, *((at, event) for event in events)], also)

    def _clock_pauses(self, table: Table) -> list[tuple[float, Event]]:
        leaps = self._clock.jumps[self._seen_jumps.get(table.id, 0) :] if tables.deadline(table) is not None else []
        # Only a kill forgets until when the server was there; then it was there at the table's last event.
        since = [max(leap.since, table.changed_at) if n == 0 else leap.since for n, leap in enumerate(leaps)]
        return [(leap.to, ClockPaused(since=begun)) for leap, begun in zip(leaps, since, strict=True)]

    async def _write(
        self, table: Table, events: Sequence[tuple[float, Event]], also: ExtraWrite | None = None
    ) -> Table:
        leaps = len(self._clock.jumps)
        written = [RecordedEvent(version, at, event) for version, (at, event) in enumerate(events, table.version + 1)]
        after = tables.apply(table, written)
        _assert_same(after)
        writes = [] if also is None else [also]
        if any(isinstance(event, Undone) for _, event in events):
            writes.append(partial(plans.drop_all, table_id=table.id))  # the last, so that a plan made here ends too
        try:
            await on_disk(self._store.append(table.id, table.version, _bytes(written), after.summary(), *writes))
        except StaleVersion as problem:
            # Somebody else has written to the file: what is in memory is out of date.
            self._tables.pop(table.id, None)
            raise refusals.stale() from problem
        if table.opened.settings.clock:
            self._seen_jumps[table.id] = leaps
        self._publish(after, table)
        return after

    def _publish(self, table: Table, before: Table | None) -> None:
        """The table is on disk like this, and was like that before: show it, and tell who listens."""
        self._cache(table)
        self.lobby.change(None if before is None else before.summary(), table.summary())
        for key in (table.id, None):
            for listener in tuple(self._listeners.get(key, ())):
                try:
                    listener(table)
                except Exception:
                    _logger.exception("a listener failed", table=table.id, version=table.version)
        if table.over and table.withheld and table.opened.duplicate is not None:
            self._spawn(self._lay_open(table.opened.duplicate.id))

    async def _lay_open(self, deal: str) -> None:
        try:
            await self.reveal_duplicate(deal)
        except TableRefusal as problem:  # tried again when somebody looks at the deal, and after the next start
            _logger.error("a deal cannot be laid open", deal=deal, problem=str(problem))

    def _cache(self, table: Table) -> None:
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        while len(self._tables) > MOST_IN_MEMORY:
            self._tables.popitem(last=False)

    async def _load(self, table_id: str) -> Table:
        table = await self._fold(table_id)
        known = self._tables.get(table_id)
        if known is not None and known.version >= table.version:
            return known
        if table.replay_difference is None:
            self._cache(table)
            return table
        _logger.error("table frozen", table=table_id, version=table.replay_difference.version, why=str(table.frozen))
        return await self._freeze(table)

    async def _freeze(self, table: Table) -> Table:
        assert table.replay_difference is not None  # noqa: S101  # asked for by `_load`
        written = [RecordedEvent(table.version + 1, max(self._clock(), table.changed_at), table.replay_difference)]
        after = tables.apply(table, written)
        await on_disk(self._store.append(table.id, table.version, _bytes(written), after.summary()))
        self._publish(after, None)  # frozen here already: the file had it as it was before
        return after

    async def _fold(self, table_id: str) -> Table:
        try:
            return await load_table(self._store, self._library, table_id)
        except NoSuchTable as problem:
            raise (refusals.lost_table() if table_id in self._lost_tables else refusals.no_table()) from problem
        except ValueError as problem:
            _logger.error("table damaged", table=table_id, problem=str(problem))
            raise refusals.damaged() from problem

    async def _replay(self) -> None:
        """Replay every table that is not over, so that one that differs is frozen before anybody decides on it."""
        for stored in await self._store.tables("open", "running"):
            try:
                await self.get(stored.id)
            except TableRefusal as problem:
                _logger.error("table cannot be replayed", table=stored.id, problem=str(problem))
            except Exception:
                _logger.exception("table cannot be replayed", table=stored.id)
        for deal in await self._store.finished_duplicates():
            await self._lay_open(deal)

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


def _bytes(written: Iterable[RecordedEvent]) -> list[tuple[float, bytes]]:
    return [(one.at, tables.encode(one.event)) for one in written]


def _assert_same(table: Table) -> None:
    """A move that was just checked must come out the same when it is folded; anything else would be a broken kernel."""
    if table.replay_difference is not None:
        raise RuntimeError(f"table {table.id} would differ from itself: {table.frozen}")


def _number(table: Table) -> int:
    return table.opened.duplicate.number if table.opened.duplicate is not None else 0


def _version() -> str:
    from spieltisch import __version__

    return __version__
