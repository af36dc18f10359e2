"""Tables in memory that follow what other processes on a shared database append to them.

Whoever appends says which table has changed, and its version; the others read and apply the events since theirs. From
time to time, and when notices may have been missed, all versions are compared with the database.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

import structlog

from spieltisch import tables
from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.lobby_versions import LobbyVersions
from spieltisch.live.notices import Notices
from spieltisch.live.shielded import ShieldedTasks
from spieltisch.live.table_listeners import TableListeners
from spieltisch.live.table_loading import decode_events
from spieltisch.live.versions import next_version
from spieltisch.store import Store, lobby
from spieltisch.store.table_rows import UPLOADED_PREFIX
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.summary import TableSummary

MAX_BYTES_IN_MEMORY: Final = 40 << 20
"""The maximum size of the tables in memory; the least recently used one is dropped and loaded again when needed."""
MAX_BYTES_IF_SHARED: Final = 128 << 20
"""The same for a process that shares its database: such a server has more visitors, whose tables several load."""
LOOK_SECONDS: Final = 5.0
"""The time after which the tables in memory are compared with a shared database again."""

_logger = structlog.get_logger()


class FollowedTables(ABC):
    """The tables in memory, their locks and their listeners."""

    def __init__(self, store: Store, notices: Notices) -> None:
        self.lobby = LobbyVersions(next_version())
        self._store = store
        self._notices = notices
        self._tables: ByteCache[str, Table] = ByteCache(
            MAX_BYTES_IF_SHARED if store.is_shared else MAX_BYTES_IN_MEMORY, lambda table: table.estimated_bytes
        )
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners = TableListeners()
        self.subscribe = self._listeners.subscribe
        self.listening = self._listeners.listening
        self._tasks = ShieldedTasks()
        self._catching_up: dict[str, asyncio.Task[None]] = {}
        self._unlisted: list[tuple[int, str]] = []
        """The tables whose change is not in the versions of the lobby yet, each with the version of its notice."""
        self.is_watched: Callable[[str], bool] = lambda table_id: False
        """Returns True if a page in this process follows a table."""
        notices.missed.append(lambda: self._tasks.start(self.look_again()))
        notices.missed.append(self.lobby.change_all)
        if store.is_shared:
            notices.on("table", self._hear_of_table)
            notices.on("lobby", lambda version, person: self.lobby.grow(version, {person} - {""}, is_public=not person))

    @abstractmethod
    async def _get_unpaused(self, table_id: str) -> Table:
        """Return the table in memory; load it if there is none."""

    def _lock(self, table_id: str) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def look_again(self) -> None:
        """Compare the tables in memory with the database, and apply what other processes have appended unheard."""
        known = {table.id: table.version for table in self._tables.values()}
        stored = await lobby.summaries(self._store, known)
        for table_id, version in known.items():
            newest, _ = stored.get(table_id, (0, None))
            if newest != version:
                self._follow(table_id, newest)

    def _announce_change(self, before: TableSummary | None, after: TableSummary) -> None:
        """Announce to whom the lobby shows a table in another way now; other processes read the newest themselves."""
        if not self._store.is_shared:
            self.lobby.change(before, after)
        elif before is not None:
            self._announce_former(before, after)

    def _announce_removal(self, table_id: str, before: TableSummary) -> None:
        """Announce that a table is gone to those to whom the lobby showed it, and to no one else."""
        is_imported = before.status == "finished" and not before.host and not table_id.startswith(UPLOADED_PREFIX)
        is_public = bool(before.free_seats or before.watched_seats) or is_imported
        if not self._store.is_shared:
            self.lobby.grow(next_version(), before.people, is_public=is_public)
            return
        for person in (*before.people, *([""] if is_public else [])):
            self._notices.announce("lobby", person)

    def _announce_former(self, before: TableSummary, after: TableSummary) -> None:
        """Announce to whom the lobby no longer shows a table: this cannot be read any more."""
        is_public_change = (before.free_seats and not after.free_seats) or before.watched_seats != after.watched_seats
        former = [*(before.people - after.people), *([""] if is_public_change else [])]
        for person in former:
            self._notices.announce("lobby", person)

    def _hear_of_table(self, notice: int, table_id: str, version: str) -> None:
        self._follow(table_id, int(version))
        self._unlisted.append((notice, table_id))
        if len(self._unlisted) == 1:
            self._tasks.start(self._list())

    async def _list(self) -> None:
        """Bring the versions of the lobby up to date, in one read for all changes that come together."""
        while heard := tuple(self._unlisted):
            summaries = await lobby.summaries(self._store, {table_id for _, table_id in heard})
            for notice, table_id in heard:
                if table_id in summaries:  # or it was removed, which is announced to those who have seen it
                    _, summary = summaries[table_id]
                    people = [person for person in summary.people if not summary.hides_progress_from(person)]
                    self.lobby.grow(notice, people, is_public=bool(summary.free_seats))
            del self._unlisted[: len(heard)]

    def _follow(self, table_id: str, version: int) -> None:
        """Bring a table to a version in the background, if it is in memory or a page follows it.

        Version 0: it was removed, or its events were rewritten.
        """
        known = self._tables.peek(table_id)
        if known is None and table_id not in self._loading and not self.is_watched(table_id):
            return
        if known is not None and known.version >= version > 0:
            return
        before = self._catching_up.get(table_id)
        task = self._catching_up[table_id] = self._tasks.start(self._catch_up(table_id, version, before))
        task.add_done_callback(lambda _: self._end_catching_up(table_id, task))

    def _end_catching_up(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self._catching_up[table_id] is task:
            del self._catching_up[table_id]

    async def _catch_up(self, table_id: str, version: int, earlier: asyncio.Task[None] | None) -> None:
        if others := [task for task in (earlier, self._loading.get(table_id)) if task is not None]:
            await asyncio.wait(others)
        async with self._lock(table_id):
            before = self._tables.peek(table_id)
            if before is not None and before.version < version:
                await self._get_newest(table_id)
            elif version == 0:
                self._tables.pop(table_id)
        if self._tables.peek(table_id) is None and self.is_watched(table_id):
            try:
                self._listeners.notify(await self._get_unpaused(table_id))
            except TableRefusal as error:
                _logger.warning("a table cannot be shown any more", table=table_id, why=str(error))

    async def get_newest(self, table_id: str) -> Table:
        """Return the table as it is in the database now, even if a notice of the last change is still on its way."""
        async with self._lock(table_id):
            return await self._get_newest(table_id)

    async def _get_newest(self, table_id: str) -> Table:
        """Return the table with what other processes have appended, for a caller that has locked it."""
        before = self._tables.peek(table_id)
        if (
            before is not None
            and self._store.is_shared
            and (stored := await self._store.events(table_id, before.version))
        ):
            try:
                after = tables.apply(before, decode_events(stored))
            except ValueError as error:
                _logger.warning("a table is loaded again", table=table_id, problem=str(error))
                self._tables.pop(table_id)
            else:
                self._tables.replace(table_id, after)
                self._listeners.notify(after)
        return await self._get_unpaused(table_id)
