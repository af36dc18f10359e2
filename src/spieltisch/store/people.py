"""People and their sessions: a person is a guest with a name, a session is a browser that acts for them."""

import hashlib
import secrets
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, delete, exists, insert, select, update

from spieltisch.store.errors import SignedOut
from spieltisch.store.schema import (
    ALERT_SUBSCRIPTIONS,
    COMPONENT_OWNERS,
    PASSKEYS,
    PEOPLE,
    RECOVERY_CODES,
    SEAT_HOLDERS,
    SESSIONS,
    TABLES,
)
from spieltisch.store.store import Store
from spieltisch.store.table_rows import ACTIVE_STATUSES, SUMMARY
from spieltisch.tables.names import device_owner

ANIMATION_SPEEDS = ("slow", "normal", "fast", "still")
"""The choices for the speed of animations."""


class AlertSettings(msgspec.Struct, frozen=True):
    """The settings of when a person is alerted that it is their turn.

    No alerts are sent between `quiet_from` and `quiet_to`, in minutes of a day in the time `zone` (equal: no quiet
    hours). They are sent when the person has not viewed a page for `away_minutes`, and not before `pause_minutes` after
    the previous alert, with all that happened since then in one.
    """

    zone: str = "UTC"
    quiet_from: int = 0
    quiet_to: int = 0
    away_minutes: int = 5
    pause_minutes: int = 0


class Preferences(msgspec.Struct, frozen=True):
    """The preferences of a person.

    `theme` is `light`, `dark`, or empty for the browser's setting. `confirm_moves` shows a preview of moves that end a
    turn or draw before they are played. `animation_speed` is one of `ANIMATION_SPEEDS`. `turn_sound` and
    `turn_notification` announce the person's turn on the page, `alerts` elsewhere. `piece_sounds` are the sounds of
    pieces. `ratings` shows people their own ratings.
    """

    theme: str = ""
    confirm_moves: bool = True
    animation_speed: str = "normal"
    turn_sound: bool = False
    turn_notification: bool = False
    alerts: AlertSettings = AlertSettings()
    piece_sounds: bool = False
    ratings: bool = True


PREFERENCES = msgspec.json.Decoder(Preferences)


class Person(msgspec.Struct, frozen=True):
    """A guest: `id` for tables, `name` for other people, the chosen `language`; `created` in UTC seconds."""

    id: str
    name: str
    language: str
    preferences: Preferences
    created: float


async def add(store: Store, name: str, language: str, preferences: Preferences, at: float) -> tuple[Person, str]:
    """Store a new person; return them and the token of their session, of which only the SHA-256 is stored."""
    person = Person(secrets.token_urlsafe(9), name, language, preferences, at)
    token = secrets.token_urlsafe(32)

    def job(connection: Connection) -> None:
        connection.execute(insert(PEOPLE), _row(person))
        connection.execute(insert(SESSIONS), {"token_hash": token_hash(token), "person": person.id, "created": at})

    await store.write(job)
    return person, token


class Credential(NamedTuple):
    """A proof that a browser may act for a person: `row` is the condition on the stored row that it rests on.

    For a device code that is the session in which it was issued. Once the row is gone, the credential is void.
    """

    person: str
    row: ColumnElement[bool]


def has_session(person_id: str, hashed: bytes) -> ColumnElement[bool]:
    """Return the condition that a session is one of this person."""
    return (SESSIONS.c.token_hash == hashed) & (SESSIONS.c.person == person_id)


def require_session(connection: Connection, person_id: str, token: str) -> None:
    """Raise `SignedOut` if the session has ended: what a request stores for signing in depends on it."""
    _require(connection, has_session(person_id, token_hash(token)))


def _require(connection: Connection, row: ColumnElement[bool]) -> None:
    if not connection.execute(select(exists().where(row))).scalar():
        raise SignedOut("the session has ended")


async def log_in(store: Store, credential: Credential, at: float, *, before: str = "") -> str | None:
    """Add a session for the person of a credential and return its token; the session with the token `before` ends.

    Return None and change nothing if the person of that session owns anything. Raise `SignedOut` if the credential is
    void by now.
    """
    token = secrets.token_urlsafe(32)
    row = {"token_hash": token_hash(token), "person": credential.person, "created": at}
    ended = SESSIONS.c.token_hash == token_hash(before)

    def job(connection: Connection) -> str | None:
        _require(connection, credential.row)
        owner = connection.execute(select(SESSIONS.c.person).where(ended)).scalar()
        if owner is not None and _owns_anything(connection, owner):
            return None
        connection.execute(delete(SESSIONS).where(ended))
        connection.execute(insert(SESSIONS), row)
        return token

    return await store.write(job)


