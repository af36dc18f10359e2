"""How long it takes from a click of one player to the other player, at a table of two people and a bot.

    python -m bench.click_times --clicks 200 --no-browsers

Starts a server of its own, without limits and on data of its own, and two Chromiums that Playwright drives, or two
clients that speak HTTP as browsers do.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench import browser_clicks, http_clicks
from bench.local_server import running_server

WARM_UP = 5
"""Clicks that are made and not counted: pages, caches and workers are made ready by the first."""


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value below which that part of them lies.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5)
    3.0
    """
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


class ClickTimes(NamedTuple):
    """What was measured: `between` says from where to where. Times are milliseconds."""

    between: str
    clicks: int
    median_ms: float
    p99_ms: float
    most_ms: float

    @classmethod
    def of(cls, between: str, seconds: Sequence[float]) -> ClickTimes:
        """Return the figures of these times.

        >>> ClickTimes.of("here and there", [0.010, 0.030, 0.020]).median_ms
        20.0
        """
        times = [1e3 * time for time in seconds]
        return cls(between, len(times), median(times), percentile(times, 0.99), max(times))


def measure_clicks(clicks: int, *, browsers: bool) -> ClickTimes:
    """Make so many clicks, and time them. Raises ClickError."""
    way = browser_clicks if browsers else http_clicks
    with TemporaryDirectory(prefix="spieltisch-") as folder, running_server(Path(folder)) as address:
        found = way.times(address)
        try:
            taken = list(islice(found, WARM_UP + clicks))[WARM_UP:]
        finally:
            found.close()
    return ClickTimes.of(way.BETWEEN, taken)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--clicks", type=int, default=200)
    asked.add_argument("--browsers", action=argparse.BooleanOptionalAction, default=True)
    chosen = asked.parse_args()
    found = measure_clicks(chosen.clicks, browsers=chosen.browsers)
    print(f"{found.clicks} clicks, {found.between}:")
    print(f"median {found.median_ms:.1f} ms, p99 {found.p99_ms:.1f} ms, at most {found.most_ms:.1f} ms")


if __name__ == "__main__":
    main()
