"""Counts for the quotas: unfinished tables, seats at them, and rows of people."""

from typing import Any, Final

from sqlalchemy import Connection, Select, Table, func, select

from spieltisch.store.person_rows import owned_by
from spieltisch.store.schema import SEAT_HOLDERS, TABLES
from spieltisch.store.table_rows import ACTIVE_STATUSES

QUOTA_LOCK: Final = 0x5EA75
"""The number by which processes take turns to count, and to store what was counted."""


def count_unfinished_tables(connection: Connection, host: str | None = None, origin: bytes | None = None) -> int:
    """Return the number of unfinished tables, only those of this `host` or this `origin` if given."""
    query = select(func.count()).select_from(TABLES).where(TABLES.c.status.in_(ACTIVE_STATUSES))
    if host is not None:
        query = query.where(TABLES.c.host == host)
    return _count(connection, query if origin is None else query.where(TABLES.c.origin == origin))


def count_seats(connection: Connection, person: str) -> int:
    """Return the number of seats of a person at unfinished tables."""
    query = (
        select(func.count())
        .select_from(SEAT_HOLDERS.join(TABLES, TABLES.c.id == SEAT_HOLDERS.c.table_id))
        .where(SEAT_HOLDERS.c.person == person, TABLES.c.status.in_(ACTIVE_STATUSES))
    )
    return _count(connection, query)


def count_rows(connection: Connection, table: Table, *, person: str = "", origin: bytes | None = None) -> int:
    """Return the number of rows of a person in an SQL table, or of all people who made theirs from an address."""
    condition = owned_by(table, person) if origin is None else table.c.origin == origin
    return _count(connection, select(func.count()).select_from(table).where(condition))


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(query).scalar_one())
