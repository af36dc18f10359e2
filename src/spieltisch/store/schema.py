"""Tables of the database for SQLAlchemy; `migrations/` creates and changes them.

`Table.info` says whose the rows are: `person` and `table` name the columns with the id of a person and of a table of
players. The rows are deleted with either, and exported with the person's data, but no binary columns, none whose
`Column.info` says `is_secret`, and no `secret_fields` of JSON. With the person in the column `other_person` they are
deleted, too. If a table has `ends_with_session`, a session may have made its rows to sign in, to report or to play:
they end when a person signs out elsewhere, except those that they keep, named by this column. Rows of a table with
`name`, the column with the name of the person, stay when the person is removed, under another id and name and without
what is in the column `content`; but not those to which the condition `is_private` applies. Rows of a table with
`mentions` stay, with "" for a removed person in these columns. See `retention` and `removal` for more.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
    text,
)

HEAD: Final = "r7"
"""The newest migration; a test compares it with `migrations/versions`."""
DATABASE: Final = "spieltisch.sqlite3"
"""The name of the database file in the data folder of a server."""
LAST_ALIVE_KEY: Final = "last_alive"
"""The setting with the time at which a server was last known to run, in UTC seconds."""
OWNER_KEY: Final = "server"
"""The setting with a random value of the server that uses a PostgreSQL database."""
COPYING_KEY: Final = "copying"
"""The setting of a database that is not a complete copy yet."""
PAUSES_KEY: Final = "pauses"
"""The setting with the periods in which the server did not run and that tables may not have recorded yet."""
REPLAYED_KEY: Final = "replayed_rules"
"""The setting with the digest of the rules with which all unfinished tables have been replayed."""
LOST_EVENTS_KEY: Final = "lost_events"
"""The setting with the events that the database has lost; see `journal`."""
LAST_ACCESS_KEY: Final = "last access"
"""The setting with a time at or after that of any way in or alert subscription that was removed."""
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


class _PostgresText(TypeDecorator[str]):
    """Text that may be compared with any other: PostgreSQL refuses U+0000, which visitors may send in an address."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Return the text with U+FFFD in place of U+0000."""
        return None if value is None else value.replace("\0", "\ufffd")


TEXT: Final = String().with_variant(_PostgresText(collation="C"), "postgresql")
"""Text that is sorted by its code points, as SQLite does, whatever the language of the database."""


class Json(LargeBinary):
    """A column with JSON, encoded by msgspec. Other binary columns contain secrets and keyed hashes."""


HAS_FREE_SEATS: Final = text("free_seats > 0")
"""A condition on a table; a query that contains it literally is answered from the index `tables_by_free_seats`."""
HAS_NO_HOST: Final = text("host = ''")
"""A condition on imported games, with an index like `HAS_FREE_SEATS`."""
IS_UNCOUNTED: Final = text("uncounted > 0")
"""A condition on finished tables without a result, with an index like `HAS_FREE_SEATS`."""
TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("game", TEXT, nullable=False),
    Column("host", TEXT, nullable=False),
    Column("created", Float, nullable=False),  # UTC, seconds since 1970
    Column("changed", Float, nullable=False),
    Column("version", Integer, nullable=False),  # the number of events
    Column("status", TEXT, nullable=False),
    Column("summary", Json, nullable=False),  # a tables.TableSummary
    Column("origin", LargeBinary),  # a keyed hash of the address it was opened from, if known, until the table is over
    Column("deadline", Float),  # of the player to move; NULL if no clock runs
    Column("duplicate", TEXT),  # the same for all tables of a duplicate; NULL for a single table
    Column("free_seats", Integer, nullable=False, server_default="0"),  # seats open to anyone before the game begins
    Column("uncounted", Integer, nullable=False, server_default="0"),  # 1 if it is finished and has no result
    Index("tables_by_status", "status", "changed"),
    Index("tables_by_deadline", "deadline"),
    Index("tables_by_duplicate", "duplicate"),
    Index("tables_by_free_seats", "changed", sqlite_where=HAS_FREE_SEATS, postgresql_where=HAS_FREE_SEATS),
    Index("tables_without_host", "changed", "id", sqlite_where=HAS_NO_HOST, postgresql_where=HAS_NO_HOST),
    Index("tables_uncounted", "changed", "id", sqlite_where=IS_UNCOUNTED, postgresql_where=IS_UNCOUNTED),
    info={"table": "id"},
)

