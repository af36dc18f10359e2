"""Create the tables of 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "r1"
down_revision = None


def upgrade() -> None:
    """Create all tables and indexes."""
    op.create_table(
        "component_sets",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
    )
    op.create_table(
        "confirmation_requests",
        sa.Column("recipient", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("confirmation_requests_by_recipient", "confirmation_requests", ["recipient"])
    op.create_index("confirmation_requests_by_time", "confirmation_requests", ["at"])
    op.create_table(
        "ladders",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("preferences", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "person_totals",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
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
    op.create_table(
        "settings",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("origin", sa.LargeBinary),
        sa.Column("deadline", sa.Float),
        sa.Column("duplicate", sa.String),
        sa.Column("free_seats", sa.Integer, nullable=False, server_default="0"),
        sa.Column("uncounted", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("tables_by_deadline", "tables", ["deadline"])
    op.create_index("tables_by_duplicate", "tables", ["duplicate"])
    op.create_index("tables_by_free_seats", "tables", ["changed"], sqlite_where=sa.text("free_seats > 0"))
    op.create_index("tables_by_status", "tables", ["status", "changed"])
    op.create_index("tables_uncounted", "tables", ["changed", "id"], sqlite_where=sa.text("uncounted > 0"))
    op.create_index("tables_without_host", "tables", ["changed", "id"], sqlite_where=sa.text("host = ''"))
    op.create_table(
        "alert_subscriptions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("sent", sa.Float),
        sa.Column("failed", sa.Float),
        sa.Column("reason", sa.LargeBinary),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_index("ix_alert_subscriptions_person", "alert_subscriptions", ["person"])
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "chat_messages",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("text", sa.String),
    )
    op.create_index("chat_messages_by_person", "chat_messages", ["person"])
    op.create_table(
        "component_owners",
        sa.Column("digest", sa.String, sa.ForeignKey("component_sets.digest"), primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lobby_entries",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("section", sa.Integer, primary_key=True),
        sa.Column("recency", sa.Float, primary_key=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("lobby_entries_by_table", "lobby_entries", ["table_id"])
    op.create_table(
        "mutes",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("muted", sa.String, primary_key=True),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("used", sa.Float),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.create_table(
        "plans",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("outcome", sa.LargeBinary),
    )
    op.create_index("plans_by_person", "plans", ["person"])
    op.create_table(
        "played_games",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("at", sa.Float, primary_key=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("played_games_by_table", "played_games", ["table_id"])
    op.create_table(
        "reactions",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("reaction", sa.String, primary_key=True),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("prefix", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False, unique=True),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("results_by_game", "results", ["game", "seats"])
    op.create_table(
        "seat_holders",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
    )
    op.create_index("seat_holders_by_person", "seat_holders", ["person"])
    op.create_table(
        "secrets",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_table(
        "uploads",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_index("ix_uploads_person", "uploads", ["person"])
    op.create_table(
        "outbox",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("message", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("subscription", sa.String, sa.ForeignKey("alert_subscriptions.id"), primary_key=True),
        sa.Column("send_at", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("batch", sa.String),
    )
    op.create_index("outbox_by_subscription", "outbox", ["subscription", "send_at"])
