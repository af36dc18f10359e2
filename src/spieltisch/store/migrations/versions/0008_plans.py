"""Add planned turns."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table `plans`."""
    op.create_table(
        "plans",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("fate", sa.LargeBinary),
    )
    op.create_index("plans_by_person", "plans", ["person"])
