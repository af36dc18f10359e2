"""Add results of finished games, computed from their events, and recovery codes."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables `results` and `recovery_codes`."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("results_by_game", "results", ["game", "seats"])
    op.create_table(
        "recovery_codes",
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False, unique=True),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
