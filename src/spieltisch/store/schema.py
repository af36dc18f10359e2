"""Tables of the database for SQLAlchemy; `migrations/` creates and changes them."""

from typing import Final

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, text

HEAD: Final = "r1"
"""The newest migration; a test compares it with `migrations/versions`."""

DATABASE: Final = "spieltisch.sqlite3"
"""The name of the database file in the data folder of a server."""

LAST_ALIVE_KEY: Final = "last_alive"
"""The setting with the time at which a server was last known to run, in UTC seconds."""

PAUSES_KEY: Final = "pauses"
"""The setting with the periods in which the server did not run and that tables may not have recorded yet."""

REPLAYED_KEY: Final = "replayed_rules"
"""The setting with the digest of the rules with which all unfinished tables have been replayed."""

LOST_EVENTS_KEY: Final = "lost_events"
"""The setting with the events that the database has lost; see `journal`."""

CORRECTIONS_KEY: Final = "clock set"
"""The setting with the times at which the clock was set while a server ran."""

EPOCH_BYTES: Final = 6
EPOCH_KEY: Final = "epoch"
"""The setting with a random value; a restored backup has none and gets another one at the next start."""

ACTIVE: Final = "active"
"""The state of a subscription that receives alerts."""

TURN_ALERT: Final = "turn"
MENTION_ALERT: Final = "mention"
SEAT_ALERT: Final = "seat"
"""The kinds of alerts: of a turn, of a mention, and of a seat that the host has given away."""

METADATA: Final = MetaData()

HAS_FREE_SEATS: Final = text("free_seats > 0")
"""A condition on a table; a query that contains it literally is answered from the index `tables_by_free_seats`."""

HAS_NO_HOST: Final = text("host = ''")
"""A condition on imported games, with an index like `HAS_FREE_SEATS`."""

IS_UNCOUNTED: Final = text("uncounted > 0")
"""A condition on finished tables without a result, with an index like `HAS_FREE_SEATS`."""

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("host", String, nullable=False),
    Column("created", Float, nullable=False),  # UTC, seconds since 1970
    Column("changed", Float, nullable=False),
    Column("version", Integer, nullable=False),  # the number of events
    Column("status", String, nullable=False),
    Column("summary", LargeBinary, nullable=False),  # a tables.TableSummary as JSON
    Column("origin", LargeBinary),  # a keyed hash of the address it was opened from, if known, until the table is over
    Column("deadline", Float),  # of the player to move; NULL if no clock runs
    Column("duplicate", String),  # the same for all tables of a duplicate; NULL for a single table
    Column("free_seats", Integer, nullable=False, server_default="0"),  # seats open to anyone before the game begins
    Column("uncounted", Integer, nullable=False, server_default="0"),  # 1 if it is finished and has no result
    Index("tables_by_status", "status", "changed"),
    Index("tables_by_deadline", "deadline"),
    Index("tables_by_duplicate", "duplicate"),
    Index("tables_by_free_seats", "changed", sqlite_where=HAS_FREE_SEATS),
    Index("tables_without_host", "changed", "id", sqlite_where=HAS_NO_HOST),
    Index("tables_uncounted", "changed", "id", sqlite_where=IS_UNCOUNTED),
)

SEAT_HOLDERS: Final = Table(
    "seat_holders",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String, nullable=False),
    Index("seat_holders_by_person", "person"),
)
"""The people who have a seat, or had one until they left, so that a person finds their tables."""

LOBBY_ENTRIES: Final = Table(
    "lobby_entries",
    METADATA,
    Column("person", String, primary_key=True),
    Column("section", Integer, primary_key=True),  # a tables.summary.Section
    Column("recency", Float, primary_key=True),  # minus the time of the last change
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Index("lobby_entries_by_table", "table_id"),
    sqlite_with_rowid=False,
)
"""The tables at which people sit or sat, or which they host, in the order in which the lobby lists them."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # 1, 2, 3, ... without a gap
    Column("at", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),  # a tables.Event as JSON
    sqlite_with_rowid=False,
)

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)
"""The 32 random bytes of each table, separate from its events, so that no view of events can reveal them."""

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("language", String, nullable=False),
    Column("preferences", LargeBinary, nullable=False),
    Column("created", Float, nullable=False),
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),  # SHA-256: a copy of the file gives no access to sessions
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("created", Float, nullable=False),
)

ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("data", LargeBinary, nullable=False),  # a bots.analysis.Analysis as JSON; it holds no names
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("game", String, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # a tables.results.GameResult as JSON
    Index("results_by_game", "game", "seats"),
)
"""Results computed from the events of finished tables, and computed again if missing."""

PLAYED_GAMES: Final = Table(
    "played_games",
    METADATA,
    Column("person", String, primary_key=True),
    Column("at", Float, primary_key=True),  # the end of the game
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Index("played_games_by_table", "table_id"),
    sqlite_with_rowid=False,
)
"""The results of each person, in order."""

PERSON_TOTALS: Final = Table(
    "person_totals",
    METADATA,
    Column("person", String, primary_key=True),
    Column("data", LargeBinary, nullable=False),  # a tables.person_totals.PersonTotals as JSON
)
"""Totals of a person's results; computed again if missing."""

