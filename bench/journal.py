"""What noting versions beside the database costs a move: appends to real files, one after the other and many at once.

    python -m bench.journal [FOLDER]

Without notes, as it is (noted after the commit, synced once a second), and with a sync of its own for every commit. The
ways take turns, each append another, so that what else the disk does meets all of them.
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

ROUNDS, EVERY, CROWD = 1000, 20, 64
SUMMARY = TableSummary("open", (SeatSummary("open"),), host="ada")
EVENT = [(1.0, b'{"event":"moved","seat":1,"move":"build red Lyon","then":2,"points":[0,3,1]}')]
_note = Journal.note


def _nothing(journal: Journal, versions: Iterable[tuple[str, int]]) -> None:
    """No notes."""


def _synced(journal: Journal, versions: Iterable[tuple[str, int]]) -> None:
    """Each note waits for the disk."""
    _note(journal, versions)
    journal.sync()


WAYS: dict[str, Callable[[Journal, Iterable[tuple[str, int]]], None]] = {
    "without notes": _nothing,
    "as it is": _note,
    "synced with each commit": _synced,
}


async def measure(folder: Path) -> dict[str, tuple[list[float], list[float]]]:
    """By way: milliseconds of each single append, and of each crowd of appends."""
    found: dict[str, tuple[list[float], list[float]]] = {way: ([], []) for way in WAYS}
    store = await Store.open(folder / "bench.sqlite3")
    ids = [f"table{number}" for number in range(CROWD)]
    versions = {table: await store.create(table, "toy", bytes(32), EVENT, SUMMARY) for table in ids}

    async def append(table: str) -> None:
        versions[table] = await store.append(table, versions[table], EVENT, SUMMARY)

    for number in range(ROUNDS):
        for way in random.sample(list(WAYS), len(WAYS)):
            setattr(Journal, "note", WAYS[way])  # noqa: B010  # mypy would not let a method be assigned  # what is measured
            crowd = number % EVERY == 0
            begun = time.perf_counter()
            await asyncio.gather(*map(append, ids if crowd else ids[:1]))
            found[way][crowd].append(1000 * (time.perf_counter() - begun))
    setattr(Journal, "note", _note)  # noqa: B010  # as above
    await store.close()
    return found


if __name__ == "__main__":
    with TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        for way, (single, crowds) in asyncio.run(measure(Path(name))).items():
            p95 = quantiles(single, n=20)[-1]
            print(f"{way:<24} one: median {median(single):.2f} ms, p95 {p95:.2f}; {CROWD}: {median(crowds):.1f} ms")
