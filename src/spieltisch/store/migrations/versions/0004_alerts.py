"""Add alert subscriptions and the queue of alerts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables `ways` and `outbox`."""
    op.create_table(
        "ways",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("sent", sa.Float),
        sa.Column("failed", sa.Float),
        sa.Column("reason", sa.LargeBinary),
    )
    op.create_index("ix_ways_person", "ways", ["person"])
    op.create_table(
        "outbox",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("way", sa.String, sa.ForeignKey("ways.id"), primary_key=True),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("batch", sa.String),
    )
    op.create_index("outbox_by_way", "outbox", ["way", "due"])
