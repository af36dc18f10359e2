"""Add keyed hashes of the addresses from which tables were opened and component files uploaded."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns `origin`."""
    op.add_column("tables", sa.Column("origin", sa.LargeBinary))
    op.add_column("component_owners", sa.Column("origin", sa.LargeBinary))
