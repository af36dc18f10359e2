"""From which address a way to be told was added."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("ways", sa.Column("origin", sa.LargeBinary))
