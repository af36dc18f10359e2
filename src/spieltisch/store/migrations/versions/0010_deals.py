"""Add the duplicate that a table belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column `deal` and its index."""
    op.add_column("tables", sa.Column("deal", sa.String))
    op.create_index("tables_by_deal", "tables", ["deal"])