LADDERS: Final = Table(
    "ladders",
    METADATA,
    Column("game", String, primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("table_id", String, nullable=False),
)
"""The last game, by time and table, that `RATINGS` count; computed again if missing."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("person", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ratings_by_game", "game", "seats"),
    sqlite_with_rowid=False,
)
"""The ratings of people, in the units of OpenSkill."""

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    Column("prefix", String, primary_key=True),  # the first letters of the code, by which it is found
    Column("person", String, ForeignKey("people.id"), nullable=False, unique=True),
    Column("code_hash", LargeBinary, nullable=False),  # HMAC-SHA-256 of the whole code
    Column("made", Float, nullable=False),
)

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String, nullable=False),  # chosen by its owner
    Column("credential", LargeBinary, nullable=False, unique=True),  # identifies it to a browser
    Column("public_key", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),  # number of uses, if the device counts them
    Column("added", Float, nullable=False),
    Column("used", Float),
)
"""Keys in people's devices with which they sign in."""

CHAT_MESSAGES: Final = Table(
    "chat_messages",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("room", String, nullable=False),
    Column("person", String, nullable=False),
    Column("seat", Integer),  # the author's seat
    Column("name", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("text", String),  # NULL: it was removed
    Index("chat_messages_by_person", "person"),
)
"""Chat messages at tables; they are not part of the game and therefore not stored with its events."""

REACTIONS: Final = Table(
    "reactions",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String, primary_key=True),
    Column("reaction", String, primary_key=True),
)

MUTES: Final = Table(
    "mutes",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("person", String, primary_key=True),
    Column("muted", String, primary_key=True),
)
"""People muted by another person at a table."""

PLANS: Final = Table(
    "plans",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("person", String, primary_key=True),
    Column("number", Integer, primary_key=True),  # plans are tried in this order
    Column("made", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),  # a tables.planning.PlannedTurn as JSON
    Column("outcome", LargeBinary),  # a Message as JSON; NULL: it waits for its turn
    Index("plans_by_person", "person"),
)
"""Planned turns; no other player reads them, so they are stored apart from the events."""

COMPONENT_SETS: Final = Table(
    "component_sets",
    METADATA,
    Column("digest", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("text", String, nullable=False),
    Column("added", Float, nullable=False),
)
"""All component files that tables were opened with: a game continues with the values it began with."""

COMPONENT_OWNERS: Final = Table(
    "component_owners",
    METADATA,
    Column("digest", String, ForeignKey("component_sets.digest"), primary_key=True),
    Column("person", String, ForeignKey("people.id"), primary_key=True),
    Column("added", Float, nullable=False),
    Column("origin", LargeBinary),  # a keyed hash of the address it came from, if known
)

UPLOADS: Final = Table(
    "uploads",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("person", String, index=True),  # NULL for a visitor without a name
    Column("origin", LargeBinary),  # a keyed hash of the address it came from, if known
)
"""The uploader of each record of a game played elsewhere."""

ALERT_SUBSCRIPTIONS: Final = Table(
    "alert_subscriptions",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("address", LargeBinary, nullable=False),  # JSON; its form depends on the kind
    Column("state", String, nullable=False),
    Column("added", Float, nullable=False),
    Column("sent", Float),  # time of the last delivered alert
    Column("failed", Float),  # time of a failure since then
    Column("reason", LargeBinary),  # a Message as JSON
    Column("origin", LargeBinary),  # a keyed hash of the address it was added from; may be unknown
)
"""Subscriptions by which people are alerted that it is their turn."""

CONFIRMATION_REQUESTS: Final = Table(
    "confirmation_requests",
    METADATA,
    Column("recipient", LargeBinary, nullable=False),  # a keyed hash of a recipient or a domain
    Column("at", Float, nullable=False),
    Index("confirmation_requests_by_recipient", "recipient"),
    Index("confirmation_requests_by_time", "at"),
)
"""Requests of the last day that asked recipients to confirm that they want alerts; there is no name in them."""

OUTBOX: Final = Table(
    "outbox",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # of the event that caused it; 0 for a mention
    Column("message", Integer, primary_key=True),  # number of the message with the mention; else 0
    Column("kind", String, primary_key=True),
    Column("subscription", String, ForeignKey("alert_subscriptions.id"), primary_key=True),
    Column("send_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("batch", String),  # the id of the alert in which these were sent together
    Index("outbox_by_subscription", "subscription", "send_at"),
)
"""Alerts that are not delivered yet: of turns that are not over, of mentions, and of seats that were given away."""

SETTINGS: Final = Table(
    "settings", METADATA, Column("name", String, primary_key=True), Column("value", LargeBinary, nullable=False)
)
