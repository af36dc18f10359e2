"""A process that appends to its tables forever, and prints `table version` for each acknowledged event.

The test kills it. Several appends are always pending, so that a kill also hits shared commits.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from spieltisch.store import Store
from spieltisch.tables import SeatSummary, TableSummary

TABLES = ("north", "east", "south", "west")
SUMMARY = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")


async def main(path: Path) -> None:
    store = await Store.open(path)
    versions = {table.id: table.version for table in await store.tables()}
    await asyncio.gather(*(fill(store, table, versions.get(table, 0)) for table in TABLES))


async def fill(store: Store, table: str, version: int) -> None:
    """Append events to a table forever."""
    if not version:
        version = await store.create(table, "toy", bytes(32), [(1.0, b'{"n":1}')], SUMMARY)
        os.write(1, f"{table} {version}\n".encode())
    while True:
        version = await store.append(table, version, [(1.0, b'{"n":%d}' % (version + 1))], SUMMARY)
        os.write(1, f"{table} {version}\n".encode())


def run(path: str) -> None:
    asyncio.run(main(Path(path)))


if __name__ == "__main__":
    run(sys.argv[1])
