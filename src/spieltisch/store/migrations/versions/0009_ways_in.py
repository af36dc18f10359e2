"""Add passkeys, and alerts of mentions next to those of turns."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table `passkeys` and rebuild `outbox` with the column `word`."""
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("used", sa.Float),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.drop_index("outbox_by_way", "outbox")
    op.rename_table("outbox", "outbox_of_turns")
    op.create_table(
        "outbox",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("word", sa.Integer, primary_key=True),
        sa.Column("way", sa.String, sa.ForeignKey("ways.id"), primary_key=True),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("batch", sa.String),
    )
    op.create_index("outbox_by_way", "outbox", ["way", "due"])
    op.execute(
        "INSERT INTO outbox (table_id, version, word, way, due, attempts, batch)"
        " SELECT table_id, version, 0, way, due, attempts, batch FROM outbox_of_turns"
    )
    op.drop_table("outbox_of_turns")
