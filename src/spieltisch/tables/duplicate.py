"""Duplicate games: the same deal at several tables.

It covers how each table is set up, who may sit where, and when everything is revealed.
"""

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

MAX_TABLES: Final = 8
"""The maximum number of tables with the same deal."""


def parse_table_count(text: str) -> int:
    """Return the number of tables of a deal that a form contains. Raise `TableRefusal` tables.

    >>> parse_table_count("2")
    2
    """
    if text not in map(str, range(1, MAX_TABLES + 1)):
        words = message("Choose 1 to {most} tables, not “{text}”.", most=MAX_TABLES, text=text[:20])
        raise TableRefusal(RefusalCode.TABLES, words)
    return int(text)


def new_duplicates(plan: NewTable, count: int) -> tuple[NewTable, ...]:
    """Return `count` tables with the same deal.

    The seats of the person who opens them, and of their hot-seat players, are offered by link at all but the first.

    >>> [one.seats for one in new_duplicates(NewTable("toy", ("me", "here:Ben", "bot:easy")), 2)]
    [('me', 'here:Ben', 'bot:easy'), ('link', 'link', 'bot:easy')]
    """
    seats = tuple("link" if seat == "me" or seat.startswith("here:") else seat for seat in plan.seats)
    return plan, *(msgspec.structs.replace(plan, seats=seats) for _ in range(count - 1))


def reserved_names(plan: NewTable) -> tuple[str, ...]:
    """Return the names that no bot may have at any of the tables, so that the bots are the same at all of them."""
    return tuple(seat.removeprefix("here:") for seat in plan.seats if seat.startswith("here:"))


def people_who_know(table: Table) -> frozenset[str]:
    """Return the owners of all devices on which this table has been played since its game began."""
    owners: dict[int, str] = {}
    people: set[str] = set()
    has_started = False
    for recorded in table.events:
        event = recorded.event
        if isinstance(event, Seated):
            owners[event.seat] = device_owner(event.person)
        elif isinstance(event, Left) and has_started:
            people.add(owners.pop(event.seat))
        elif isinstance(event, Left):
            del owners[event.seat]
        elif isinstance(event, Started):
            has_started = True
    return frozenset(people | set(owners.values()))


def require_first_time(people: Collection[str], others: Iterable[Table]) -> None:
    """Raise `TableRefusal` already-in-duplicate if one of these people knows another table of the deal."""
    if any(device_owner(person) in people_who_know(other) for other in others for person in people):
        raise refusals.already_in_duplicate()


def reveal(table: Table) -> tuple[Event, ...]:
    """Return the event that reveals everything, once all tables of the deal are over; nothing if that has happened."""
    return (Revealed(),) if table.is_over and table.is_withheld else ()
