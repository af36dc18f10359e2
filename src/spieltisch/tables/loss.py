"""A table whose newest events are gone: the file came back older than it was."""

from __future__ import annotations

from spieltisch.tables.events import Event, StepsLost
from spieltisch.tables.table import Table


def steps_lost(table: Table, noted: int) -> tuple[Event, ...]:
    """Say that this table once had version `noted`; nothing where that is known, and its version newer, already.

    >>> from types import SimpleNamespace
    >>> [event.steps for event in steps_lost(SimpleNamespace(version=7), 9)]
    [2, 0, 0]
    """
    steps = noted - table.version
    return (StepsLost(steps=steps), *[StepsLost()] * steps) if steps > 0 else ()
