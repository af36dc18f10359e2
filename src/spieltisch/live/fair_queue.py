"""A fair queue of requests for a limited number of slots."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple


class _Waiting(NamedTuple):
    client: Hashable
    first: bool
    number: int
    slot_given: asyncio.Future[None]


class FairQueue:
    """A queue for a number of slots.

    Requests marked `first` come before all others. Among equals, the client that has used the least time of the slots
    comes next; a client that was away for long starts level with those that are present (start-time fair queueing:
    Goyal, Vin, Cheng, 1996). So a client with a hundred requests does not delay one with a single request.
    """

    def __init__(self, slots: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = slots
        self._clock = clock
        self._numbers = count()
        self._waiting: list[_Waiting] = []
        self._used_seconds: dict[Hashable, float] = {}
        self._minimum_seconds = 0.0
        """The time that the last served client had used before, in seconds."""

    @property
    def is_full(self) -> bool:
        """True if the next request has to wait."""
        return not self._free

    @asynccontextmanager
    async def slot(self, client: Hashable, *, first: bool) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        request = _Waiting(client, first, next(self._numbers), asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._serve()
        try:
            await request.slot_given
        except asyncio.CancelledError:
            if request in self._waiting:
                self._waiting.remove(request)
            else:  # it had got the slot, and gives it back
                self._release(client, 0.0)
            raise
        began = self._clock()
        try:
            yield
        finally:
            self._release(client, self._clock() - began)

    def _release(self, client: Hashable, seconds: float) -> None:
        self._used_seconds[client] = self._seconds_of(client) + seconds
        self._used_seconds = {entry: used for entry, used in self._used_seconds.items() if used > self._minimum_seconds}
        self._free += 1
        self._serve()

    def _serve(self) -> None:
        while self._free and self._waiting:
            request = min(
                self._waiting, key=lambda request: (not request.first, self._seconds_of(request.client), request.number)
            )
            self._waiting.remove(request)
            self._minimum_seconds = max(self._minimum_seconds, self._seconds_of(request.client))
            self._free -= 1
            request.slot_given.set_result(None)

    def _seconds_of(self, client: Hashable) -> float:
        return max(self._minimum_seconds, self._used_seconds.get(client, 0.0))
