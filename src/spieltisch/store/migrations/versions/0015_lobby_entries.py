"""List the tables of each person in the order of the lobby, and find imported games without reading all others."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the table `lobby_entries` with an entry for each person at each table, and an index of imported games."""
    entries = op.create_table(
        "lobby_entries",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("section", sa.Integer, primary_key=True),
        sa.Column("recency", sa.Float, primary_key=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("tables_without_host", "tables", ["changed", "id"], sqlite_where=sa.text("host = ''"))
    tables = sa.table("tables", *map(sa.column, ("id", "changed", "summary")))
    connection = op.get_bind()
    for table_id, changed, summary in connection.execute(sa.select(*tables.c)).all():
        rows = [
            {"person": person, "section": section, "recency": -changed, "table_id": table_id}
            for person, section in _sections(json.loads(summary)).items()
        ]
        if rows:
            connection.execute(sa.insert(entries), rows)
    op.create_index("lobby_entries_by_table", "lobby_entries", ["table_id"])


def _sections(summary: dict[str, Any]) -> dict[str, int]:
    """Return the people at a table, each with 0 if it is their turn, 2 if the table is over, otherwise 1."""
    seats, status = summary["seats"], summary["status"]
    people = {person.partition("/")[0] for person in (summary["host"], *(seat.get("person", "") for seat in seats))}
    sections = dict.fromkeys(people - {""}, 2 if status in ("finished", "aborted") else 1)
    decides = summary.get("to_decide")
    if status == "running" and decides is not None and not summary.get("stood_in"):
        seat = seats[decides]
        if seat["kind"] == "person" and seat.get("person"):
            sections[seat["person"].partition("/")[0]] = 0
    return sections
