"""The same deal at several tables: what each is set up with, who may sit where, and when everything lies open."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from spieltisch.core.words import message
from spieltisch.tables import refusals
from spieltisch.tables.events import Event, Left, Revealed, Seated, Started
from spieltisch.tables.names import device_owner
from spieltisch.tables.opening import NewTable
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table import Table

MOST_TABLES: Final = 8
"""Of one deal."""


def parse_table_count(text: str) -> int:
    """At how many tables a deal is played, as a form says it. Raises `TableRefusal` tables.

    >>> parse_table_count("2")
    2
    """
    if text not in map(str, range(1, MOST_TABLES + 1)):
        words = message("A deal is played at 1 to {most} tables, not at “{text}”.", most=MOST_TABLES, text=text[:20])
        raise TableRefusal(RefusalCode.TABLES, words)
    return int(text)


def new_duplicates(plan: NewTable, many: int) -> tuple[NewTable, ...]:
    """What each of so many tables is set up with: the seats of whoever sets them up, and of who sits beside them, are
    given away by link at all but the first.

    >>> [one.seats for one in new_duplicates(NewTable("toy", ("me", "here:Ben", "bot:greedy")), 2)]
    [('me', 'here:Ben', 'bot:greedy'), ('link', 'link', 'bot:greedy')]
    """
    seats = tuple("link" if seat == "me" or seat.startswith("here:") else seat for seat in plan.seats)
    return plan, *(msgspec.structs.replace(plan, seats=seats) for _ in range(many - 1))


def reserved_names(plan: NewTable) -> tuple[str, ...]:
    """The names that no bot bears at any of the tables, so that bots are the same everywhere."""
    return tuple(seat.removeprefix("here:") for seat in plan.seats if seat.startswith("here:"))


def people_who_know(table: Table) -> frozenset[str]:
    """The people on whose devices this table is played, or was at any time since its game began."""
    sitting: dict[int, str] = {}
    known: set[str] = set()
    begun = False
    for written in table.events:
        event = written.event
        if isinstance(event, Seated):
            sitting[event.seat] = device_owner(event.person)
        elif isinstance(event, Left) and begun:
            known.add(sitting.pop(event.seat))
        elif isinstance(event, Left):
            del sitting[event.seat]
        elif isinstance(event, Started):
            begun = True
    return frozenset(known | set(sitting.values()))


def require_first_time(people: Collection[str], others: Iterable[Table]) -> None:
    """Raise `TableRefusal` one-of-a-deal where one of these people knows another table of the deal."""
    if any(device_owner(person) in people_who_know(other) for other in others for person in people):
        raise refusals.already_in_duplicate()


def reveal(table: Table) -> tuple[Event, ...]:
    """All tables of the deal are over: show everything, unless that is so already."""
    return (Revealed(),) if table.over and table.withheld else ()
