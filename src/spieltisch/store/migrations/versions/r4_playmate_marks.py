"""Create the table of the people whom others have muted or blocked."""

import sqlalchemy as sa
from alembic import op

revision = "r4"
down_revision = "r3"

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "playmate_marks",
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("other", TEXT, primary_key=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("is_blocked", sa.Integer, nullable=False),
    )
