"""People and their sessions. A person is a guest with a name; a session is a browser that may speak for them."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, delete, exists, insert, select, update

from spieltisch.store.schema import COMPONENT_OWNERS, PEOPLE, SEAT_HOLDERS, SESSIONS, TABLES
from spieltisch.store.store import ACTIVE_STATUSES, Store

ANIMATION_SPEEDS = ("slow", "normal", "fast", "still")


class AlertSettings(msgspec.Struct, frozen=True, rename={"away_minutes": "away", "pause_minutes": "pause"}):
    """When a person is told that it is their turn. Not between `quiet_from` and `quiet_to`, minutes of a day in their
    time `zone` (equal: at any time); when they have not looked for so many minutes (`away`); and so many minutes after
    the alert before (`pause`), with all that came meanwhile in one.
    """

    zone: str = "UTC"
    quiet_from: int = 0
    quiet_to: int = 0
    away_minutes: int = 5
    pause_minutes: int = 0


class Preferences(
    msgspec.Struct,
    frozen=True,
    rename={
        "alerts": "telling",
        "confirm_moves": "confirm",
        "animation_speed": "pace",
        "turn_sound": "sound",
        "piece_sounds": "sounds",
        "turn_notification": "notify",
    },
):
    """What a person likes. `theme` is `light`, `dark`, or empty for what the browser says; `confirm` shows what ends a
    turn or draws before it is played; `pace` is how fast pieces move (one of `PACES`); `sound` and `notify` say that it
    is one's turn, on the page, and `telling` when that is told elsewhere; `sounds` are those of pieces; `ratings`:
    whether one's own are shown to oneself.
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
    """A guest: `id` for the tables, `name` for people, `language` as chosen; `created` in UTC seconds."""

    id: str
    name: str
    language: str
    preferences: Preferences
    created: float


async def add(store: Store, name: str, language: str, preferences: Preferences, at: float) -> tuple[Person, str]:
    """A new person and the token of their session, of which only the SHA-256 is stored."""
    person = Person(secrets.token_urlsafe(9), name, language, preferences, at)
    token = secrets.token_urlsafe(32)

    def job(connection: Connection) -> None:
        connection.execute(insert(PEOPLE), _row(person))
        connection.execute(insert(SESSIONS), {"token_hash": token_hash(token), "person": person.id, "created": at})

    await store.write(job)
    return person, token


async def log_in(store: Store, person_id: str, at: float, *, before: str = "") -> str | None:
    """Add a session for a person and return its token. The session with the token `before` ends; None, and nothing is
    changed, where whoever has that one owns something.
    """
    token = secrets.token_urlsafe(32)
    row = {"token_hash": token_hash(token), "person": person_id, "created": at}
    ended = SESSIONS.c.token_hash == token_hash(before)

    def job(connection: Connection) -> str | None:
        owner = connection.execute(select(SESSIONS.c.person).where(ended)).scalar()
        if owner is not None and _owns_anything(connection, owner):
            return None
        connection.execute(delete(SESSIONS).where(ended))
        connection.execute(insert(SESSIONS), row)
        return token

    return await store.write(job)


async def owns_anything(store: Store, person_id: str) -> bool:
    """Return whether a person has a seat, left one, is kept one, hosts a table, or owns a component file."""
    return await store.read(lambda connection: _owns_anything(connection, person_id))


def _owns_anything(connection: Connection, person_id: str) -> bool:
    hosted = (TABLES.c.host == person_id) & TABLES.c.status.in_(ACTIVE_STATUSES)
    owned = SEAT_HOLDERS.c.person == person_id, COMPONENT_OWNERS.c.person == person_id, hosted
    return any(connection.execute(select(exists().where(one))).scalar() for one in owned)


async def sessions(store: Store, person_id: str) -> tuple[float, ...]:
    """When each session of a person began, the oldest first."""
    wanted = select(SESSIONS.c.created).where(SESSIONS.c.person == person_id).order_by(SESSIONS.c.created)
    return await store.read(lambda connection: tuple(connection.execute(wanted).scalars()))


async def log_out_others(store: Store, person_id: str, token: str) -> None:
    """End all sessions of a person but the one with this token."""
    others = (SESSIONS.c.person == person_id) & (SESSIONS.c.token_hash != token_hash(token))
    await store.write(lambda connection: connection.execute(delete(SESSIONS).where(others)))


async def log_out(store: Store, token: str) -> None:
    """End a session; one that does not exist does no harm."""
    session = SESSIONS.c.token_hash == token_hash(token)
    await store.write(lambda connection: connection.execute(delete(SESSIONS).where(session)))


async def by_token(store: Store, token: str) -> Person | None:
    """Whose session this is; None for a token that is wrong, or logged out."""
    session = SESSIONS.c.token_hash == token_hash(token)
    return await _one(store, select(*PEOPLE.c).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id).where(session))


async def by_id(store: Store, person_id: str) -> Person | None:
    """The person with this id."""
    return await _one(store, select(*PEOPLE.c).where(PEOPLE.c.id == person_id))


async def all_people(store: Store) -> tuple[Person, ...]:
    """All people, who came first first."""
    wanted = select(*PEOPLE.c).order_by(PEOPLE.c.created, PEOPLE.c.id)
    return await store.read(lambda connection: tuple(_person(row) for row in connection.execute(wanted)))


async def save(store: Store, person: Person) -> None:
    """Keep a person's new name, language and preferences."""
    changed = update(PEOPLE).where(PEOPLE.c.id == person.id).values(_row(person))
    await store.write(lambda connection: connection.execute(changed))


def token_hash(token: str) -> bytes:
    """What is stored of a token. Plain SHA-256 is enough: the token itself is 32 bytes of chance."""
    return hashlib.sha256(token.encode()).digest()


def _row(person: Person) -> dict[str, object]:
    return {**msgspec.structs.asdict(person), "preferences": msgspec.json.encode(person.preferences)}


async def _one(store: Store, wanted: Select[*tuple[Any, ...]]) -> Person | None:
    row = await store.read(lambda connection: connection.execute(wanted).one_or_none())
    return None if row is None else _person(row)


def _person(row: Row[*tuple[Any, ...]]) -> Person:
    person_id, name, language, preferences, created = row
    return Person(person_id, name, language, PREFERENCES.decode(preferences), created)


def on_device_of(column: ColumnElement[str], person_id: str) -> ColumnElement[bool]:
    """Where an id is a person's, or that of somebody beside them on their device (`tables.names`)."""
    return (column == person_id) | column.startswith(f"{person_id}/", autoescape=True)
