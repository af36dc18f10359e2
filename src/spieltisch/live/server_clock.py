"""The time of the server: the clock on the wall, checked against one that nobody sets.

Where the two no longer agree, the wall's clock was set, or the machine was asleep; where nobody has looked for long,
the server stood still. Such a leap is remembered, so that the time between counts for nobody (`ClockStood`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

TOLERANCE_SECONDS: Final = 5.0
"""Seconds by which the clocks may differ."""
MAX_SILENCE_SECONDS: Final = 60.0
"""Seconds after which a server that looks at its clock all the time must have stood still."""


class ClockJump(NamedTuple):
    """From when until when the server was not there, in UTC seconds. A clock that was set back leaps back."""

    since: float
    to: float


class ServerClock:
    """UTC seconds when it is called. `wall` may be set by people, `steady` only runs; `last` is when a server was last
    known to be there: what lies between is the first of the `jumps`.

    >>> now = 100.0
    >>> clock = ServerClock(lambda: now, lambda: 7.0, last=40.0)
    >>> now = 90.0
    >>> clock(), clock.jumps
    (90.0, [ClockJump(since=40.0, to=100.0), ClockJump(since=100.0, to=90.0)])
    """

    def __init__(
        self,
        wall_clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        last: float,
    ) -> None:
        self._wall = wall_clock
        self._steady = monotonic
        self._began = self._looked = wall_clock(), monotonic()
        self.jumps = [ClockJump(last, self._began[0])]

    def __call__(self) -> float:
        wall_clock, monotonic = self._wall(), self._steady()
        looked, quiet = self._looked[0], monotonic - self._looked[1]
        expected = self._began[0] + monotonic - self._began[1] if quiet <= MAX_SILENCE_SECONDS else looked
        self._looked = wall_clock, monotonic
        if abs(wall_clock - expected) > TOLERANCE_SECONDS:
            self.jumps.append(ClockJump(expected, wall_clock))
            self._began = wall_clock, monotonic
        return wall_clock
