"""Count the requests that ask recipients for confirmation."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the table `confirmation_requests`."""
    op.create_table(
        "confirmation_requests",
        sa.Column("recipient", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("confirmation_requests_by_recipient", "confirmation_requests", ["recipient"])
    op.create_index("confirmation_requests_by_time", "confirmation_requests", ["at"])
