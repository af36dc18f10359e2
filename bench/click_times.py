"""The time from one player's click to the other player's page, at a table of two people and a bot.

    python -m bench.click_times --clicks 200 --no-browsers

Starts its own server, without limits and with its own data, and two Chromiums driven by Playwright, or two clients that
speak HTTP as browsers do.
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
"""Clicks that are not counted: the first ones prepare pages, caches and workers."""


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value below which that share of them lies.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5)
    3.0
    """
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


class ClickTimes(NamedTuple):
    """The measured times, in milliseconds; `between` names the start and the end."""

    between: str
    clicks: int
    median_ms: float
    p99_ms: float
    most_ms: float

    @classmethod
    def of(cls, between: str, seconds: Sequence[float]) -> ClickTimes:
        """Return the figures of these times in seconds.

        >>> ClickTimes.of("here and there", [0.010, 0.030, 0.020]).median_ms
        20.0
        """
        times = [1e3 * time for time in seconds]
        return cls(between, len(times), median(times), percentile(times, 0.99), max(times))


def measure_clicks(clicks: int, *, browsers: bool) -> ClickTimes:
    """Make and time `clicks` clicks. Raise ClickError."""
    clients = browser_clicks if browsers else http_clicks
    with TemporaryDirectory(prefix="spieltisch-") as folder, running_server(Path(folder)) as address:
        times = clients.time_clicks(address)
        try:
            seconds = list(islice(times, WARM_UP + clicks))[WARM_UP:]
        finally:
            times.close()
    return ClickTimes.of(clients.WHAT_IS_TIMED, seconds)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=200)
    parser.add_argument("--browsers", action=argparse.BooleanOptionalAction, default=True)
    arguments = parser.parse_args()
    figures = measure_clicks(arguments.clicks, browsers=arguments.browsers)
    print(f"{figures.clicks} clicks, {figures.between}:")
    print(f"median {figures.median_ms:.1f} ms, p99 {figures.p99_ms:.1f} ms, at most {figures.most_ms:.1f} ms")


if __name__ == "__main__":
    main()
