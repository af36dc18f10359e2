"""Administrators, the links that make them, bans, and the log of what administrators do."""

import getpass
import secrets
import time
from collections.abc import Callable
from typing import Final

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    delete,
    exists,
    insert,
    select,
    update,
)

from spieltisch.store import dialects
from spieltisch.store.people import Credential
from spieltisch.store.schema import METADATA, PEOPLE, SETTINGS, TEXT
from spieltisch.store.sessions import require_row, require_session, token_hash
from spieltisch.store.store import Store

LINK_SECONDS: Final = 15 * 60.0
"""The time for which a link can be followed."""
ADMIN_SECONDS: Final = 4 * 3600.0
"""The time for which someone is an administrator, from the link or the passkey on."""
RENEWAL_SECONDS: Final = 30 * 86400.0
"""The time after that in which a passkey renews it."""
KEY: Final = "admin key"
"""The setting with the key that signs links."""
ANNOUNCEMENT: Final = "announcement"
"""The setting with the text on all pages; it may be empty."""
ADDRESS: Final = "own address"
"""The setting with the address of the server, for links that a command prints."""

ADMIN_LINKS: Final = Table(
    "admin_links",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("until", Float, nullable=False),  # by the clock of the database
)
"""Links that have not been followed yet."""

ADMINISTRATORS: Final = Table(
    "administrators",
    METADATA,
    Column("session", LargeBinary, ForeignKey("sessions.token_hash", ondelete="CASCADE"), primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), nullable=False, index=True),
    Column("until", Float, nullable=False),  # by the clock of the database
    info={"person": "person"},
)
"""Sessions whose person is an administrator; the end of the session ends that, too."""

BANS: Final = Table(
    "bans",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), unique=True),
    Column("address", LargeBinary, unique=True),  # a keyed hash
    Column("at", Float, nullable=False),
    info={"person": "person"},
)
"""Bans, each of a person or of an address."""

ADMIN_LOG: Final = Table(
    "admin_log",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("actor", TEXT, nullable=False),  # the person; "" for a command, and after their removal
    Column("command_user", TEXT, nullable=False),  # the user of the machine who ran a command; else ""
    Column("act", TEXT, nullable=False),
    Column("subject", TEXT, nullable=False),  # the id of a table or person, or what else it was done to
    info={"mentions": ("actor", "subject"), "retention": "admin_log"},
)
"""The acts of administrators, oldest first. It stays when tables and people are removed."""


class Administrator(msgspec.Struct, frozen=True):
    """The person of an administrator's session; `is_active` until the time in UTC seconds."""

    person: str
    until: float
    is_active: bool


class Ban(msgspec.Struct, frozen=True):
    """A ban since a time (UTC seconds): of the `person`, or of the address with this keyed hash."""

    id: str
    person: str | None
    address: bytes | None
    at: float


class LogEntry(msgspec.Struct, frozen=True):
    """An act of an administrator at a time (UTC seconds): on the page (`actor`), or by a command (`command_user`)."""

    number: int
    at: float
    actor: str
    command_user: str
    act: str
    subject: str


def record_act(connection: Connection, at: float, actor: str, act: str, subject: str = "", user: str = "") -> None:
    """Write an act into the log, in the transaction of the act."""
    row = {"at": at, "actor": actor, "command_user": user, "act": act, "subject": subject}
    connection.execute(insert(ADMIN_LOG), row)


def record_act_on_page(connection: Connection, at: float, actor: str, act: str, subject: str = "") -> None:
    """Do the same for an act on the page. Raise `SignedOut` if the actor is no longer an administrator by then."""
    require_row(connection, (ADMINISTRATORS.c.person == actor) & (ADMINISTRATORS.c.until > dialects.clock(connection)))
    record_act(connection, at, actor, act, subject)


def record_command(act: str, *subjects: str) -> Callable[[Connection], None]:
    """Return the write that logs what a command does now, once for each subject."""

    def write(connection: Connection) -> None:
        try:
            user = getpass.getuser()
        except (OSError, KeyError):  # it has no name, as in many containers
            user = "?"
        for subject in subjects:
            record_act(connection, time.time(), "", act, subject, user)

    return write


async def log_entries(store: Store, maximum: int | None = None) -> tuple[LogEntry, ...]:
    """Return the newest entries of the log, newest first."""
    query = select(*ADMIN_LOG.c).order_by(ADMIN_LOG.c.number.desc()).limit(maximum)
    return await store.read(lambda connection: tuple(LogEntry(*row) for row in connection.execute(query)))


async def names(store: Store, people: set[str]) -> dict[str, str]:
    """Return the names of these people, by id, without those who do not exist."""
    query = select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(sorted(people)))
    return await store.read(lambda connection: {row.id: row.name for row in connection.execute(query)})


