"""The server's time: the wall clock, checked against a monotonic clock.

If the two no longer agree, the wall clock was set or the machine was asleep; if the clock was not read for long, the
server stood still. Such a jump is recorded, so that the time between counts against no player (`ClockPaused`).
"""

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

TOLERANCE_SECONDS: Final = 5.0
"""The maximum difference between the clocks."""
MAX_SILENCE_SECONDS: Final = 60.0
"""The time without a reading after which the server, which reads its clock all the time, must have stood still."""


class ClockJump(NamedTuple):
    """A period in which the server was not running, in UTC seconds; it is negative if the clock was set back."""

    since: float
    to: float


class ServerClock:
    """A callable that returns UTC seconds.

    `wall_clock` may be set forward or back; `monotonic` never jumps. `last` is the time at which a server was last
    known to run: the time since then is added to the `jumps`, after those of earlier runs in `earlier`.

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
        earlier: Sequence[ClockJump] = (),
    ) -> None:
        self._wall_clock = wall_clock
        self._monotonic = monotonic
        self._reference = self._last_reading = wall_clock(), monotonic()
        self.earlier_jumps = len(earlier)
        """The number of jumps that are from earlier runs of the server."""
        self.jumps = [*earlier, ClockJump(last, self._reference[0])]

    def __call__(self) -> float:
        """Return the wall clock's time and record a jump if it disagrees with the monotonic clock."""
        wall_clock, monotonic = self._wall_clock(), self._monotonic()
        last_reading, silence = self._last_reading[0], monotonic - self._last_reading[1]
        expected = (
            self._reference[0] + monotonic - self._reference[1] if silence <= MAX_SILENCE_SECONDS else last_reading
        )
        self._last_reading = wall_clock, monotonic
        if abs(wall_clock - expected) > TOLERANCE_SECONDS:
            self.jumps.append(ClockJump(expected, wall_clock))
            self._reference = wall_clock, monotonic
        return wall_clock
