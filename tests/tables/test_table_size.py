"""Compare the estimated size of a table with its measured size."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable

import pytest

from spieltisch import tables
from spieltisch.tables import NewTable, RecordedEvent, Table
from tests.tables.harness import BEN, CLEO, DORA, SECRET, Sitting, setup

MOVES = 40


def measured(job: Callable[[], object]) -> int:
    """Return the bytes that a job allocates and keeps."""
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    job()
    gc.collect()
    return tracemalloc.get_traced_memory()[0] - before


@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_the_estimated_size_of_a_table_is_within_a_factor_of_two(key: str) -> None:
    sitting, chance = Sitting.plan(NewTable(key, ("me", "open", "open", "open"))), random.Random(5)
    for person in (BEN, CLEO, DORA):
        sitting.does(tables.sit, person)
    for _ in range(MOVES):
        table = sitting.table
        assert table.position is not None
        assert table.to_decide is not None
        move = str(chance.choice(table.position.legal_moves))
        sitting.does(tables.play, table.seats[table.to_decide].person, move, table.version)
    written_events = [(event.version, event.at, tables.encode(event.event)) for event in sitting.written]
    folded_tables: list[Table] = []

    def fold() -> None:
        events = [RecordedEvent(version, at, tables.decode(data)) for version, at, data in written_events]
        folded_tables.append(tables.fold("t", SECRET, events, setup))

    tracemalloc.start()
    try:
        size = measured(fold)
        assert size / 2 < folded_tables[0].estimated_bytes < size * 2
        size += measured(lambda: [folded_tables[0].log(seat) for seat in (None, 0, 1, 2, 3)])
        assert size / 2 < folded_tables[0].estimated_bytes < size * 2
    finally:
        tracemalloc.stop()
