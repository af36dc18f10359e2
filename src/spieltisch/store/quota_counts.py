"""Counts for the quotas: unfinished tables, seats at them, and component files of people."""

from typing import Any

from sqlalchemy import Select, func, select

from spieltisch.store.schema import COMPONENT_OWNERS, SEAT_HOLDERS, TABLES
from spieltisch.store.store import Store
from spieltisch.store.table_rows import ACTIVE_STATUSES


async def count_unfinished_tables(store: Store, host: str | None = None, origin: bytes | None = None) -> int:
    """Return the number of unfinished tables, only those of this `host` or this `origin` if given."""
    query = select(func.count()).select_from(TABLES).where(TABLES.c.status.in_(ACTIVE_STATUSES))
    if host is not None:
        query = query.where(TABLES.c.host == host)
    return await _count(store, query if origin is None else query.where(TABLES.c.origin == origin))


async def count_seats(store: Store, person: str) -> int:
    """Return the number of seats of a person at unfinished tables."""
    query = (
        select(func.count())
        .select_from(SEAT_HOLDERS.join(TABLES, TABLES.c.id == SEAT_HOLDERS.c.table_id))
        .where(SEAT_HOLDERS.c.person == person, TABLES.c.status.in_(ACTIVE_STATUSES))
    )
    return await _count(store, query)


async def count_component_sets(store: Store, *, person: str = "", origin: bytes | None = None) -> int:
    """Return the number of component files of a person, or of all people who uploaded theirs from an address."""
    owners = COMPONENT_OWNERS.c
    condition = owners.person == person if origin is None else owners.origin == origin
    return await _count(store, select(func.count()).select_from(COMPONENT_OWNERS).where(condition))


async def _count(store: Store, query: Select[Any]) -> int:
    return await store.read(lambda connection: int(connection.execute(query).scalar_one()))