SEAT_HOLDERS: Final = Table(
    "seat_holders",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", TEXT, nullable=False),
    Index("seat_holders_by_person", "person"),
    info={"person": "person", "table": "table_id"},
)
"""The people who have a seat, or had one until they left, so that a person finds their tables."""

LOBBY_ENTRIES: Final = Table(
    "lobby_entries",
    METADATA,
    Column("person", TEXT, primary_key=True),
    Column("section", Integer, primary_key=True),  # a tables.summary.Section
    Column("recency", Float, primary_key=True),  # minus the time of the last change
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Index("lobby_entries_by_table", "table_id"),
    sqlite_with_rowid=False,
    info={"person": "person", "table": "table_id"},
)
"""The tables at which people sit or sat, or which they host, in the order in which the lobby lists them."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # 1, 2, 3, ... without a gap
    Column("at", Float, nullable=False),
    Column("data", Json, nullable=False),  # a tables.Event
    sqlite_with_rowid=False,
    info={"table": "table_id"},
)

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    info={"table": "table_id"},
)
"""The 32 random bytes of each table, separate from its events, so that no view of events can reveal them."""

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("name", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("preferences", Json, nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False, server_default="0"),  # the last sign of them, a few minutes late
    info={"person": "id"},
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),  # SHA-256: a copy of the file gives no access to sessions
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, index=True),
    Column("created", Float, nullable=False),
    info={"person": "person"},
)

ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("data", Json, nullable=False),  # a bots.analysis.Analysis; it holds no names
    info={"table": "table_id"},
)

ANALYSES_SO_FAR: Final = Table(
    "analyses_so_far",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("data", Json, nullable=False),  # a live.analysis.AnalysisSoFar; it holds no names
    Column("until", Float, nullable=False),  # by the clock of the database
    info={"table": "table_id"},
)
"""Analyses of games in play that players have requested, each from the knowledge of their seat."""

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("game", TEXT, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("data", Json, nullable=False),  # a tables.results.GameResult
    Index("results_by_game", "game", "seats"),
    info={"table": "table_id"},
)
"""Results computed from the events of finished tables, and computed again if missing."""

PLAYED_GAMES: Final = Table(
    "played_games",
    METADATA,
    Column("person", TEXT, primary_key=True),
    Column("at", Float, primary_key=True),  # the end of the game
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Index("played_games_by_table", "table_id"),
    sqlite_with_rowid=False,
    info={"person": "person", "table": "table_id"},
)
"""The results of each person, in order."""

PERSON_TOTALS: Final = Table(
    "person_totals",
    METADATA,
    Column("person", TEXT, primary_key=True),
    # A tables.person_totals.PersonTotals, with the ids of opponents.
    Column("data", Json, nullable=False, info={"is_secret": True}),
    info={"person": "person"},
)
"""Totals of a person's results; computed again if missing."""

LADDERS: Final = Table(
    "ladders",
    METADATA,
    Column("game", TEXT, primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("table_id", TEXT, nullable=False),
    info={"table": "table_id"},
)
"""The last game, by time and table, that `RATINGS` count; computed again if missing."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("person", TEXT, primary_key=True),
    Column("game", TEXT, primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ratings_by_game", "game", "seats"),
    sqlite_with_rowid=False,
    info={"person": "person"},
)
"""The ratings of people, in the units of OpenSkill."""

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    # The first letters of the code, by which it is found.
    Column("prefix", TEXT, primary_key=True, info={"is_secret": True}),
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, unique=True),
    Column("code_hash", LargeBinary, nullable=False),  # HMAC-SHA-256 of the whole code
    Column("made", Float, nullable=False),
    info={"person": "person", "ends_with_session": "made"},
)

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, index=True),
    Column("name", TEXT, nullable=False),  # chosen by its owner
    Column("credential", LargeBinary, nullable=False, unique=True),  # identifies it to a browser
    Column("public_key", LargeBinary, nullable=False),
    Column("count", BigInteger, nullable=False),  # number of uses, if the device counts them
    Column("added", Float, nullable=False),
    Column("used", Float),
    info={"person": "person", "ends_with_session": "id"},
)
"""Keys in people's devices with which they sign in."""

DEVICE_CODES: Final = Table(
    "device_codes",
    METADATA,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("code", LargeBinary, nullable=False),
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, unique=True),
    Column("session", LargeBinary, nullable=False),  # the hash of the token of the session that asked for it
    Column("shown", Float, nullable=False),
    Column("until", Float, nullable=False),  # by the clock that all processes share
    info={"person": "person", "ends_with_session": "until"},
)
"""Codes with which people sign in on another device within some minutes."""

