"""Create the tables of seasons, those who take part, and their tables."""

import sqlalchemy as sa
from alembic import op

revision = "r6"
down_revision = "r5"

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "seasons",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("group_id", TEXT, sa.ForeignKey("play_groups.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("rules", sa.LargeBinary, nullable=False),
        sa.Column("plan", sa.LargeBinary, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("opened", sa.Integer, nullable=False),
        sa.Column("reminded", sa.Integer, nullable=False),
    )
    op.create_index("ix_seasons_group_id", "seasons", ["group_id"])
    op.create_table(
        "season_members",
        sa.Column("season_id", TEXT, sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("group_id", TEXT, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id", "person"], ["group_members.group_id", "group_members.person"], ondelete="CASCADE"
        ),
    )
    op.create_table(
        "season_tables",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("season_id", TEXT, sa.ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
    )
    op.create_index("ix_season_tables_season_id", "season_tables", ["season_id"])
