"""The work that this process does alone, of all those that share a database; see `spieltisch.store.leases`.

What waits for a player needs no lease: a move, a time-out and a plan are stored with the version that they expect, so
that the second of two is refused. A lease saves doing such work twice, and lets no process do twice what cannot be
refused, such as sending an alert. If no other process can use the database, this one has all leases, and writes none.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf

from spieltisch.live.services import end_tasks, running, wait
from spieltisch.store import Store, StoreClosed, StoreError, leases
from spieltisch.store.leases import PROCESS, TERM_SECONDS, WITH_LEASES, FencedStore, Lease
from spieltisch.store.sessions import outside_session


def _steady() -> float:
    """Return the seconds of a clock that is never set, and goes on while the machine sleeps if the system has one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Leases:
    """The leases of this process, used in its event loop; they are renewed while it runs."""

    def __init__(
        self,
        store: Store,
        *,
        is_shared: bool,
        owner: str = "",
        term: float = TERM_SECONDS,
        steady: Callable[[], float] = _steady,
    ) -> None:
        self.owner = owner or store.process
        self.is_shared = is_shared
        self.on_ended: list[Callable[[], None]] = []
        """Functions that are called when another process has ended, whose work may be no one's now."""
        self._store = store
        self._term = term
        self._steady = steady
        self._until: dict[Lease, float] = {}
        """The leases of this process, with the time by the steady clock until which they have certainly not ended."""
        self._wanted: dict[Lease, asyncio.Event] = {}
        """The leases for which work waits or is running, with what wakes it when they may have begun or ended."""
        self._wake = asyncio.Event()
        self._processes = 1

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Renew leases, and take what others have left, until the context ends; then end all of them."""
        if not self.is_shared:
            yield
            return
        try:
            async with running("leases", self._renew_regularly):
                yield
        finally:
            self._until.clear()
            self._wake_all()
            with suppress(StoreError):  # then they end by themselves
                await self._store.write(partial(leases.end, owner=self.owner), order=WITH_LEASES)

    async def _renew_regularly(self) -> None:
        while True:
            await self.renew()
            await wait(self._wake, self._term / 3)

    async def renew(self) -> None:
        """Renew the leases of this process, take those that are wanted, and look for processes that have ended."""
        asked, began = {Lease(PROCESS, self.owner), *self._wanted, *self._until}, self._steady()

        try:
            taken, ended, processes = await self._store.write(
                lambda connection: (
                    leases.take(connection, self.owner, asked, self._term),
                    leases.remove_ended_processes(connection),
                    leases.count_processes(connection),
                ),
                order=WITH_LEASES,
            )
        except StoreClosed:
            raise
        except StoreError:  # reported by the check of the store
            return
        for lease in asked & (self._wanted.keys() | self._until.keys()):
            self._until[lease] = began + self._term if lease in taken else -inf
        self._processes = processes
        self._wake_all()
        if ended:
            for look in self.on_ended:
                look()

    def count_processes(self) -> int:
        """Return the number of processes that share the database, as it was some seconds ago."""
        return self._processes

    def _wake_all(self) -> None:
        for changed in self._wanted.values():
            changed.set()

    def holds(self, lease: Lease) -> bool:
        """Return True if this process alone does this work now."""
        return not self.is_shared or self._until.get(lease, -inf) > self._steady()

    @asynccontextmanager
    async def held(self, lease: Lease) -> AsyncIterator[bool]:
        """Yield whether this process alone may do some work; if so, it has the lease until the context ends.

        Raise `StoreError` if that cannot be found out.
        """
        if not self.is_shared:
            yield True
            return
        began = self._steady()
        take = partial(leases.take, owner=self.owner, leases=[lease], seconds=self._term)
        if not await self._store.write(take, order=lease.order):
            yield False
            return
        self._until[lease] = began + self._term
        try:
            yield True
        finally:
            await self._end(lease)

    async def while_held(self, lease: Lease, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` while this process has a lease: it waits for it, and cancels the work whenever it has ended."""
        if not self.is_shared:
            return await work()
        changed = self._wanted[lease] = asyncio.Event()
        self._wake.set()
        try:
            while True:
                while not self.holds(lease):
                    await wait(changed)
                task = asyncio.ensure_future(work())
                task.add_done_callback(lambda _: changed.set())
                try:
                    while not task.done() and self.holds(lease):
                        await wait(changed, self._until[lease] - self._steady())
                finally:
                    await end_tasks([task])
                if not task.cancelled():
                    return task.result()
        finally:
            del self._wanted[lease]
            await self._end(lease)

    async def _end(self, lease: Lease) -> None:
        self._until.pop(lease, None)
        with suppress(StoreError), outside_session():  # then it ends by itself
            await self._store.write(partial(leases.end, owner=self.owner, lease=lease), order=lease.order)

    async def after_each_end(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work`, and on a shared database again whenever another process has ended."""
        ended = asyncio.Event()
        self.on_ended.append(ended.set)
        await work()
        while self.is_shared:
            await wait(ended)
            await work()

    def fence(self, lease: Lease) -> Store | FencedStore:
        """Return the store, to which nothing can be written while this process does not have the lease."""
        return FencedStore(self._store, self.owner, lease) if self.is_shared else self._store
