"""Checks shared by several commands. Each raises its `TableRefusal`."""

from spieltisch.core.position import Position
from spieltisch.tables import permissions, refusals
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import Seat


def require_not_over(table: Table) -> None:
    """Check that the table is open or running."""
    if table.is_suspended:
        raise refusals.suspended()
    if table.status == "frozen":
        raise refusals.frozen()
    if table.is_over:
        raise refusals.table_over()


def require_running(table: Table) -> Position:
    """Return the position of the running game."""
    require_not_over(table)
    if table.position is None:
        raise refusals.not_running()
    return table.position


def require_over(table: Table) -> None:
    """Check that the table's game has ended, with or without a result."""
    if table.status == "frozen":
        raise refusals.frozen()
    if not table.is_over:
        raise refusals.not_over()


def require_revealed(table: Table) -> None:
    """Check that the table's game has ended, and so have those of its deal."""
    require_over(table)
    if table.is_withheld:
        raise refusals.withheld()


def require_own_seat(table: Table, person: str) -> int:
    """Return the seat that this person holds."""
    seat = table.seat_of(person)
    if seat is None:
        raise refusals.not_your_seat()
    return seat


def require_seat(table: Table, number: int) -> Seat:
    """Return a seat. Raise `TableRefusal` seat if the table has none with this number."""
    if not 0 <= number < len(table.seats):
        raise refusals.no_seat()
    return table.seats[number]


def require_host(table: Table, person: str) -> None:
    """Check that this person is the table's host, and may act as such now."""
    if not person or person != permissions.acting_host(table):
        raise refusals.not_host()
