"""Who is here, and since when somebody is not: who is here, or was of late, is asked before their seat is handed out.

A person is here while a stream of any of their devices is open, and with everything they ask for. What is known is
written down every ten minutes and when the server stops; a kill forgets no more than that.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
import structlog

from spieltisch.store import Store, StoreError

SAVE_INTERVAL_SECONDS: Final = 600.0
HOUR: Final = 3600.0
_BEGINNING: Final = ""
"""Stands for everybody who is not known by name: they may have been here before anybody was noted."""

_logger = structlog.get_logger()


class Presence:
    """See the module. `hours`: how long after their last sign a person counts as here; 0: for ever."""

    def __init__(self, store: Store, hours: int, clock: Callable[[], float], seen: dict[str, float]) -> None:
        self.hours = hours
        self._store = store
        self._clock = clock
        self._seen = seen
        self._noted = dict(seen)
        self._looked: dict[str, float] = {}
        self._staying: Counter[str] = Counter()
        self._gone: set[str] = set()
        self._noting = asyncio.get_running_loop().create_task(self._note_on())

    @classmethod
    async def open(cls, store: Store, hours: int, clock: Callable[[], float]) -> Presence:
        """Goes on from what the store has. In a running loop; `clock` gives UTC seconds."""
        kept = await store.get_setting("seen", lambda: msgspec.json.encode({_BEGINNING: clock()}))
        return cls(store, hours, clock, msgspec.json.decode(kept, type=dict[str, float]))

    async def close(self) -> None:
        """Write down what is known."""
        self._noting.cancel()
        await self._note()

    def mark_seen(self, person: str) -> None:
        """A sign of this person."""
        if person not in self._gone:
            self._seen[person] = self._clock()

    def forget(self, person: str) -> None:
        """This person has gone for good: a page of theirs that is still open is no sign of anybody."""
        self._gone.add(person)
        self._seen.pop(person, None)

    def mark_active(self, person: str) -> None:
        """This person looks at a page now; one that is open in the background is no sign of that."""
        self._looked[person] = self._clock()

    def last_active(self, person: str) -> float | None:
        """When this person looked last (UTC seconds), since the server has started."""
        return self._looked.get(person)

    @contextmanager
    def connected(self, person: str | None) -> Iterator[None]:
        """This person (None: somebody unknown) is here until the end."""
        if person is None:
            yield
            return
        self._staying[person] += 1
        try:
            yield
        finally:
            self._staying[person] -= 1
            if not self._staying[person]:
                del self._staying[person]
            self.mark_seen(person)

    def is_connected(self, person: str) -> bool:
        """Whether a stream of any of this person's devices is open now."""
        return person in self._staying

    def is_present(self, person: str) -> bool:
        """Whether this person is here, or was less than `hours` ago."""
        if not self.hours or person in self._staying:
            return True
        at = self._seen.get(person, self._seen[_BEGINNING])
        return self._clock() - at < self.hours * HOUR

    async def _note_on(self) -> None:
        while True:
            await asyncio.sleep(SAVE_INTERVAL_SECONDS)
            await self._note()

    async def _note(self) -> None:
        now = self._clock()
        self._seen.update(dict.fromkeys(self._staying.keys() - self._gone, now))
        for person in [one for one, at in self._seen.items() if self.hours and now - at >= self.hours * HOUR]:
            if person != _BEGINNING:
                del self._seen[person]
        if self._seen == self._noted:
            return
        noted = dict(self._seen)
        try:
            await self._store.set_setting("seen", msgspec.json.encode(noted))
        except StoreError as problem:
            _logger.error("who was here is not written down", problem=str(problem))
        else:
            self._noted = noted
