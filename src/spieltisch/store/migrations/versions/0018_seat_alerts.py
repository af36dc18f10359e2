"""Give queued alerts a kind, so that there can be some of seats that were given away."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the table `outbox` again, with the column `kind`."""
    op.drop_table("outbox")
    op.create_table(
        "outbox",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("word", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("way", sa.String, sa.ForeignKey("ways.id"), primary_key=True),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("batch", sa.String),
    )
    op.create_index("outbox_by_way", "outbox", ["way", "due"])
