"""Notices of changes, which all processes on a shared database hear in the same order and with the same versions.

In a database that no other process uses, what is announced is heard at once.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Self

from spieltisch.live.shielded import ShieldedTasks
from spieltisch.live.versions import follow_clock, next_version
from spieltisch.store import Store
from spieltisch.store.notices import Listener, Notice


class Notices:
    """Notices between the processes on a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._handlers: dict[str, list[Callable[..., object]]] = {}
        self._tasks = ShieldedTasks()
        self._listener: Listener | None = None
        self.missed: list[Callable[[], object]] = []
        """Functions that are called when notices may have been missed: the connection was lost for a moment."""

    @classmethod
    async def open(cls, store: Store) -> Self:
        """Begin to listen, in a running loop."""
        notices = cls(store)
        if store.is_shared:
            loop = asyncio.get_running_loop()
            listening = loop.create_future()

            def began(now: int) -> None:
                follow_clock(now)
                if listening.done():
                    for missed in notices.missed:
                        missed()
                else:
                    listening.set_result(None)

            def call(function: Callable[[Any], None], argument: Any) -> None:
                loop.call_soon_threadsafe(function, argument)

            notices._listener = Listener(
                store.database.readers, lambda notice: call(notices._hear, notice), lambda now: call(began, now)
            )
            await listening
        return notices

    @property
    def are_heard(self) -> bool:
        """True if no other process can announce anything that is not heard at once."""
        return self._listener is None or self._listener.is_listening

    @staticmethod
    def time() -> float:
        """Return the time in UTC seconds by the clock that all processes share."""
        return next_version() / 1000

    async def close(self) -> None:
        """Finish what is being announced, and hear nothing more."""
        await self._tasks.finish()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.close)

    def on(self, kind: str, handler: Callable[..., object]) -> None:
        """Call `handler` with the version of each notice of a kind, and with what identifies its subject."""
        self._handlers.setdefault(kind, []).append(handler)

    def announce(self, kind: str, *subject: str) -> None:
        """Announce a change that is on disk."""
        if self._store.is_shared:
            self._tasks.start(self._store.write(lambda connection: None, notices=[(kind, *subject)]))
        else:
            self.tell_here(kind, *subject)

    def tell_here(self, kind: str, *subject: str) -> None:
        """Announce something to this process only."""
        self._hear(Notice(next_version(), (kind, *subject)))

    def _hear(self, notice: Notice) -> None:
        kind, *subject = notice.subject
        for handler in self._handlers.get(kind, ()):
            handler(notice.version, *subject)
