"""A process that appends to its tables for ever, and prints `table version` for each event once it is acknowledged.

It is killed by the test. Several appends are always on their way, so that a kill meets commits that are shared.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from spieltisch.store import Store
from spieltisch.tables import SeatSummary, Summary

TABLES = ("north", "east", "south", "west")
SUMMARY = Summary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")


def main(path: Path) -> None:
    store = Store(path)
    versions = {one.id: one.version for one in store.tables()}
    on_their_way: dict[Future[int], str] = {}
    for table in TABLES:
        if table not in versions:
            future = store.create(table, "toy", bytes(32), [(1.0, b'{"n":1}')], SUMMARY)
        else:
            future = append(store, table, versions[table])
        on_their_way[future] = table
    while True:
        for future in wait(on_their_way, return_when=FIRST_COMPLETED).done:
            table = on_their_way.pop(future)
            version = future.result()
            os.write(1, f"{table} {version}\n".encode())
            on_their_way[append(store, table, version)] = table


def append(store: Store, table: str, version: int) -> Future[int]:
    return store.append(table, version, [(1.0, b'{"n":%d}' % (version + 1))], SUMMARY)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