async def owns_anything(store: Store, person_id: str) -> bool:
    """Return True if a person has or left a seat, hosts a table, or owns a component file.

    A seat that is reserved for them is nothing of theirs.
    """
    return await store.read(lambda connection: _owns_anything(connection, person_id))


def _owns_anything(connection: Connection, person_id: str) -> bool:
    hosted = (TABLES.c.host == person_id) & TABLES.c.status.in_(ACTIVE_STATUSES)
    for condition in (COMPONENT_OWNERS.c.person == person_id, hosted):
        if connection.execute(select(exists().where(condition))).scalar():
            return True
    at_table = select(TABLES.c.summary).join(SEAT_HOLDERS).where(SEAT_HOLDERS.c.person == person_id)
    return any(
        seat.kind != "reserved" and device_owner(seat.person) == person_id
        for summary in connection.execute(at_table).scalars()
        for seat in SUMMARY.decode(summary).seats
    )


class Access(NamedTuple):
    """The times (UTC seconds) since which things open sessions as a person or report to an address; 0.0 for nothing.

    `sessions` began, oldest first; the recovery code, the newest passkey and the newest alert subscription were added.
    """

    sessions: tuple[float, ...] = ()
    recovery_code: float = 0.0
    passkey: float = 0.0
    alerts: float = 0.0


NO_ACCESS: Final = Access()
"""That of a visitor without a name."""


async def access(store: Store, person_id: str) -> Access:
    """Return what opens sessions as this person, or reports to an address."""
    columns = SESSIONS.c.created, RECOVERY_CODES.c.made, PASSKEYS.c.added, ALERT_SUBSCRIPTIONS.c.added

    def job(connection: Connection) -> Access:
        times = [
            tuple(
                connection.execute(select(column).where(column.table.c.person == person_id).order_by(column)).scalars()
            )
            for column in columns
        ]
        return Access(times[0], *(max(each, default=0.0) for each in times[1:]))

    return await store.read(job)


async def log_out(store: Store, token: str) -> None:
    """End a session; an unknown token is ignored."""
    session = SESSIONS.c.token_hash == token_hash(token)
    await store.write(lambda connection: connection.execute(delete(SESSIONS).where(session)))


async def by_token(store: Store, token: str) -> Person | None:
    """Return the person of this session, or None if the token is wrong or logged out."""
    session = SESSIONS.c.token_hash == token_hash(token)
    return await _find_one(store, select(*PEOPLE.c).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id).where(session))


async def by_id(store: Store, person_id: str) -> Person | None:
    """Return the person with this id, or None."""
    return await _find_one(store, select(*PEOPLE.c).where(PEOPLE.c.id == person_id))


async def all_people(store: Store) -> tuple[Person, ...]:
    """Return all people, oldest first."""
    query = select(*PEOPLE.c).order_by(PEOPLE.c.created, PEOPLE.c.id)
    return await store.read(lambda connection: tuple(_person(row) for row in connection.execute(query)))


async def save(store: Store, person: Person) -> None:
    """Store the changed name, language and preferences of a person."""
    statement = update(PEOPLE).where(PEOPLE.c.id == person.id).values(_row(person))
    await store.write(lambda connection: connection.execute(statement))


def token_hash(token: str) -> bytes:
    """Return the hash that is stored of a token.

    Plain SHA-256 is enough, because the token itself is 32 random bytes.
    """
    return hashlib.sha256(token.encode()).digest()


def _row(person: Person) -> dict[str, object]:
    return {**msgspec.structs.asdict(person), "preferences": msgspec.json.encode(person.preferences)}


async def _find_one(store: Store, query: Select[*tuple[Any, ...]]) -> Person | None:
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else _person(row)


def _person(row: Row[*tuple[Any, ...]]) -> Person:
    person_id, name, language, preferences, created = row
    return Person(person_id, name, language, PREFERENCES.decode(preferences), created)


def on_device_of(column: ColumnElement[str], person_id: str) -> ColumnElement[bool]:
    """Return the condition that an id is that of a person, or of a player on the same device (`tables.names`)."""
    return (column == person_id) | column.startswith(f"{person_id}/", autoescape=True)
