"""Have the totals of people computed again: they count games by level of bots, and know the day of a best result."""

from alembic import op

revision = "r7"
down_revision = "r6"


def upgrade() -> None:
    """Drop the totals; they are computed from the results when they are next asked for."""
    op.execute("DELETE FROM person_totals")
