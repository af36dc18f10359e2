"""Analyses of finished games, stored without names, so that they are valid for any players."""

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from spieltisch.store.schema import ANALYSES
from spieltisch.store.store import Store


async def keep(store: Store, table_id: str, data: bytes) -> None:
    """Store the analysis of a table's game (JSON), replacing an earlier one.

    Raise `WriteFailed` if it cannot be written.
    """
    statement = insert(ANALYSES).values(table_id=table_id, data=data)
    statement = statement.on_conflict_do_update(index_elements=[ANALYSES.c.table_id], set_={"data": data})
    await store.write(lambda connection: connection.execute(statement))


async def find(store: Store, table_id: str) -> bytes | None:
    """Return the analysis of a table's game as JSON, or None."""
    query = select(ANALYSES.c.data).where(ANALYSES.c.table_id == table_id)
    return await store.read(lambda connection: connection.execute(query).scalar())
