"""Add analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table `analyses`."""
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
