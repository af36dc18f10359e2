"""The tables of the database, as SQLAlchemy sees them. What makes and changes them is in `migrations/`."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, text

HEAD: Final = "0012"
"""The newest migration; a test holds it to what is in `migrations/versions`."""

DATABASE: Final = "spieltisch.sqlite3"
"""The file's name in the folder of a server's data."""

LAST_ALIVE_KEY: Final = "up"
"""Among the settings: until when a server was last known to be there, in UTC seconds."""

LOST_EVENTS_KEY: Final = "lost"
"""Among the settings: what the database has come back without; see `journal`."""

ACTIVE: Final = "on"
"""The state of a way in which its person is told."""

METADATA: Final = MetaData()

HAS_FREE_SEATS: Final = text("free > 0")
"""Of a table; a query that says this word for word is answered from the index `tables_by_free`."""

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
    Column("summary", LargeBinary, nullable=False),  # a tables.Summary as JSON
    Column("origin", LargeBinary),  # a keyed hash of the address it was opened from, until it is over; may be unknown
    Column("due", Float),  # until when who is to decide has time; NULL where no time runs
    Column("deal", String),  # the same at all tables of one deal; NULL where there is but one
    Column("free", Integer, nullable=False, server_default="0"),  # seats that anybody may take, before the game
    Index("tables_by_status", "status", "changed"),
    Index("tables_by_due", "due"),
    Index("tables_by_deal", "deal"),
    Index("tables_by_free", "changed", sqlite_where=HAS_FREE_SEATS),
)

SEAT_HOLDERS: Final = Table(
    "sitters",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String, nullable=False),
    Index("sitters_by_person", "person"),
)
"""Who sits, or sat until leaving, in which seat: so that a person finds their tables."""

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
"""Each table's 32 bytes of chance, apart from its events, so that no way of showing events can show them."""

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
    Column("token_hash", LargeBinary, primary_key=True),  # SHA-256: who reads the file cannot take over a browser
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
    Column("data", LargeBinary, nullable=False),  # a tables.Result as JSON
    Index("results_by_game", "game", "seats"),
)
"""Worked out from the events of finished tables, and worked out again when it is missing."""

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    Column("place", String, primary_key=True),  # the code's first letters, by which it is found
    Column("person", String, ForeignKey("people.id"), nullable=False, unique=True),
    Column("code_hash", LargeBinary, nullable=False),  # HMAC-SHA-256 of the whole code
    Column("made", Float, nullable=False),
)

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String, nullable=False),  # for its owner
    Column("credential", LargeBinary, nullable=False, unique=True),  # by which a browser names it
    Column("public_key", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),  # how often it was used, if it counts
    Column("added", Float, nullable=False),
    Column("used", Float),
)
"""Keys in people's devices, by which they come in."""

CHAT_MESSAGES: Final = Table(
    "words",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("room", String, nullable=False),
    Column("person", String, nullable=False),
    Column("seat", Integer),  # in which who said it sat
    Column("name", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("text", String),  # NULL: it was taken away
    Index("words_by_person", "person"),
)
"""What people say at a table. It is no part of the game, so it stands beside the events."""

REACTIONS: Final = Table(
    "reactions",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String, primary_key=True),
    Column("sign", String, primary_key=True),
)

MUTES: Final = Table(
    "mutes",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("person", String, primary_key=True),
    Column("muted", String, primary_key=True),
)
"""Whom somebody does not want to read at a table."""

PLANS: Final = Table(
    "plans",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("person", String, primary_key=True),
    Column("number", Integer, primary_key=True),  # the first is looked at first
    Column("made", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),  # a tables.planning.PlannedTurn as JSON
    Column("fate", LargeBinary),  # what became of it, a Message as JSON; NULL: it waits for its turn
    Index("plans_by_person", "person"),
)
"""What people plan for their next turns. Nobody else reads it, so it stands beside the events."""

COMPONENT_SETS: Final = Table(
    "component_sets",
    METADATA,
    Column("digest", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("text", String, nullable=False),
    Column("added", Float, nullable=False),
)
"""Every component file a table was ever opened with: a game goes on with the values it began with."""

COMPONENT_OWNERS: Final = Table(
    "component_owners",
    METADATA,
    Column("digest", String, ForeignKey("component_sets.digest"), primary_key=True),
    Column("person", String, ForeignKey("people.id"), primary_key=True),
    Column("added", Float, nullable=False),
    Column("origin", LargeBinary),  # a keyed hash of the address it came from; may be unknown
)

ALERT_SUBSCRIPTIONS: Final = Table(
    "ways",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("address", LargeBinary, nullable=False),  # JSON, as its kind has it
    Column("state", String, nullable=False),
    Column("added", Float, nullable=False),
    Column("sent", Float),  # when an alert was taken last
    Column("failed", Float),  # when one was not, since then
    Column("reason", LargeBinary),  # a Message as JSON
)
"""In which ways people are told that it is their turn."""

OUTBOX: Final = Table(
    "outbox",
    METADATA,
    Column("table_id", String, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # of the event that made it the person's turn; 0 for a mention
    Column("word", Integer, primary_key=True),  # in which the person is mentioned; 0 for a turn
    Column("way", String, ForeignKey("ways.id"), primary_key=True),
    Column("due", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("batch", String),  # what was tried to be sent together; the id of the alert
    Index("outbox_by_way", "way", "due"),
)
"""Alerts that nobody has taken yet: of turns that have not passed, and of mentions."""

SETTINGS: Final = Table(
    "settings", METADATA, Column("name", String, primary_key=True), Column("value", LargeBinary, nullable=False)
)
