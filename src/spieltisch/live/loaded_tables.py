"""Tables in memory, changed by one command at a time and announced when the change is on disk.

Everything here runs in one asyncio loop. A table is loaded and replayed on first use. A command runs under the table's
lock. The events it returns are appended to the file; only when the file has them is the table in memory replaced and
are its listeners called.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Concatenate, ParamSpec, TypeVar

import structlog

from spieltisch import tables
from spieltisch.live.clock_pauses import ClockPauses, settle_doubtful
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write
from spieltisch.live.followed_tables import FollowedTables
from spieltisch.live.limits import DAY
from spieltisch.live.notices import Notices
from spieltisch.live.rules_digest import rules_digest
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.shielded import shielded
from spieltisch.live.table_loading import encode_events, load_table
from spieltisch.store import Connection, ExtraWrite, NoSuchTable, StaleVersion, Store, StoredTable, lobby
from spieltisch.store.schema import REPLAYED_KEY
from spieltisch.store.table_rows import ACTIVE_STATUSES, require_table
from spieltisch.store.writer import order_of
from spieltisch.tables import Event, RecordedEvent, Table, TableRefusal, refusals

P = ParamSpec("P")
T = TypeVar("T")

_logger = structlog.get_logger()


class LoadedTables(FollowedTables):
    """The tables of a running server, without what opens them and fills their seats.

    When it is created, in a running loop, it starts to replay all unfinished tables, if the rules have changed.
    """

    def __init__(self, store: Store, library: ComponentLibrary, clock: ServerClock, notices: Notices) -> None:
        super().__init__(store, notices)
        self._library = library
        self._clock = clock
        self._changed_while_loading: dict[str, Table] = {}
        """The newest version of tables that are being loaded: a command may have held an evicted one and written it."""
        self._opening = asyncio.Lock()
        self._pauses = ClockPauses(clock, is_shared=store.is_shared)
        self._lost_tables: set[str] = set()
        """The tables that the file has lost completely."""
        self._updating: set[str] = set()
        """The listed tables that are being loaded because their deadline is too early."""
        self.replaying = self._tasks.start(self._replay())
        """The task that replays each open or running table once, if the rules have changed since the last start."""

    async def close(self) -> None:
        """Finish writes."""
        self.replaying.cancel()
        await self._tasks.finish()

    async def report_losses(self) -> None:
        """Report to each table which of its newest events the file has lost, unless it knows."""
        for loss in await self._store.lost_events():
            stored = await self._store.tables(table_id=loss.table)
            if not stored:
                self._lost_tables.add(loss.table)
            elif stored[0].version <= loss.recorded:
                try:
                    await self.run(loss.table, tables.report_lost_events, loss.recorded)
                except TableRefusal as error:
                    _logger.error("a table could not be told what it lost", table=loss.table, problem=str(error))

    async def get(self, table_id: str) -> Table:
        """Return the table as it is on disk, with all pauses of its clock.

        Raise `TableRefusal` `no-table` or `damaged`.
        """
        if (catching_up := self._catching_up.get(table_id)) is not None:
            await asyncio.wait([catching_up])
        table = await self._get_unpaused(table_id)
        if not self._pauses.unrecorded(table):
            return table
        try:
            return await self.run(table_id, lambda table: ())
        except TableRefusal:  # tried again when it is next used
            return await self._get_unpaused(table_id)

    async def _get_unpaused(self, table_id: str) -> Table:
        """Like `get`, also for a caller that has locked the table, without the pauses that are not recorded yet."""
        known = self._tables.get(table_id)
        if known is not None:
            return known
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = self._tasks.start(self._load(table_id), is_awaited=True)
            task.add_done_callback(lambda _: self._on_loaded(table_id))
        return await shielded(task)

    def _on_loaded(self, table_id: str) -> None:
        self._loading.pop(table_id, None)
        self._changed_while_loading.pop(table_id, None)

    async def run(
        self,
        table_id: str,
        command: Callable[Concatenate[Table, P], Sequence[Event]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Table:
        """Run a command of `spieltisch.tables` on a table; return the new table, which is on disk then.

        Raise `TableRefusal` of the command, `stale` or `not-written`; in each case nothing is changed. If the caller is
        cancelled, a command that has begun continues.
        """
        return await self.run_with_write(table_id, lambda table: (command(table, *args, **kwargs), None))

    async def run_with_write(
        self, table_id: str, job: Callable[[Table], tuple[Sequence[Event], ExtraWrite | None]]
    ) -> Table:
        """Like `run`, with events that come with another write in the same transaction, or with that write alone.

        Raise as `run`, and what the write raises.
        """

        async def changed() -> Table:
            async with self._lock(table_id):
                table = await self._get_unpaused(table_id)
                while True:
                    try:
                        table = await self._append(table, ())
                        return await self._append(table, *job(table))
                    except TableRefusal:
                        newest = await self._get_newest(table_id) if self._store.is_shared else table
                        if newest.version == table.version:
                            raise
                        table = newest  # another process has changed it: the command is tried again

        return await self._tasks.run(changed())

    @asynccontextmanager
    async def rewrite_events(self, table_ids: Iterable[str]) -> AsyncIterator[None]:
        """Lock these tables while their events are rewritten; then load them again and announce the change."""
        ids = sorted(set(table_ids))
        async with self._lock_all(ids):
            earlier = await lobby.summaries(self._store, ids)
            yield
            later = await lobby.summaries(self._store, ids)
            for table_id in earlier.keys() & later.keys():  # no one else learns that something was rewritten
                self._announce_change(earlier[table_id][1], later[table_id][1])
            for table_id in ids:
                if (loading := self._loading.get(table_id)) is not None:
                    await asyncio.wait([loading])  # it may have read the old events
                if (before := self._tables.pop(table_id)) is not None:
                    self._publish(await self._fold(table_id), before)
                self._notices.announce("table", table_id, "0")

    @asynccontextmanager
    async def _lock_all(self, table_ids: Iterable[str]) -> AsyncIterator[None]:
        """Lock several tables, always in the same order, so that no deadlock occurs."""
        async with AsyncExitStack() as held:
            for table_id in sorted(table_ids):
                await held.enter_async_context(self._lock(table_id))
            yield

    async def expire(self, days: int) -> None:
        """Close the tables whose game has not begun and that have not changed for this number of days."""

        def expire(table: Table) -> Sequence[Event]:
            return tables.expire(table, self._clock.seconds_since(table.changed_at), days)

        waiting = await self._store.tables("open")
        for table_id in [stored.id for stored in waiting if self._clock.seconds_since(stored.changed) > days * DAY]:
            try:
                await self.run(table_id, expire)
            except TableRefusal as error:
                _logger.error("table cannot be closed", table=table_id, problem=str(error))

    def evict(self, table_id: str) -> None:
        """Drop a table from memory, as when others need it."""
        self._tables.pop(table_id)

    async def forget(self, table_id: str) -> None:
        """Drop a table from memory after it was deleted from the store, also if it is being loaded."""
        if (loading := self._loading.get(table_id)) is not None:
            await asyncio.wait([loading])
        self.evict(table_id)

    def release(self) -> bool:
        """Drop the tables that no one has asked for in some minutes; return True if there were any."""
        return self._tables.release()

    async def origin(self, table_id: str) -> bytes | None:
        """Return the keyed hash of the address that opened a table; None if it is over or the address is unknown."""
        return next((stored.address_hash for stored in await self._store.tables(table_id=table_id)), None)

    async def with_bot_to_move(self) -> tuple[str, ...]:
        """Return the ids of the tables at which a bot is to decide."""
        return await self._store.bot_tables()

    def with_unrecorded_pauses(self) -> tuple[str, ...]:
        """Return the ids of the tables in memory that have not recorded all pauses of their clock."""
        return tuple(table.id for table in self._tables.values() if self._pauses.unrecorded(table))

    def update_deadlines(self, listed: Iterable[StoredTable]) -> None:
        """Let listed tables record the pauses of their clock, in the background: their deadlines are too early."""
        stale = [
            stored.id
            for stored in listed
            if stored.id not in self._updating
            and stored.summary.deadline is not None
            and self._pauses.unrecorded_jumps(stored.id, stored.changed)
        ]
        if stale:
            self._updating.update(stale)
            self._tasks.start(self._load_all(stale)).add_done_callback(
                lambda _: self._updating.difference_update(stale)
            )

    async def _append(self, table: Table, events: Sequence[Event], also: ExtraWrite | None = None) -> Table:
        """Append pauses of the clock since the last event, then these events; return the new table."""
        now = self._clock()  # before the pauses, of which it may find another one
        await await_write(settle_doubtful(self._store, self._clock), table.id)
        pauses = self._pauses.unrecorded(table)
        if not events and not pauses:
            if also is not None:

                def write(connection: Connection) -> None:
                    require_table(connection, table.id)
                    also(connection)

                await await_write(self._store.write(write, order=order_of(table.id)), table.id)
            return table
        at = max(now, pauses[-1][0] if pauses else table.changed_at)
        ending = tables.end_if_full(table, events)
        return await self._write(table, [*pauses, *((at, event) for event in ending)], also)

    async def _write(
        self, table: Table, events: Sequence[tuple[float, Event]], also: ExtraWrite | None = None
    ) -> Table:
        jump_count = self._pauses.count_jumps()
        recorded_events = [
            RecordedEvent(version, at, event) for version, (at, event) in enumerate(events, table.version + 1)
        ]
        after = tables.apply(table, recorded_events)
        assert_same_when_folded(after)
        writes = [] if also is None else [also]
        try:
            await await_write(
                self._store.append(table.id, table.version, encode_events(recorded_events), after.summary(), *writes),
                table.id,
            )
        except StaleVersion as error:
            # Another process has changed it: the table in memory is out of date.
            if not self._store.is_shared:
                self._tables.pop(table.id)
            raise refusals.stale() from error
        self._pauses.mark_recorded(table, jump_count)
        self._publish(after, table)
        return after

    def _publish(self, table: Table, before: Table | None) -> None:
        """Cache a table that is on disk and call its listeners; `before` is its previous state."""
        self._tables.put(table.id, table)
        if table.id in self._loading:
            self._changed_while_loading[table.id] = table
        self._announce_change(None if before is None else before.summary(), table.summary())
        self._listeners.notify(table)
        if table.is_over and table.is_withheld and table.opened.duplicate is not None:
            self._tasks.start(self._reveal(table.opened.duplicate.id))

    async def _load(self, table_id: str) -> Table:
        table = await self._fold(table_id)
        known = self._changed_while_loading.get(table_id) or self._tables.get(table_id)
        if known is not None and known.version >= table.version:
            self._tables.put(table_id, known)
            return known
        if table.replay_difference is None:
            self._tables.put(table.id, table)
            return table
        _logger.error("table frozen", table=table_id, version=table.replay_difference.version, why=str(table.frozen))
        return await self._freeze(table)

    async def _freeze(self, table: Table) -> Table:
        assert table.replay_difference is not None  # noqa: S101  # checked by `_load`
        recorded_events = [
            RecordedEvent(table.version + 1, max(self._clock(), table.changed_at), table.replay_difference)
        ]
        after = tables.apply(table, recorded_events)
        try:
            await await_write(
                self._store.append(table.id, table.version, encode_events(recorded_events), after.summary()), table.id
            )
        except StaleVersion:  # another process has frozen it
            return await self._load(table.id)
        self._publish(after, None)  # the loaded table shows as frozen already, unlike the file
        return after

    async def _fold(self, table_id: str) -> Table:
        try:
            return await load_table(self._store, self._library, table_id)
        except NoSuchTable as error:
            raise (refusals.lost_table() if table_id in self._lost_tables else refusals.no_table()) from error
        except ValueError as error:
            _logger.error("table damaged", table=table_id, problem=str(error))
            raise refusals.damaged() from error

    async def _replay(self) -> None:
        """Replay each unfinished table, so that one whose replay differs is frozen, if the rules have changed.

        Tables are checked in the same way whenever they are loaded.
        """
        try:
            digest = (await asyncio.to_thread(rules_digest)).encode()
            if await self._store.get_setting(REPLAYED_KEY, lambda: b"") != digest:
                await self._load_all(await self._store.table_ids(*ACTIVE_STATUSES))
                await self._store.set_setting(REPLAYED_KEY, digest)
        except Exception:  # tried again at the next start
            _logger.exception("the tables could not be replayed")
        for duplicate_id in await self._store.finished_duplicates():
            await self._reveal(duplicate_id)

    async def _load_all(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            try:
                await self._store_summary(await self.get(table_id))
            except TableRefusal as error:
                _logger.error("table cannot be replayed", table=table_id, problem=str(error))
            except Exception:
                _logger.exception("table cannot be replayed", table=table_id)

    async def _store_summary(self, table: Table) -> None:
        """Store the summary of a table and call its listeners if an earlier version has stored another one."""
        async with self._lock(table.id):
            for stored in await self._store.tables(table_id=table.id):
                if stored.version == table.version and stored.summary != table.summary():
                    await await_write(self._store.append(table.id, table.version, (), table.summary()), table.id)
                    self._publish(table, None)

    async def duplicate_tables(self, duplicate_id: str) -> tuple[Table, ...]:
        """Return the tables of a duplicate, in order.

        Raise `TableRefusal` `no-table` if there are none, or `damaged`.
        """
        duplicate_tables = [
            await self._get_unpaused(stored.id) for stored in await self._store.tables(duplicate=duplicate_id)
        ]
        if not duplicate_tables:
            raise refusals.no_table()
        return tuple(sorted(duplicate_tables, key=_number_in_duplicate))

    async def reveal_duplicate(self, duplicate_id: str) -> None:
        """Reveal all hidden information of a duplicate if all its tables are over.

        Raise `TableRefusal` `damaged` or `not-written`.
        """

        async def job() -> None:
            ids = [stored.id for stored in await self._store.tables(duplicate=duplicate_id)]
            # Checked before the locks are taken, so that viewing a duplicate does not wait for them.
            if not all([(await self._get_unpaused(table_id)).is_over for table_id in ids]):
                return
            async with self._lock_all(ids):
                duplicate_tables = [await self._get_newest(table_id) for table_id in ids]
                for table in duplicate_tables if all(table.is_over for table in duplicate_tables) else ():
                    if events := tables.reveal(table):
                        await self._append(table, events)

        await self._tasks.run(job())

    async def _reveal(self, duplicate_id: str) -> None:
        try:
            await self.reveal_duplicate(duplicate_id)
        except TableRefusal as error:  # tried again when someone views the duplicate, and after the next start
            _logger.error("a duplicate cannot be revealed", duplicate=duplicate_id, problem=str(error))


def assert_same_when_folded(table: Table) -> None:
    """Check that a move that was just accepted has the same result when folded; raise RuntimeError otherwise.

    A difference would be an error of the kernel.
    """
    if table.replay_difference is not None:
        raise RuntimeError(f"table {table.id} would differ from itself: {table.frozen}")


def _number_in_duplicate(table: Table) -> int:
    return table.opened.duplicate.number if table.opened.duplicate is not None else 0
