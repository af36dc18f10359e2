"""The points of a game that has ended, counted source by source."""

from __future__ import annotations

import msgspec

from spieltisch.core.words import Message, Name
from spieltisch.tables import Table
from spieltisch.tables.log import points_by_source


class CountedSource(msgspec.Struct, frozen=True):
    """A source of points, and the points by seat from it and all sources before it."""

    name: Message | Name
    points: tuple[int, ...]


def end_count(table: Table) -> tuple[CountedSource, ...]:
    """Return the sources from which players got points, in their order; empty if the game is not over.

    Points without a named source, or dealt, are in the first sum.
    """
    if table.status != "finished" or table.position is None or table.setup is None:
        return ()
    brought = points_by_source(table)
    numbers = sorted({source for (source, _), amount in brought.items() if amount})
    named = [(number, name) for number in numbers if (name := table.game.point_source_name(table.setup, number))]
    totals = [
        (points or 0) - sum(brought[number, seat] for number, _ in named)
        for seat, points in enumerate(table.position.observe(None).scores)
    ]
    counted = []
    for number, name in named:
        totals = [total + brought[number, seat] for seat, total in enumerate(totals)]
        counted.append(CountedSource(name, tuple(totals)))
    return tuple(counted)
