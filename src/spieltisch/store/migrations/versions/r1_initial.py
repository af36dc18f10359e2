"""Create the tables of 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "r1"
down_revision = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create all tables and indexes."""
    op.create_table(
        "component_sets",
        sa.Column("digest", TEXT, primary_key=True),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
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
        sa.Column("game", TEXT, primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("table_id", TEXT, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("preferences", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "person_totals",
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("game", TEXT, primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_by_game", "ratings", ["game", "seats"])
    op.create_table(
        "settings",
        sa.Column("name", TEXT, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("origin", sa.LargeBinary),
        sa.Column("deadline", sa.Float),
        sa.Column("duplicate", TEXT),
        sa.Column("free_seats", sa.Integer, nullable=False, server_default="0"),
        sa.Column("uncounted", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("tables_by_deadline", "tables", ["deadline"])
    op.create_index("tables_by_duplicate", "tables", ["duplicate"])
    op.create_index(
        "tables_by_free_seats",
        "tables",
        ["changed"],
        sqlite_where=sa.text("free_seats > 0"),
        postgresql_where=sa.text("free_seats > 0"),
    )
    op.create_index("tables_by_status", "tables", ["status", "changed"])
    op.create_index(
        "tables_uncounted",
        "tables",
        ["changed", "id"],
        sqlite_where=sa.text("uncounted > 0"),
        postgresql_where=sa.text("uncounted > 0"),
    )
    op.create_index(
        "tables_without_host",
        "tables",
        ["changed", "id"],
        sqlite_where=sa.text("host = ''"),
        postgresql_where=sa.text("host = ''"),
    )
    op.create_table(
        "alert_subscriptions",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("sent", sa.Float),
        sa.Column("failed", sa.Float),
        sa.Column("reason", sa.LargeBinary),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_index("ix_alert_subscriptions_person", "alert_subscriptions", ["person"])
    op.create_table(
        "analyses",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "analyses_so_far",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "chat_messages",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("room", TEXT, nullable=False),
        sa.Column("person", TEXT, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("text", TEXT),
    )
    op.create_index("chat_messages_by_person", "chat_messages", ["person"])
    op.create_table(
        "component_owners",
        sa.Column("digest", TEXT, sa.ForeignKey("component_sets.digest"), primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_table(
        "events",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lobby_entries",
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("section", sa.Integer, primary_key=True),
        sa.Column("recency", sa.Float, primary_key=True),
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("lobby_entries_by_table", "lobby_entries", ["table_id"])
    op.create_table(
        "mutes",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("muted", TEXT, primary_key=True),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("used", sa.Float),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.create_table(
        "plans",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("outcome", sa.LargeBinary),
    )
    op.create_index("plans_by_person", "plans", ["person"])
    op.create_table(
        "played_games",
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("at", sa.Float, primary_key=True),
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("played_games_by_table", "played_games", ["table_id"])
    op.create_table(
        "reactions",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", TEXT, primary_key=True),
        sa.Column("reaction", TEXT, primary_key=True),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("prefix", TEXT, primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False, unique=True),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("results_by_game", "results", ["game", "seats"])
    op.create_table(
        "seat_holders",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", TEXT, nullable=False),
    )
    op.create_index("seat_holders_by_person", "seat_holders", ["person"])
    op.create_table(
        "secrets",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_table(
        "uploads",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", TEXT),
        sa.Column("origin", sa.LargeBinary),
    )
    op.create_index("ix_uploads_person", "uploads", ["person"])
    op.create_table(
        "outbox",
        sa.Column("table_id", TEXT, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("message", sa.Integer, primary_key=True),
        sa.Column("kind", TEXT, primary_key=True),
        sa.Column("subscription", TEXT, sa.ForeignKey("alert_subscriptions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("send_at", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("batch", TEXT),
    )
    op.create_index("outbox_by_subscription", "outbox", ["subscription", "send_at"])
    op.create_table(
        "device_codes",
        sa.Column("code_hash", sa.LargeBinary, primary_key=True),
        sa.Column("code", sa.LargeBinary, nullable=False),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False, unique=True),
        sa.Column("session", sa.LargeBinary, nullable=False),
        sa.Column("shown", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "used_challenges",
        sa.Column("challenge", sa.LargeBinary, primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("kind", TEXT, primary_key=True),
        sa.Column("key", TEXT, primary_key=True),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "admin_links",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "administrators",
        sa.Column(
            "session", sa.LargeBinary, sa.ForeignKey("sessions.token_hash", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("ix_administrators_person", "administrators", ["person"])
    op.create_table(
        "bans",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("person", TEXT, sa.ForeignKey("people.id"), unique=True),
        sa.Column("address", sa.LargeBinary, unique=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "admin_log",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("actor", TEXT, nullable=False),
        sa.Column("command_user", TEXT, nullable=False),
        sa.Column("act", TEXT, nullable=False),
        sa.Column("subject", TEXT, nullable=False),
    )
