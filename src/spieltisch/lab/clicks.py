"""How long it takes from a click of one player to the other player's browser, on a server of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from spieltisch.lab.served import served

WARM_UP = 5
"""Clicks that are made and not counted: pages, caches and workers are made ready by the first."""


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5)
    3.0
    """
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


class Clicks(msgspec.Struct, frozen=True):
    """What was measured: `between` says from where to where. Times are milliseconds."""

    between: str
    clicks: int
    median_ms: float
    p99_ms: float
    most_ms: float

    @classmethod
    def of(cls, between: str, seconds: Sequence[float]) -> Clicks:
        """The figures of these times.

        >>> Clicks.of("here and there", [0.010, 0.030, 0.020]).median_ms
        20.0
        """
        times = [1e3 * time for time in seconds]
        return cls(
            between=between,
            clicks=len(times),
            median_ms=median(times),
            p99_ms=percentile(times, 0.99),
            most_ms=max(times),
        )


Progress = Callable[[Iterator[float]], Iterator[float]]


def measure(clicks: int, *, browsers: bool, watch: Progress = lambda times: times) -> Clicks:
    """Make so many clicks at a table of two people and a bot, and time them. `watch` may look at each time.

    With `browsers` two Chromiums are driven by Playwright; without, two clients speak HTTP as browsers do. Raises
    ClickError, ImportError when Playwright is not installed.
    """
    if browsers:
        from spieltisch.lab.browsers import BETWEEN, times
    else:
        from spieltisch.lab.visitors import BETWEEN, times
    with TemporaryDirectory(prefix="spieltisch-") as folder, served(Path(folder)) as address:
        found = times(address)
        try:
            for _ in range(WARM_UP):
                next(found)
            taken = list(watch(islice(found, clicks)))
        finally:
            found.close()
    return Clicks.of(BETWEEN, taken)
