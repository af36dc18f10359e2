"""What several commands check first. Each raises the `TableRefusal` that belongs to it."""

from __future__ import annotations

from spieltisch.core.position import Position
from spieltisch.tables import refusals
from spieltisch.tables.parts import Seat
from spieltisch.tables.table import Table


def alive(table: Table) -> None:
    """The table is open or running."""
    if table.status == "frozen":
        raise refusals.frozen()
    if table.over:
        raise refusals.table_over()


def running(table: Table) -> Position:
    """The game at the table is being played."""
    alive(table)
    if table.position is None:
        raise refusals.not_running()
    return table.position


def over(table: Table) -> None:
    """The table's game has ended, with or without a result."""
    if table.status == "frozen":
        raise refusals.frozen()
    if not table.over:
        raise refusals.not_over()


def lies_open(table: Table) -> None:
    """The table's game has ended, and so have those of its deal."""
    over(table)
    if table.kept_back:
        raise refusals.kept_back()


def seat_of(table: Table, person: str) -> int:
    """The seat that this person holds."""
    seat = table.seat_of(person)
    if seat is None:
        raise refusals.not_your_seat()
    return seat


def seat_numbered(table: Table, number: int) -> Seat:
    """The seat with this number."""
    if not 0 <= number < len(table.seats):
        raise refusals.no_seat()
    return table.seats[number]


def is_host(table: Table, person: str) -> None:
    """This person is the table's host."""
    if not person or person != table.host:
        raise refusals.not_host()
