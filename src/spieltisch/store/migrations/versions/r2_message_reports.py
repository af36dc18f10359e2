"""Add reports of chat messages."""

import sqlalchemy as sa
from alembic import op

revision = "r2"
down_revision = "r1"

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table of reports and the index that finds those of an author."""
    op.create_table(
        "message_reports",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("message_reports_by_author", "message_reports", ["author"])
