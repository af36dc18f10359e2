"""Add the deadline of the player to move."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column `due` and its index."""
    op.add_column("tables", sa.Column("due", sa.Float))
    op.create_index("tables_by_due", "tables", ["due"])
