"""What was found when somebody had a finished game looked at; without names, so that it holds for whoever played."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from spieltisch.store.schema import ANALYSES
from spieltisch.store.store import Store


async def keep(store: Store, table_id: str, data: bytes) -> None:
    """Keep the analysis of a table's game, its JSON, in the place of an earlier one. Raises `WriteFailed`."""
    kept = insert(ANALYSES).values(table_id=table_id, data=data)
    kept = kept.on_conflict_do_update(index_elements=[ANALYSES.c.table_id], set_={"data": data})
    await store.write(lambda connection: connection.execute(kept))


async def find(store: Store, table_id: str) -> bytes | None:
    """The analysis of a table's game."""
    wanted = select(ANALYSES.c.data).where(ANALYSES.c.table_id == table_id)
    return await store.read(lambda connection: connection.execute(wanted).scalar())
