"""Let time pass for leases."""

from __future__ import annotations

from sqlalchemy import Connection, update

from spieltisch.store.schema import LEASES


def pass_time(connection: Connection, seconds: float) -> None:
    connection.execute(update(LEASES).values(until=LEASES.c.until - seconds))
