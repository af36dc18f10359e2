"""Create the tables of groups, their members and their tables."""

import sqlalchemy as sa
from alembic import op

revision = "r5"
down_revision = "r4"

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "play_groups",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("link_version", sa.Integer, nullable=False),
        sa.Column("members_invite", sa.Integer, nullable=False),
        sa.Column("defaults", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", TEXT, sa.ForeignKey("play_groups.id"), primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("joined", sa.Float, nullable=False),
        sa.Column("has_alerts", sa.Integer, nullable=False),
        sa.Column("is_ranked", sa.Integer, nullable=False),
    )
    op.create_index("group_members_by_person", "group_members", ["person"])
    op.create_table(
        "group_tables",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("group_id", TEXT, sa.ForeignKey("play_groups.id"), nullable=False),
    )
    op.create_index("ix_group_tables_group_id", "group_tables", ["group_id"])
