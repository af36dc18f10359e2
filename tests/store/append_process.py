"""A process that appends to its tables for ever, and prints `table version` for each event once it is acknowledged.

It is killed by the test. Several appends are always on their way, so that a kill meets commits that are shared.
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
    """Append to a table for ever."""
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
