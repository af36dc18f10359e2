"""Codes by which people find back to themselves: of each its place, by which it is found, and a keyed hash."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.schema import RECOVERY_CODES
from spieltisch.store.store import Store


async def save(store: Store, person: str, prefix: str, code_hash: bytes, at: float) -> bool:
    """Keep a code instead of the person's earlier one; False, and nothing is changed, where its place is taken."""
    row = {"place": prefix, "person": person, "code_hash": code_hash, "made": at}

    def job(connection: Connection) -> bool:
        if connection.execute(select(RECOVERY_CODES.c.person).where(RECOVERY_CODES.c.place == prefix)).scalar():
            return False
        connection.execute(delete(RECOVERY_CODES).where(RECOVERY_CODES.c.person == person))
        connection.execute(insert(RECOVERY_CODES), row)
        return True

    return await store.write(job)


async def find(store: Store, prefix: str) -> tuple[str, bytes] | None:
    """The person whose code is at this place, and the hash of the code."""
    wanted = select(RECOVERY_CODES.c.person, RECOVERY_CODES.c.code_hash).where(RECOVERY_CODES.c.place == prefix)
    row = await store.read(lambda connection: connection.execute(wanted).one_or_none())
    return None if row is None else (row.person, row.code_hash)


async def created_at(store: Store, person: str) -> float | None:
    """When the person's code was made, if there is one; UTC seconds."""
    wanted = select(RECOVERY_CODES.c.made).where(RECOVERY_CODES.c.person == person)
    return await store.read(lambda connection: connection.execute(wanted).scalar())
