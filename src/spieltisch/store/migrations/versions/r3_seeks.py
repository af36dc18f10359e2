"""Create the table of what people seek."""

import sqlalchemy as sa
from alembic import op

revision = "r3"
down_revision = "r2"

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "seeks",
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("kind", sa.LargeBinary, nullable=False),
    )
