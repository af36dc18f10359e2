"""Add the number of seats open to anyone, so that the lobby finds tables with a free seat."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column `free`, its index, and its values for open tables."""
    op.add_column("tables", sa.Column("free", sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_by_free", "tables", ["changed"], sqlite_where=sa.text("free > 0"))
    tables = sa.table("tables", *map(sa.column, ("id", "status", "summary", "free")))
    connection = op.get_bind()
    waiting = sa.select(tables.c.id, tables.c.summary).where(tables.c.status == "open")
    for table_id, summary in connection.execute(waiting).all():
        free = sum(seat["kind"] == "open" for seat in json.loads(summary)["seats"])
        connection.execute(sa.update(tables).where(tables.c.id == table_id).values(free=free))
