"""From which address a table was opened and a component file was brought, as a keyed hash."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("origin", sa.LargeBinary))
    op.add_column("component_owners", sa.Column("origin", sa.LargeBinary))
