"""Whom a table waits for: alerts are written in the transaction of the move that causes them, or makes them void."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.schema import ON, OUTBOX, WAYS
from spieltisch.tables.summary import Summary


def queue(connection: Connection, table_id: str, version: int, at: float, before: str, after: Summary) -> None:
    """In the transaction that brings a table to this version, at a time (UTC seconds): where it waits for somebody else
    than `before`, what was to be told of it is void, and the one it waits for is to be told in all their ways.
    """
    if after.waits_on == before:
        return
    connection.execute(delete(OUTBOX).where(OUTBOX.c.table_id == table_id))
    wanted = select(WAYS.c.id).where(WAYS.c.person == after.waits_on, WAYS.c.state == ON)
    if ways := connection.execute(wanted).scalars().all() if after.waits_on else ():
        row = {"table_id": table_id, "version": version, "due": at, "attempts": 0}
        connection.execute(insert(OUTBOX), [{**row, "way": way} for way in ways])
