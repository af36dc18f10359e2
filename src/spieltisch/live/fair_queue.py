"""Who thinks next, where more want to than may at a time."""

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
    """So many places at a time. Who comes `first` goes before all who do not; among equals goes whoever has had the
    least of the places' time, and who was long away begins with those who are there (start-time fair queueing: Goyal,
    Vin, Cheng, 1996). So one who asks for a hundred things holds up nobody who asks for one.
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
    async def slot(self, who: Hashable, *, first: bool) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        mine = _Waiting(who, first, next(self._numbers), asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        self._call()
        try:
            await mine.called
        except asyncio.CancelledError:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:  # it was called, and goes all the same
                self._leave(who, 0.0)
            raise
        began = self._clock()
        try:
            yield
        finally:
            self._leave(who, self._clock() - began)

    def _leave(self, who: Hashable, seconds: float) -> None:
        self._had[who] = self._of(who) + seconds
        self._had = {one: had for one, had in self._had.items() if had > self._least}
        self._free += 1
        self._call()

    def _call(self) -> None:
        while self._free and self._waiting:
            next_one = min(self._waiting, key=lambda one: (not one.first, self._of(one.who), one.number))
            self._waiting.remove(next_one)
            self._least = max(self._least, self._of(next_one.who))
            self._free -= 1
            next_one.called.set_result(None)

    def _of(self, who: Hashable) -> float:
        return max(self._least, self._had.get(who, 0.0))
