"""Add who uploaded the record of a game played elsewhere."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the table `uploads`."""
    op.create_table(
        "uploads",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_index("ix_uploads_person", "uploads", ["person"])
