"""Store the address from which a subscription was added."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column."""
    op.add_column("ways", sa.Column("origin", sa.LargeBinary))
