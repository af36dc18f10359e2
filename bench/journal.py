"""The cost of noting versions next to the database: appends to real files, one after the other and many in parallel.

    python -m bench.journal [FOLDER]

Measured are appends without notes, with the present ones (noted after the commit, synced once a second), and with a
sync for every commit. The variants alternate from append to append, so that other activity of the disk affects all of
them.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from spieltisch.store import Store
from spieltisch.store.journal import Journal
from spieltisch.tables import SeatSummary, TableSummary

ROUNDS, EVERY, PARALLEL_APPENDS = 1000, 20, 64
"""The number of rounds, the interval between parallel appends, and their number."""
SUMMARY = TableSummary("open", (SeatSummary("open"),), host="ada")
EVENT = [(1.0, b'{"event":"moved","seat":1,"move":"build red Lyon","then":2,"points":[0,3,1]}')]
_note = Journal.note


def _note_nothing(journal: Journal, versions: Iterable[tuple[str, int]]) -> None:
    """Write no notes."""


def _note_and_sync(journal: Journal, versions: Iterable[tuple[str, int]]) -> None:
    """Write each note to the disk and wait for it."""
    _note(journal, versions)
    journal.sync()


VARIANTS: dict[str, Callable[[Journal, Iterable[tuple[str, int]]], None]] = {
    "without notes": _note_nothing,
    "as it is": _note,
    "synced with each commit": _note_and_sync,
}
"""The variants of `Journal.note`."""


async def measure(folder: Path) -> dict[str, tuple[list[float], list[float]]]:
    """Return for each variant the milliseconds of each single append, and of each set of parallel appends."""
    times: dict[str, tuple[list[float], list[float]]] = {variant: ([], []) for variant in VARIANTS}
    store = await Store.open(folder / "bench.sqlite3")
    ids = [f"table{number}" for number in range(PARALLEL_APPENDS)]
    versions = {table: await store.create(table, "toy", bytes(32), EVENT, SUMMARY) for table in ids}

    async def append(table: str) -> None:
        versions[table] = await store.append(table, versions[table], EVENT, SUMMARY)

    for number in range(ROUNDS):
        for variant in random.sample(list(VARIANTS), len(VARIANTS)):
            setattr(Journal, "note", VARIANTS[variant])  # noqa: B010  # mypy does not allow assigning a method
            is_parallel = number % EVERY == 0
            start = time.perf_counter()
            await asyncio.gather(*map(append, ids if is_parallel else ids[:1]))
            times[variant][is_parallel].append(1000 * (time.perf_counter() - start))
    setattr(Journal, "note", _note)  # noqa: B010  # as above
    await store.close()
    return times


if __name__ == "__main__":
    with TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        for variant, (single, parallel) in asyncio.run(measure(Path(name))).items():
            p95 = quantiles(single, n=20)[-1]
            print(
                f"{variant:<24} one: median {median(single):.2f} ms, p95 {p95:.2f}; "
                f"{PARALLEL_APPENDS}: {median(parallel):.1f} ms"
            )
