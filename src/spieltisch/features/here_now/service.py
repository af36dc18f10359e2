"""The number of people here: those with an open page, each once, however many tabs and devices they have.

Visitors without a name count once for each address, so that reloading a page adds no one. Of processes on one
database each tells the others who is there, in a few notices: ids of people, and keyed hashes of addresses, which are
not stored.
"""

import asyncio
from collections.abc import Callable
from typing import Final
from zlib import crc32

from spieltisch.live import Live
from spieltisch.live.process_states import ProcessStates
from spieltisch.live.versions import next_version

TOPIC: Final = "here"
"""The topic of the number of people here."""
PAUSE_SECONDS: Final = 3.0
"""The time from a change until others are told: a page that is reloaded is away for less than that."""
PARTS: Final = 64
"""The number of notices in which a process tells who is there: PostgreSQL sends at most 8000 bytes in one."""
Later = Callable[[float, Callable[[], None]], asyncio.TimerHandle]
"""A function that calls another after a number of seconds."""


def _call_later(seconds: float, job: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, job)


class HereNow:
    """Counts the people here, and tells pages and other processes of changes, at most once in `PAUSE_SECONDS`."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._number = 0
        self._version = next_version()
        self._timer: asyncio.TimerHandle | None = None
        self._processes = ProcessStates("here", live.notices, live.leases)
        self._processes.changed = lambda _: self._change()
        self.later: Later = _call_later
        live.presence.visitors_changed.append(self._change)
        live.stack.callback(self._end)

    def count(self, *also: str) -> int:
        """Return the number of people here, with a visitor who is about to come; see `Presence.visitors`."""
        elsewhere = (text.split() for part in range(PARTS) for text in self._processes.others(str(part)))
        return len({*self._live.presence.visitors, *also}.union(*elsewhere))

    def version(self) -> int:
        """Return the version of that number, which has grown if it has changed."""
        number = self.count()
        if number != self._number:
            self._number, self._version = number, next_version(self._version)
        return self._version

    def _change(self) -> None:
        if self._timer is None:
            self._timer = self.later(PAUSE_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        parts: list[list[str]] = [[] for _ in range(PARTS)]
        for visitor in sorted(self._live.presence.visitors):
            parts[crc32(visitor.encode()) % PARTS].append(visitor)
        for number, part in enumerate(parts):
            self._processes.say(str(number), " ".join(part))
        self._live.publish(TOPIC, None)

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