def link_key(connection: Connection) -> bytes:
    """Return the key that signs links; make one if there is none."""
    dialects.insert_new(connection, SETTINGS, {"name": KEY, "value": secrets.token_bytes(32)})
    return bytes(connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == KEY)).scalar_one())


def add_link(connection: Connection, token: str) -> None:
    """Store a new link, without those that have ended."""
    now = dialects.clock(connection)
    connection.execute(delete(ADMIN_LINKS).where(~_is_valid(connection)))
    connection.execute(insert(ADMIN_LINKS).values(token_hash=token_hash(token), until=now + LINK_SECONDS))


async def is_link(store: Store, token: str) -> bool:
    """Return True if a link can be followed."""

    def job(connection: Connection) -> bool:
        link = (ADMIN_LINKS.c.token_hash == token_hash(token)) & _is_valid(connection)
        return bool(connection.execute(select(exists().where(link))).scalar())

    return await store.read(job)


async def use_link(store: Store, token: str, session: str, person: str, at: float) -> bool:
    """Use up a link: the session becomes an administrator's. Return False if it cannot be followed any longer.

    Raise `SignedOut` if the session has ended.
    """

    def job(connection: Connection) -> bool:
        require_session(connection, person, session)
        link = (ADMIN_LINKS.c.token_hash == token_hash(token)) & _is_valid(connection)
        if not connection.execute(delete(ADMIN_LINKS).where(link)).rowcount:
            return False
        now = dialects.clock(connection)
        connection.execute(delete(ADMINISTRATORS).where(ADMINISTRATORS.c.until < now - RENEWAL_SECONDS))
        row = {"session": token_hash(session), "person": person, "until": now + ADMIN_SECONDS}
        dialects.insert_or_replace(connection, ADMINISTRATORS, row)
        record_act(connection, at, person, "begin")
        return True

    return await store.write(job)


async def renew(store: Store, session: str, credential: Credential, at: float) -> bool:
    """Let a session be an administrator's from now on. Return False if its right or the passkey is gone meanwhile."""
    renewed = update(ADMINISTRATORS).where(ADMINISTRATORS.c.session == token_hash(session))

    def job(connection: Connection) -> bool:
        until = dialects.clock(connection) + ADMIN_SECONDS
        is_there = bool(connection.execute(renewed.where(exists().where(credential.row)).values(until=until)).rowcount)
        if is_there:
            record_act(connection, at, credential.person, "renew")
        return is_there

    return await store.write(job)


async def end(store: Store, session: str, person: str, at: float) -> None:
    """Let a session be an administrator's no longer."""

    def job(connection: Connection) -> None:
        connection.execute(delete(ADMINISTRATORS).where(ADMINISTRATORS.c.session == token_hash(session)))
        record_act(connection, at, person, "end")

    await store.write(job)


async def sessions(store: Store) -> set[bytes]:
    """Return the hashes of all sessions that are or were an administrator's."""
    query = select(ADMINISTRATORS.c.session)
    return await store.read(lambda connection: set(map(bytes, connection.execute(query).scalars())))


async def administrator(store: Store, session: str) -> Administrator | None:
    """Return whose session this is, if it is an administrator's or a passkey can make it one again."""
    rows = ADMINISTRATORS.c

    def job(connection: Connection) -> Administrator | None:
        now = dialects.clock(connection)
        is_active = (rows.until > now) & (rows.until <= now + ADMIN_SECONDS)  # also if the clock was set back
        query = select(rows.person, rows.until, is_active).where(rows.session == token_hash(session))
        row = connection.execute(query.where(rows.until > now - RENEWAL_SECONDS)).one_or_none()
        return None if row is None else Administrator(row[0], row[1], bool(row[2]))

    return await store.read(job)


async def bans(store: Store) -> tuple[Ban, ...]:
    """Return all bans, newest first."""
    query = select(*BANS.c).order_by(BANS.c.at.desc(), BANS.c.id)
    return await store.read(lambda connection: tuple(Ban(*row) for row in connection.execute(query)))


def add_ban(connection: Connection, ban: Ban) -> None:
    """Store a ban, unless there is one of the same person or address; a person's rights as an administrator end."""
    connection.execute(delete(ADMINISTRATORS).where(ADMINISTRATORS.c.person == ban.person))
    dialects.insert_new(connection, BANS, msgspec.structs.asdict(ban))


def _is_valid(connection: Connection) -> ColumnElement[bool]:
    """Return the condition of a link that has not ended, also if the clock was set back since."""
    now = dialects.clock(connection)
    return (ADMIN_LINKS.c.until > now) & (ADMIN_LINKS.c.until <= now + LINK_SECONDS)
