"""Analyses of games, stored without names, so that they are valid for any players."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, delete, select

from spieltisch.store import dialects
from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.schema import ANALYSES, ANALYSES_SO_FAR
from spieltisch.store.store import Store

KEPT_SECONDS: Final = 86_400.0
"""The time for which the analysis of a game so far is kept."""


async def keep(store: Store, table_id: str, data: bytes) -> None:
    """Store the analysis of a table's game (JSON), replacing an earlier one.

    Raise `WriteFailed` if it cannot be written.
    """
    row = {"table_id": table_id, "data": data}
    await store.write(lambda connection: insert_or_replace(connection, ANALYSES, row))


async def begin(store: Store, table_id: str, begun: bytes, is_whole: Callable[[bytes], bool]) -> bool:
    """Store in place of an analysis that it has begun; return False if a whole one is stored, which stays.

    Raise `WriteFailed` if it cannot be written.
    """

    def job(connection: Connection) -> bool:
        stored = connection.execute(select(ANALYSES.c.data).where(ANALYSES.c.table_id == table_id)).scalar()
        if stored is not None and is_whole(stored):
            return False
        insert_or_replace(connection, ANALYSES, {"table_id": table_id, "data": begun})
        return True

    return await store.write(job)


async def forget_begun(store: Store, table_id: str, begun: bytes) -> None:
    """Delete that an analysis has begun, unless it is stored by now. Raise `WriteFailed` if that cannot be written."""
    query = delete(ANALYSES).where(ANALYSES.c.table_id == table_id, ANALYSES.c.data == begun)
    await store.write(lambda connection: connection.execute(query))


async def find(store: Store, table_id: str) -> bytes | None:
    """Return the analysis of a table's game as JSON, or None."""
    query = select(ANALYSES.c.data).where(ANALYSES.c.table_id == table_id)
    return await store.read(lambda connection: connection.execute(query).scalar())


async def keep_so_far(store: Store, table_id: str, seat: int, data: bytes) -> None:
    """Store the analysis of a game so far for a seat (JSON) for a day, replacing an earlier one.

    Raise `WriteFailed` if it cannot be written.
    """

    def job(connection: Connection) -> None:
        now = dialects.clock(connection)
        connection.execute(delete(ANALYSES_SO_FAR).where(ANALYSES_SO_FAR.c.until < now))
        row = {"table_id": table_id, "seat": seat, "data": data, "until": now + KEPT_SECONDS}
        insert_or_replace(connection, ANALYSES_SO_FAR, row)

    await store.write(job)


async def find_so_far(store: Store, table_id: str, seat: int | None) -> bytes | None:
    """Return the analysis of a game so far for a seat as JSON, or None."""
    columns = ANALYSES_SO_FAR.c
    query = select(columns.data).where(columns.table_id == table_id, columns.seat == seat)
    return await store.read(lambda connection: connection.execute(query).scalar())
