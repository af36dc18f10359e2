"""Create tables, events, people, sessions and component sets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
    )
    op.create_index("tables_by_status", "tables", ["status", "changed"])
    op.create_table(
        "sitters",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
    )
    op.create_index("sitters_by_person", "sitters", ["person"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "secrets",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("preferences", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_table(
        "component_sets",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
    )
    op.create_table(
        "component_owners",
        sa.Column("digest", sa.String, sa.ForeignKey("component_sets.digest"), primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("added", sa.Float, nullable=False),
    )
    op.create_table(
        "settings", sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.LargeBinary, nullable=False)
    )
