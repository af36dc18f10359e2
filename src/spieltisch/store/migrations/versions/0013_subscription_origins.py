"""Add keyed hashes of the addresses from which alert subscriptions were added."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column `origin`."""
    op.add_column("ways", sa.Column("origin", sa.LargeBinary))
