"""Keep the results of each person in order, their totals, and the ratings."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column `uncounted` and the tables `played_games`, `person_totals`, `ladders` and `ratings`.

    Totals and ratings are computed when they are first read.
    """
    op.add_column("tables", sa.Column("uncounted", sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_uncounted", "tables", ["changed", "id"], sqlite_where=sa.text("uncounted > 0"))
    played = op.create_table(
        "played_games",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("at", sa.Float, primary_key=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("played_games_by_table", "played_games", ["table_id"])
    op.create_table(
        "person_totals",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "ladders",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_by_game", "ratings", ["game", "seats"])
    connection = op.get_bind()
    tables = sa.table("tables", *map(sa.column, ("id", "status", "uncounted")))
    results = sa.table("results", *map(sa.column, ("table_id", "data")))
    missing = tables.c.status == "finished", tables.c.id.not_in(sa.select(results.c.table_id))
    connection.execute(sa.update(tables).where(*missing).values(uncounted=1))
    counted = sa.select(results).join(tables, tables.c.id == results.c.table_id).where(tables.c.status == "finished")
    for table_id, data in connection.execute(counted).all():
        result = json.loads(data)
        players = [player["person"] for player in result["players"] if player["kind"] == "person"]
        people = {person.partition("/")[0] for person in players}
        if people:
            rows = [{"person": person, "at": result["at"], "table_id": table_id} for person in people]
            connection.execute(sa.insert(played), rows)
