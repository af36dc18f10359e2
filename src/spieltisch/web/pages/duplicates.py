"""Duplicate tables: their progress, and, when all are over, their comparison."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spieltisch import tables
from spieltisch.core.words import Words
from spieltisch.live.invitations import Invitations
from spieltisch.tables import GameResult, ResultPlayer, Seat, Table, TableRefusal
from spieltisch.tables.summary import FREE_KINDS
from spieltisch.web.pages.history import points_by_source


class TableRow(NamedTuple):
    """A table as everyone who may see the duplicate sees it.

    `may_watch`: this visitor may open it. For its host: the `links` to share, by seat number; the `people` whose seats
    can be reclaimed here; `may_close`.
    """

    table: Table
    may_watch: bool
    links: Mapping[int, str]
    people: Sequence[Seat]
    may_close: bool


class SeatResult(NamedTuple):
    """The result of a seat at the table with this `number`.

    `difference` is the distance of its points from the mean of the seat over the tables; `best`: no one has more.
    """

    number: int
    player: ResultPlayer
    difference: float
    is_best: bool


class SeatComparison(NamedTuple):
    """A seat at all tables, and the sources of its points."""

    seat: int
    mean: float
    columns: tuple[SeatResult, ...]
    sources: list[dict[str, Any]]


def may_see(duplicate_tables: Sequence[Table], person: str | None) -> bool:
    """Return True if a person may know of this duplicate.

    So may its players, its host, and everyone if anyone may watch in the end.
    """
    is_own = any(
        person is not None and (person == table.host or person in tables.people_who_know(table))
        for table in duplicate_tables
    )
    return is_own or duplicate_tables[0].opened.spectators == "open"


def row(table: Table, person: str | None, invitations: Invitations) -> TableRow:
    """Return a table of the duplicate as this person sees it."""
    try:
        tables.seat_of_viewer(table, person)
        may_watch = True
    except TableRefusal:
        may_watch = bool(table.seats_on_device(person))
    is_host = person is not None and person == table.host and not table.is_over
    free_seats = [seat.number for seat in table.seats if is_host and seat.kind in FREE_KINDS]
    may_reclaim = is_host and table.status == "running" and not table.seats_on_device(person)
    may_close = is_host and (table.status == "open" or not table.people)
    return TableRow(
        table,
        may_watch,
        {seat: invitations.seat_link(table, seat) for seat in free_seats},
        table.people if may_reclaim else (),
        may_close,
    )


def compare(duplicate_tables: Sequence[Table], results: Mapping[str, GameResult], words: Words) -> list[SeatComparison]:
    """Compare the finished tables, seat by seat."""
    played = [
        (number, table, results[table.id]) for number, table in enumerate(duplicate_tables, 1) if table.id in results
    ]
    setup = next((table.setup for _, table, _ in played if table.setup is not None), None)
    if setup is None:
        return []
    seats = []
    for seat in range(setup.seats):
        players = [result.players[seat] for _, _, result in played]
        points = [player.points for player in players]
        maximum, mean = max(points), sum(points) / len(points)
        columns = tuple(
            SeatResult(number, player, round(player.points - mean, 1), player.points == maximum)
            for (number, _, _), player in zip(played, players, strict=True)
        )
        sources = points_by_source(setup, players, words)
        for source in sources:
            amounts = [bar["amount"] for bar in source["bars"]]
            for bar in source["bars"]:
                bar["against"] = round(bar["amount"] - sum(amounts) / len(amounts), 1)
        seats.append(SeatComparison(seat, round(mean, 1), columns, sources))
    return seats
