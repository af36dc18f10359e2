"""The server's time: the wall clock, checked against a monotonic clock.

If the two no longer agree, the wall clock was set or the machine was asleep; if the clock was not read for long, the
server stood still. Such a jump is recorded, so that the time between counts against no player (`ClockPaused`).

Events and messages have the time of the wall clock. What waits must not: use `steady` for waits in memory, and
`seconds_since` for stored times. Then a clock that is set ends no wait, and makes none longer.
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
    known to run: the time since then is added to the `jumps`, after those of earlier runs in `earlier`. If several
    processes are the server (`is_shared`), it is only `doubtful`, like the silence of this one. `corrections`
    are the times at which earlier runs saw that the clock was set. If it was set back since the `last` time, this is
    added to them; it is not known when.

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
        corrections: Sequence[ClockJump] = (),
        is_shared: bool = False,
    ) -> None:
        self._wall_clock = wall_clock
        self.steady = monotonic
        """A callable that returns the seconds of a clock that is never set."""
        self._reference = self._last_reading = wall_clock(), monotonic()
        self.earlier_jumps = len(earlier)
        """The number of jumps that are from earlier runs of the server."""
        self.doubtful: list[ClockJump] = []
        """The jumps at which other processes may have been running."""
        self.jumps = [*earlier]
        self._is_shared = is_shared
        (self.doubtful if is_shared else self.jumps).append(ClockJump(last, self._reference[0]))
        self.downtime = max(0.0, self._reference[0] - last)
        """The seconds before this start in which no server ran."""
        self.corrections = list(corrections)
        """The times at which the clock was set: from what it would have shown to what it showed."""
        self.was_set_back = last - self._reference[0] > TOLERANCE_SECONDS
        """True if it was set back while no server ran."""
        if self.was_set_back:
            self.corrections.append(ClockJump(last, self._reference[0]))

    def __call__(self) -> float:
        """Return the wall clock's time and record a jump if it disagrees with the monotonic clock."""
        wall_clock, monotonic = self._wall_clock(), self.steady()
        last_reading, silence = self._last_reading[0], monotonic - self._last_reading[1]
        unset = self._reference[0] + monotonic - self._reference[1]
        expected = unset if silence <= MAX_SILENCE_SECONDS else last_reading
        self._last_reading = wall_clock, monotonic
        if abs(wall_clock - unset) > TOLERANCE_SECONDS:
            self.corrections.append(ClockJump(unset, wall_clock))
            self._reference = wall_clock, monotonic
        if abs(wall_clock - expected) > TOLERANCE_SECONDS:
            is_doubtful = self._is_shared and silence > MAX_SILENCE_SECONDS
            (self.doubtful if is_doubtful else self.jumps).append(ClockJump(expected, wall_clock))
            self._reference = wall_clock, monotonic
        return wall_clock

    def seconds_since(self, at: float) -> float:
        """Return the seconds that have passed since a stored time, however the clock has been set in between.

        A time that no clock can have shown yet is taken as now.

        >>> wall, steady = 100.0, 0.0
        >>> clock = ServerClock(lambda: wall, lambda: steady, last=100.0)
        >>> wall, steady = 9010.0, 10.0  # ten seconds later it was set to 9010
        >>> clock.seconds_since(100.0), clock.seconds_since(9010.0)
        (10.0, 0.0)
        >>> wall, steady = 120.0, 20.0  # and after ten more back to what is right
        >>> clock.seconds_since(100.0), clock.seconds_since(9010.0), clock.seconds_since(9999.0)
        (20.0, 10.0, 0.0)
        """
        end, passed = self(), 0.0
        for correction in reversed(self.corrections):
            if correction.to <= at <= end:
                return passed + end - at
            passed += end - correction.to
            end = correction.since
        return passed + end - at if at <= end else 0.0
