"""A fair queue of requests for a limited number of slots."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple


class _Waiting(NamedTuple):
    who: Hashable
    first: bool
    number: int
    called: asyncio.Future[None]


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
        self._had: dict[Hashable, float] = {}
        self._least = 0.0
        """What the last one who was called had had, in seconds."""

    @asynccontextmanager
    async def slot(self, client: Hashable, *, first: bool) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        request = _Waiting(client, first, next(self._numbers), asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._call()
        try:
            await request.called
        except asyncio.CancelledError:
            if request in self._waiting:
                self._waiting.remove(request)
            else:  # it had got the slot, and gives it back
                self._leave(client, 0.0)
            raise
        began = self._clock()
        try:
            yield
        finally:
            self._leave(client, self._clock() - began)

    def _leave(self, client: Hashable, seconds: float) -> None:
        self._had[client] = self._of(client) + seconds
        self._had = {other: used for other, used in self._had.items() if used > self._least}
        self._free += 1
        self._call()

    def _call(self) -> None:
        while self._free and self._waiting:
            request = min(self._waiting, key=lambda request: (not request.first, self._of(request.who), request.number))
            self._waiting.remove(request)
            self._least = max(self._least, self._of(request.who))
            self._free -= 1
            request.called.set_result(None)

    def _of(self, client: Hashable) -> float:
        return max(self._least, self._had.get(client, 0.0))
