"""The cost of an append on SQLite and on PostgreSQL: processor time of this process, and how long one takes.

    python -m bench.appends [postgresql://...]

The database of the URL must be empty. Of PostgreSQL's own processes nothing is counted.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from spieltisch.features import FEATURES
from spieltisch.store import Store
from spieltisch.tables import SeatSummary, TableSummary

APPENDS = 800
SEATS = tuple(SeatSummary("person", name, name) for name in ("ada", "ben", "cleo"))
SUMMARIES = [TableSummary("running", SEATS, to_decide=seat, host="ada") for seat in range(3)]
EVENT = [(1.0, b'{"event":"moved","seat":1,"move":"build red Lyon","then":2,"points":[0,3,1]}')]


async def measure(place: Path | str, parallel: int) -> str:
    """Return a line about appends to so many tables at once."""
    store = await Store.open(place, FEATURES)
    times = []

    async def play(table: str) -> None:
        version = await store.create(table, "toy", bytes(32), EVENT, SUMMARIES[0])
        for number in range(APPENDS // parallel):
            began = time.perf_counter()
            version = await store.append(table, version, EVENT, SUMMARIES[number % 3])
            times.append(1000 * (time.perf_counter() - began))

    processor, clock = time.process_time(), time.perf_counter()
    await asyncio.gather(*(play(f"t{parallel}-{number}") for number in range(parallel)))
    processor, clock = time.process_time() - processor, time.perf_counter() - clock
    await store.close()
    return (
        f"{parallel:3} at once: {1000 * processor / APPENDS:.2f} ms of processor, p50 {median(times):.1f} ms, "
        f"p99 {quantiles(times, n=100)[98]:.1f} ms, {APPENDS / clock:.0f}/s"
    )


def main() -> None:
    """Measure both, with more and more tables at once."""
    with TemporaryDirectory() as folder:
        places: list[Path | str] = [Path(folder) / "bench.sqlite3", *sys.argv[1:]]
        for name, place in zip(("SQLite", "PostgreSQL"), places, strict=False):
            for parallel in (1, 8, 64):
                print(f"{name:10} {asyncio.run(measure(place, parallel))}", flush=True)


if __name__ == "__main__":
    main()
