"""How much there is in the store: tables that are not over, seats at them, and component files of people."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Select, func, select

from spieltisch.store.schema import COMPONENT_OWNERS, SITTERS, TABLES
from spieltisch.store.store import Store

NOT_OVER: Final = ("open", "running")
"""A frozen table is over, too: nobody can play there, or leave it, any more."""


async def tables_going_on(store: Store, host: str | None = None) -> int:
    """How many tables are not over; with `host`, of those that this person opened."""
    wanted = select(func.count()).select_from(TABLES).where(TABLES.c.status.in_(NOT_OVER))
    return await _count(store, wanted if host is None else wanted.where(TABLES.c.host == host))


async def seats_held(store: Store, person: str) -> int:
    """How many seats a person has at tables that are not over."""
    wanted = (
        select(func.count())
        .select_from(SITTERS.join(TABLES, TABLES.c.id == SITTERS.c.table_id))
        .where(SITTERS.c.person == person, TABLES.c.status.in_(NOT_OVER))
    )
    return await _count(store, wanted)


async def sets_kept(store: Store, person: str) -> int:
    """How many component files are kept for a person."""
    wanted = select(func.count()).select_from(COMPONENT_OWNERS).where(COMPONENT_OWNERS.c.person == person)
    return await _count(store, wanted)


async def _count(store: Store, wanted: Select[Any]) -> int:
    return await store.read(lambda connection: int(connection.execute(wanted).scalar_one()))
