"""Presence of people: those who are here, or were recently, are asked before their seat is given away.

A person is here while a stream of any of their devices is open, and whenever they send a request. The state is saved
every ten minutes and when the server stops; a kill loses no more than that.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self

import msgspec
import structlog

from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Store, StoreError

SAVE_INTERVAL_SECONDS: Final = 600.0
"""The time between two saves."""
HOUR: Final = 3600.0
_BEGINNING: Final = ""
"""The key for all people without an entry, who may have been here before presence was first recorded."""

_logger = structlog.get_logger()


class Presence:
    """The presence of people.

    `hours` is the time after their last sign for which a person counts as here; 0: forever.
    """

    def __init__(self, store: Store, hours: int, clock: ServerClock, seen: dict[str, float]) -> None:
        self.hours = hours
        self._store = store
        self._clock = clock
        self._seen = seen
        self._saved = dict(seen)
        self._last_active: dict[str, float] = {}
        self._connections: Counter[str] = Counter()
        self._gone: set[str] = set()
        self._saving = asyncio.get_running_loop().create_task(self._save_regularly())

    @classmethod
    async def open(cls, store: Store, hours: int, clock: ServerClock) -> Self:
        """Continue from the stored state, in a running loop."""
        stored = await store.get_setting("seen", lambda: msgspec.json.encode({_BEGINNING: clock()}))
        return cls(store, hours, clock, msgspec.json.decode(stored, type=dict[str, float]))

    async def close(self) -> None:
        """Save the state."""
        self._saving.cancel()
        await self._save()

    def mark_seen(self, person: str) -> None:
        """Record a sign of this person."""
        if person not in self._gone:
            self._seen[person] = self._clock()

    def forget(self, person: str) -> None:
        """Forget a deleted person; a page of theirs that is still open no longer counts."""
        self._gone.add(person)
        self._seen.pop(person, None)

    def mark_active(self, person: str) -> None:
        """Record that this person views a page now; a page open in the background does not count."""
        self._last_active[person] = self._clock()

    def last_active(self, person: str) -> float | None:
        """Return the time (UTC seconds) at which this person last viewed a page since the server started, or None."""
        return self._last_active.get(person)

    @contextmanager
    def connected(self, person: str | None) -> Iterator[None]:
        """Count this person (None: unknown) as here until the context ends."""
        if person is None:
            yield
            return
        self._connections[person] += 1
        try:
            yield
        finally:
            self._connections[person] -= 1
            if not self._connections[person]:
                del self._connections[person]
            self.mark_seen(person)

    def _is_past(self, at: float) -> bool:
        return bool(self.hours) and self._clock.seconds_since(at) >= self.hours * HOUR

    def is_connected(self, person: str) -> bool:
        """Return True if a stream of any of this person's devices is open."""
        return person in self._connections

    def is_present(self, person: str) -> bool:
        """Return True if this person is here, or was less than `hours` ago."""
        return person in self._connections or not self._is_past(self._seen.get(person, self._seen[_BEGINNING]))

    async def _save_regularly(self) -> None:
        while True:
            await asyncio.sleep(SAVE_INTERVAL_SECONDS)
            await self._save()

    async def _save(self) -> None:
        now = self._clock()
        self._seen.update(dict.fromkeys(self._connections.keys() - self._gone, now))
        for person in [key for key, at in self._seen.items() if self._is_past(at)]:
            if person != _BEGINNING:
                del self._seen[person]
        if self._seen == self._saved:
            return
        snapshot = dict(self._seen)
        try:
            await self._store.set_setting("seen", msgspec.json.encode(snapshot))
        except StoreError as error:
            _logger.error("who was here is not written down", problem=str(error))
        else:
            self._saved = snapshot
