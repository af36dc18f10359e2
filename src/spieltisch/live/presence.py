"""Presence of people: those who are here, or were recently, are asked before their seat is given away.

A person is here while a stream of any of their devices is open, and whenever they send a request. No one can give a
sign while no server runs, so that time is no absence. The state is saved every five minutes and when the server stops;
a kill loses no more than that. Processes that share a database merge it then, and announce at once who comes back after
a long time, and who views a page, at most once a minute. When a person was last seen is stored with their name, for
good.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Set
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial
from typing import Final, Self

import msgspec
import structlog

from spieltisch.live.notices import Notices
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.services import repeat, running
from spieltisch.store import Store, StoreError
from spieltisch.store.people import save_seen

SAVE_INTERVAL_SECONDS: Final = 300.0
"""The time between two saves. Other processes know of an open page after twice this, which is no absence anywhere."""
HOUR: Final = 3600.0
ACTIVE_SECONDS: Final = 60.0
"""The time between two announcements that a person views pages."""
SEEN: Final = msgspec.json.Decoder(dict[str, float])
_BEGINNING: Final = ""
"""The key for all people without an entry, who may have been here before presence was first recorded."""

_logger = structlog.get_logger()


class Presence:
    """The presence of people.

    `hours` is the time after their last sign for which a person counts as here; 0: forever.
    """

    def __init__(self, store: Store, hours: int, clock: ServerClock, seen: dict[str, float], notices: Notices) -> None:
        self.hours = hours
        self._store = store
        self._clock = clock
        self._seen = seen
        self._saved: dict[str, float] = {}
        self._last_active: dict[str, float] = {}
        self._connections: Counter[str] = Counter()
        self._unnamed: Counter[str] = Counter()
        self.visitors_changed: list[Callable[[], object]] = []
        """Functions that are called when someone opens their first page, or closes their last."""
        self._gone: set[str] = set()
        self._announced: dict[str, float] = {}
        self._notices = notices
        if store.is_shared:
            notices.on("active", self._hear_of_active)
            notices.on("gone", lambda _, person: self._forget(person))

    @classmethod
    async def open(cls, store: Store, hours: int, clock: ServerClock, notices: Notices) -> Self:
        """Continue from the stored state, in a running loop, as if no time had passed without a server."""
        stored = await store.get_setting("seen", lambda: msgspec.json.encode({_BEGINNING: clock()}))
        seen = {person: at + clock.downtime for person, at in SEEN.decode(stored).items()}
        presence = cls(store, hours, clock, seen, notices)
        await presence._save()  # or after a kill the next start would not know of this downtime
        return presence

    async def close(self) -> None:
        """Save the state."""
        await self._save()

    def running(self) -> AbstractAsyncContextManager[object]:
        """Save the state regularly until the context ends."""
        return running("presence", partial(repeat, self._save, SAVE_INTERVAL_SECONDS))

    def mark_seen(self, person: str) -> None:
        """Record a sign of this person."""
        if person not in self._gone:
            if self._store.is_shared and not self.is_present(person):
                self._notices.announce("active", person)
            self._seen[person] = self._clock()

    def forget(self, person: str) -> None:
        """Forget a deleted person; a page of theirs that is still open no longer counts."""
        self._forget(person)
        self._notices.announce("gone", person)

    def _forget(self, person: str) -> None:
        self._gone.add(person)
        self._seen.pop(person, None)
        self._tell_of_visitors()

    def mark_active(self, person: str) -> None:
        """Record that this person views a page now; a page open in the background does not count."""
        now = self._last_active[person] = self._clock()
        if self._store.is_shared and abs(now - self._announced.get(person, 0.0)) >= ACTIVE_SECONDS:
            self._announced[person] = now
            self._notices.announce("active", person)

    def _hear_of_active(self, _: int, person: str) -> None:
        if person not in self._gone:
            self._seen[person] = self._last_active[person] = self._clock()

    def last_active(self, person: str) -> float | None:
        """Return the time (UTC seconds) at which this person last viewed a page since the server started, or None."""
        return self._last_active.get(person)

    @contextmanager
    def connected(self, person: str | None, unnamed: str = "") -> Iterator[None]:
        """Count this person (None: unknown) as here until the context ends.

        `unnamed` tells an unknown visitor from others; see `visitors`.
        """
        if person is None:
            with self._counted(self._unnamed, unnamed):
                yield
            return
        try:
            with self._counted(self._connections, person):
                yield
        finally:
            self.mark_seen(person)

    @contextmanager
    def _counted(self, connections: Counter[str], visitor: str) -> Iterator[None]:
        connections[visitor] += 1
        if connections[visitor] == 1:
            self._tell_of_visitors()
        try:
            yield
        finally:
            connections[visitor] -= 1
            if not connections[visitor]:
                del connections[visitor]
                self._tell_of_visitors()

    def _tell_of_visitors(self) -> None:
        for tell in self.visitors_changed:
            tell()

    @property
    def visitors(self) -> Set[str]:
        """The ids of the people with an open stream, and what stands for visitors without a name."""
        return (self._connections.keys() - self._gone) | self._unnamed.keys()

    def hours_at(self, chosen: float) -> float:
        """Return the hours after which people count as away at a table whose host chose `chosen` hours.

        `chosen` is 0 if the host chose none. The result is 0 if people never count as away.
        """
        return min(chosen or self.hours, self.hours)

    def _is_past(self, at: float, chosen: float = 0) -> bool:
        hours = self.hours_at(chosen)
        return bool(hours) and self._clock.seconds_since(at) >= hours * HOUR

    def is_connected(self, person: str) -> bool:
        """Return True if a stream of any of this person's devices is open."""
        return person in self._connections

    def was_here_within(self, person: str, seconds: float) -> bool:
        """Return True if this person is here, or has sent a request to this process in the last `seconds`."""
        last_seen = self._seen.get(person)
        return person in self._connections or (last_seen is not None and self._clock.seconds_since(last_seen) < seconds)

    def was_seen(self, person: str) -> bool:
        """Return True if this person is here or gave a sign that may not be stored yet."""
        return person in self._connections or person in self._seen

    def is_present(self, person: str, chosen_hours: float = 0) -> bool:
        """Return True if this person is here, or was less than `hours` ago, or the fewer hours that a table chose."""
        last_seen = self._seen.get(person, self._seen[_BEGINNING])
        return person in self._connections or not self._is_past(last_seen, chosen_hours)

    async def _save(self) -> None:
        now = self._clock()
        self._seen.update(dict.fromkeys(self._connections.keys() - self._gone, now))
        for person in [key for key, at in self._seen.items() if self._is_past(at)]:
            if person != _BEGINNING:
                del self._seen[person]
        if self._seen == self._saved and not self._store.is_shared:  # others may have stored more
            return
        snapshot = dict(self._seen)
        newer = {person: at for person, at in snapshot.items() if person and at != self._saved.get(person)}

        def merge(stored: bytes) -> bytes:
            for person, at in SEEN.decode(stored).items() if self._store.is_shared else ():
                if person not in (*self._gone, _BEGINNING) and not self._is_past(at):
                    snapshot[person] = max(at, snapshot.get(person, at))
            return msgspec.json.encode(snapshot)

        try:
            await self._store.change_setting("seen", merge)
            if newer:
                await save_seen(self._store, newer)
        except StoreError as error:
            _logger.error("who was here is not written down", problem=str(error))
        else:
            self._saved = snapshot
            for person, at in snapshot.items() if self._store.is_shared else ():
                self._seen[person] = max(at, self._seen.get(person, at))