USED_CHALLENGES: Final = Table(
    "used_challenges",
    METADATA,
    Column("challenge", LargeBinary, primary_key=True),
    Column("until", Float, nullable=False),  # by the clock that all processes share
)
"""Challenges that passkeys have signed, kept until they are not valid anyway."""

COMPONENT_SETS: Final = Table(
    "component_sets",
    METADATA,
    Column("digest", TEXT, primary_key=True),
    Column("game", TEXT, nullable=False),
    Column("text", TEXT, nullable=False),
    Column("added", Float, nullable=False),
)
"""Component files that tables may be opened with: a game continues with the values it began with.

Only the values in a text matter here, which the digest is of; no page shows its comments and evidence.
"""

COMPONENT_OWNERS: Final = Table(
    "component_owners",
    METADATA,
    Column("digest", TEXT, ForeignKey("component_sets.digest"), primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), primary_key=True),
    Column("added", Float, nullable=False),
    Column("text", TEXT, nullable=False),
    Column("origin", LargeBinary),  # a keyed hash of the address it came from, if known
    info={"person": "person"},
)
"""Component files that people have uploaded, each with its own comments and evidence."""

UPLOADS: Final = Table(
    "uploads",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("person", TEXT, index=True),  # NULL for a visitor without a name
    Column("origin", LargeBinary),  # a keyed hash of the address it came from, if known
    info={"person": "person", "table": "table_id"},
)
"""The uploader of each record of a game played elsewhere."""

ALERT_SUBSCRIPTIONS: Final = Table(
    "alert_subscriptions",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, index=True),
    Column("kind", TEXT, nullable=False),
    Column("address", Json, nullable=False),  # its form depends on the kind
    Column("state", TEXT, nullable=False),
    Column("added", Float, nullable=False),
    Column("sent", Float),  # time of the last delivered alert
    Column("failed", Float),  # time of a failure since then
    Column("reason", Json),  # a Message
    Column("origin", LargeBinary),  # a keyed hash of the address it was added from; may be unknown
    info={"person": "person", "ends_with_session": "id"},
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
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # of the event that caused it; 0 for a mention
    Column("message", Integer, primary_key=True),  # number of the message with the mention; else 0
    Column("kind", TEXT, primary_key=True),
    Column("subscription", TEXT, ForeignKey("alert_subscriptions.id", ondelete="CASCADE"), primary_key=True),
    Column("send_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("batch", TEXT),  # the id of the alert in which these were sent together
    Index("outbox_by_subscription", "subscription", "send_at"),
    info={"table": "table_id"},
)
"""Alerts that are not delivered yet: of turns that are not over, of mentions, and of seats that were given away."""

LEASES: Final = Table(
    "leases",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("key", TEXT, primary_key=True),
    Column("owner", TEXT, nullable=False),
    Column("since", Float, nullable=False),  # by the clock of the database; the owner has had it all the time
    Column("until", Float, nullable=False),
)
"""Work that one process at a time does on a database that several use; see `leases`."""

SETTINGS: Final = Table(
    "settings", METADATA, Column("name", TEXT, primary_key=True), Column("value", LargeBinary, nullable=False)
)

OWN_TABLES: Final = tuple(METADATA.tables.values())
"""The tables above, without those of features, which are declared later."""
