"""How much there is in the store: tables that are not over, seats at them, and component files of people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select

from spieltisch.store.schema import COMPONENT_OWNERS, SEAT_HOLDERS, TABLES
from spieltisch.store.store import ACTIVE_STATUSES, Store


async def tables_going_on(store: Store, host: str | None = None, origin: bytes | None = None) -> int:
    """How many tables are not over; with `host`, of those that this person opened; with `origin`, this address."""
    wanted = select(func.count()).select_from(TABLES).where(TABLES.c.status.in_(ACTIVE_STATUSES))
    if host is not None:
        wanted = wanted.where(TABLES.c.host == host)
    return await _count(store, wanted if origin is None else wanted.where(TABLES.c.origin == origin))


async def seats_held(store: Store, person: str) -> int:
    """How many seats a person has at tables that are not over."""
    wanted = (
        select(func.count())
        .select_from(SEAT_HOLDERS.join(TABLES, TABLES.c.id == SEAT_HOLDERS.c.table_id))
        .where(SEAT_HOLDERS.c.person == person, TABLES.c.status.in_(ACTIVE_STATUSES))
    )
    return await _count(store, wanted)


async def sets_kept(store: Store, *, person: str = "", origin: bytes | None = None) -> int:
    """How many component files are kept for a person, or for the people who brought theirs from an address."""
    owners = COMPONENT_OWNERS.c
    of_whom = owners.person == person if origin is None else owners.origin == origin
    return await _count(store, select(func.count()).select_from(COMPONENT_OWNERS).where(of_whom))


async def _count(store: Store, wanted: Select[Any]) -> int:
    return await store.read(lambda connection: int(connection.execute(wanted).scalar_one()))
