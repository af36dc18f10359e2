"""The uploaders of records of games played elsewhere."""

from typing import NamedTuple

from sqlalchemy import insert, select

from spieltisch.store.schema import TABLES, UPLOADS
from spieltisch.store.store import Store
from spieltisch.store.table_rows import UPLOADED_PREFIX, ExtraWrite


class Upload(NamedTuple):
    """An uploaded game: its table, the id of the person, and the keyed hash of the address, each None if unknown."""

    table_id: str
    person: str | None
    origin: bytes | None


def record(upload: Upload) -> ExtraWrite:
    """Return the write that records an upload, in the transaction that creates its table."""
    return lambda connection: connection.execute(insert(UPLOADS), upload._asdict())


async def all_uploads(store: Store) -> tuple[Upload, ...]:
    """Return all uploaded games, newest first."""
    query = (
        select(TABLES.c.id, UPLOADS.c.person, UPLOADS.c.origin)
        .outerjoin(UPLOADS, UPLOADS.c.table_id == TABLES.c.id)
        .where(TABLES.c.id.like(f"{UPLOADED_PREFIX}%"))
        .order_by(TABLES.c.created.desc())
    )
    return await store.read(lambda connection: tuple(Upload(*row) for row in connection.execute(query)))
