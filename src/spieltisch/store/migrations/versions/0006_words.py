"""Add chat messages, reactions and mutes."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables `words`, `reactions` and `mutes`."""
    op.create_table(
        "words",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("text", sa.String),
    )
    op.create_index("words_by_person", "words", ["person"])
    op.create_table(
        "reactions",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("sign", sa.String, primary_key=True),
    )
    op.create_table(
        "mutes",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("muted", sa.String, primary_key=True),
    )
