"""The same deal at several tables: how far each is, and, when all are over, how they compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spieltisch import tables
from spieltisch.core.words import Words
from spieltisch.live.invitations import Invitations
from spieltisch.tables import GameResult, ResultPlayer, Seat, Table, TableRefusal
from spieltisch.tables.summary import FREE_KINDS
from spieltisch.web.pages.history import points_by_source


class TableRow(NamedTuple):
    """A table as everybody who may see the deal sees it. `looks`: may this visitor see more. For its host: the `links`
    to hand on, by the number of the seat; the `people` whose seats may be taken back from here; may it be closed.
    """

    table: Table
    may_watch: bool
    links: Mapping[int, str]
    people: Sequence[Seat]
    may_close: bool


class SeatResult(NamedTuple):
    """A seat as it was played at the table with this `number`; `against` is how far its points are from the mean of the
    seat over the tables, and `best` whether nobody has more in it.
    """

    number: int
    player: ResultPlayer
    difference: float
    best: bool


class SeatComparison(NamedTuple):
    """A seat at all tables, and what brought its points, source by source."""

    seat: int
    mean: float
    columns: tuple[SeatResult, ...]
    sources: list[dict[str, Any]]


def may_see(found: Sequence[Table], person: str | None) -> bool:
    """Whether somebody may see that there is this deal: who plays it, or has set it up, and everybody where everybody
    may look on in the end.
    """
    mine = any(person is not None and (person == one.host or person in tables.people_who_know(one)) for one in found)
    return mine or found[0].opened.spectators == "open"


def row(table: Table, person: str | None, invitations: Invitations) -> TableRow:
    """A table of the deal for this person."""
    try:
        tables.seat_of_viewer(table, person)
        looks = True
    except TableRefusal:
        looks = bool(table.seats_on_device(person))
    hosts = person is not None and person == table.host and not table.over
    free = [seat.number for seat in table.seats if hosts and seat.kind in FREE_KINDS]
    away = hosts and table.status == "running" and not table.seats_on_device(person)
    closes = hosts and (table.status == "open" or not table.people)
    return TableRow(
        table, looks, {seat: invitations.seat_link(table, seat) for seat in free}, table.people if away else (), closes
    )


def compare(found: Sequence[Table], results: Mapping[str, GameResult], words: Words) -> list[SeatComparison]:
    """Seat by seat, those tables whose games came to their end."""
    played = [(number, one, results[one.id]) for number, one in enumerate(found, 1) if one.id in results]
    setup = next((one.setup for _, one, _ in played if one.setup is not None), None)
    if setup is None:
        return []
    seats = []
    for seat in range(setup.seats):
        players = [result.players[seat] for _, _, result in played]
        most, mean = max(one.points for one in players), sum(one.points for one in players) / len(players)
        columns = tuple(
            SeatResult(number, player, round(player.points - mean, 1), player.points == most)
            for (number, _, _), player in zip(played, players, strict=True)
        )
        sources = points_by_source(setup, players, words)
        for source in sources:
            amounts = [one["amount"] for one in source["bars"]]
            for one in source["bars"]:
                one["against"] = round(one["amount"] - sum(amounts) / len(amounts), 1)
        seats.append(SeatComparison(seat, round(mean, 1), columns, sources))
    return seats
