"""People and their sessions: a person is a guest with a name, a session is a browser that acts for them."""

import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, exists, insert, select, update

from spieltisch.store.dialects import insert_or_replace, take_turns
from spieltisch.store.notices import CHANGED, ENDED
from spieltisch.store.schema import (
    ALERT_SUBSCRIPTIONS,
    COMPONENT_OWNERS,
    LAST_ACCESS_KEY,
    LOBBY_ENTRIES,
    PASSKEYS,
    PEOPLE,
    RECOVERY_CODES,
    SEAT_HOLDERS,
    SESSIONS,
    SETTINGS,
    TABLES,
)
from spieltisch.store.sessions import lock_access, require_row, token_hash
from spieltisch.store.store import Store
from spieltisch.store.table_rows import ACTIVE_STATUSES, SUMMARY
from spieltisch.tables.names import device_owner

TICK_SECONDS: Final = 0.00002
"""The least time between two additions to a person's access: twice the resolution of what browsers remember of it."""
LAST_ACCESS_LOCK: Final = 0x5B1E1A
"""The number for `take_turns` of who stores the time of removed access."""
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


class PuzzleProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """The puzzles that a person has solved, and those whose solution they were `shown` first.

    `streak` counts the days in a row on which they solved a puzzle of the day, until the day `last` (ISO 8601). `best`
    is the longest streak.
    """

    solved: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    streak: int = 0
    last: str = ""
    best: int = 0


class Preferences(msgspec.Struct, frozen=True):
    """The preferences of a person.

    `theme` is `light`, `dark`, or empty for the browser's setting. `confirm_moves` shows a preview of moves that end a
    turn or draw before they are played. `animation_speed` is one of `ANIMATION_SPEEDS`. `turn_sound` and
    `turn_notification` announce the person's turn on the page, `alerts` elsewhere. `piece_sounds` are the sounds of
    pieces, `bot_lines` what bots say at the table. `ratings` shows people their own ratings. `puzzles` is their
    progress, which they take along to other devices.
    """

    theme: str = ""
    confirm_moves: bool = True
    animation_speed: str = "normal"
    turn_sound: bool = False
    turn_notification: bool = False
    alerts: AlertSettings = AlertSettings()
    piece_sounds: bool = False
    bot_lines: bool = True
    ratings: bool = True
    puzzles: PuzzleProgress = PuzzleProgress()


PREFERENCES = msgspec.json.Decoder(Preferences)


class Person(msgspec.Struct, frozen=True):
    """A guest: `id` for tables, `name` for other people, the chosen `language`; `created` in UTC seconds."""

    id: str
    name: str
    language: str
    preferences: Preferences
    created: float


_COLUMNS: Final = tuple(PEOPLE.c[name] for name in Person.__struct_fields__)


async def add(store: Store, name: str, language: str, preferences: Preferences, at: float) -> tuple[Person, str]:
    """Store a new person; return them and the token of their session, of which only the SHA-256 is stored."""
    person = Person(secrets.token_urlsafe(9), name, language, preferences, at)
    token = secrets.token_urlsafe(32)

    def job(connection: Connection) -> None:
        connection.execute(insert(PEOPLE), {**_row(person), "seen": at})
        created = next_access_time(connection, person.id, at)
        connection.execute(insert(SESSIONS), {"token_hash": token_hash(token), "person": person.id, "created": created})

    await store.write(job)
    return person, token


class Credential(NamedTuple):
    """A proof that a browser may act for a person: `row` is the condition on the stored row that it rests on.

    For a device code that is the session in which it was issued. Once the row is gone, the credential is void.
    A browser of the person has certainly shown them all that was added to their access until `shown` (UTC seconds): on
    the page of a device code, or before a recovery code or passkey was made.
    """

    person: str
    row: ColumnElement[bool]
    shown: float


async def log_in(
    store: Store, credential: Credential, at: float, before: str = "", before_person: str = ""
) -> str | None:
    """Add a session for the person of a credential and return its token; the session with the token `before` ends.

    Return None and change nothing if the person of that session owns anything. Raise `SignedOut` if the credential is
    void by now.
    """
    token = secrets.token_urlsafe(32)
    ended = SESSIONS.c.token_hash == token_hash(before)

    def job(connection: Connection) -> str | None:
        created = next_access_time(connection, credential.person, at)
        require_row(connection, credential.row)
        owner = connection.execute(select(SESSIONS.c.person).where(ended)).scalar()
        if owner is not None and _owns_anything(connection, owner):
            return None
        if owner is not None:
            keep_last_access_time(connection, owner)
            connection.execute(delete(SESSIONS).where(ended))
        row = {"token_hash": token_hash(token), "person": credential.person, "created": created}
        connection.execute(insert(SESSIONS), row)
        return token

    return await store.write(job, notices=[(CHANGED, credential.person), (ENDED, before_person)])


async def owns_anything(store: Store, person_id: str) -> bool:
    """Return True if a person has, left or was deprived of a seat, hosts a table, or owns a component file.

    A seat that is reserved for them is nothing of theirs.
    """
    return await store.read(lambda connection: _owns_anything(connection, person_id))


def _owns_anything(connection: Connection, person_id: str) -> bool:
    hosted = (TABLES.c.host == person_id) & TABLES.c.status.in_(ACTIVE_STATUSES)
    for condition in (COMPONENT_OWNERS.c.person == person_id, hosted):
        if connection.execute(select(exists().where(condition))).scalar():
            return True
    listed = select(TABLES.c.summary).join(LOBBY_ENTRIES).where(LOBBY_ENTRIES.c.person == person_id)
    unfinished = connection.execute(listed.where(TABLES.c.status.in_(ACTIVE_STATUSES))).scalars()
    if any(person_id in SUMMARY.decode(summary).dispossessed for summary in unfinished):
        return True
    at_table = select(TABLES.c.summary).join(SEAT_HOLDERS).where(SEAT_HOLDERS.c.person == person_id)
    return any(
        seat.kind != "reserved" and device_owner(seat.person) == person_id
        for summary in connection.execute(at_table).scalars()
        for seat in SUMMARY.decode(summary).seats
    )


class Access(NamedTuple):
    """The times (UTC seconds) since which things open sessions as a person or report to an address; 0.0 for nothing.

    `sessions` began, and `passkeys` and alert subscriptions (`alerts`) were added, each oldest first.
    """

    sessions: tuple[float, ...] = ()
    recovery_code: float = 0.0
    passkeys: tuple[float, ...] = ()
    alerts: tuple[float, ...] = ()

    @property
    def times(self) -> tuple[float, ...]:
        """All of them; `next_access_time` gives no two the same."""
        return *self.sessions, self.recovery_code, *self.passkeys, *self.alerts


NO_ACCESS: Final = Access()
"""The access of a visitor without a name."""


_ACCESS_TIMES: Final = SESSIONS.c.created, RECOVERY_CODES.c.made, PASSKEYS.c.added, ALERT_SUBSCRIPTIONS.c.added


def next_access_time(connection: Connection, person_id: str, now: float) -> float:
    """Return the time of what this transaction adds to a person's access: `now`, or later.

    A browser reports what was added after all that it has shown. So the times grow in the order of the commits, however
    long a write has waited, and whatever the clock of a process shows or was set to.
    """
    lock_access(connection, person_id)
    return max(now, _last_access_time(connection, person_id) + TICK_SECONDS)


def _last_access_time(connection: Connection, person_id: str) -> float:
    kept = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == LAST_ACCESS_KEY)).scalar()
    return max(msgspec.json.decode(kept or b"0.0", type=float), *_access(connection, person_id).times)


def keep_last_access_time(connection: Connection, person_id: str) -> None:
    """Store the time of what was added last to a person's access, because it may be removed in this transaction.

    A browser may have shown it. What is added later must be newer, also for another person in that browser.
    """
    lock_access(connection, person_id)
    take_turns(connection, LAST_ACCESS_LOCK)  # or another process could replace it by an earlier time
    kept = msgspec.json.encode(_last_access_time(connection, person_id))
    insert_or_replace(connection, SETTINGS, {"name": LAST_ACCESS_KEY, "value": kept})


async def access(store: Store, person_id: str) -> Access:
    """Return what opens sessions as this person, or reports to an address."""
    return await store.read(lambda connection: _access(connection, person_id))


def _access(connection: Connection, person_id: str) -> Access:
    sessions, codes, passkeys, alerts = (
        tuple(connection.execute(select(column).where(column.table.c.person == person_id).order_by(column)).scalars())
        for column in _ACCESS_TIMES
    )
    return Access(sessions, max(codes, default=0.0), passkeys, alerts)


async def log_out(store: Store, token: str, person_id: str, last_added: str | None = None) -> bool:
    """End a session of a person; an unknown token is ignored.

    Given the time of what was last added to their access, return False and change nothing if that is another one, or if
    they have no recovery code.
    """

    def job(connection: Connection) -> bool:
        lock_access(connection, person_id)
        access = _access(connection, person_id)
        if last_added is not None and not (access.recovery_code and str(max(access.times)) == last_added):
            return False
        keep_last_access_time(connection, person_id)
        connection.execute(delete(SESSIONS).where(SESSIONS.c.token_hash == token_hash(token)))
        return True

    return await store.write(job, notices=[(ENDED, person_id)])


async def by_token(store: Store, token: str) -> Person | None:
    """Return the person of this session, or None if the token is wrong or logged out."""
    session = SESSIONS.c.token_hash == token_hash(token)
    return await _find_one(store, select(*_COLUMNS).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id).where(session))


async def by_id(store: Store, person_id: str) -> Person | None:
    """Read a person from the database; None for an unknown id and for one whose data were deleted."""
    return await _find_one(store, select(*_COLUMNS).where(PEOPLE.c.id == person_id))


async def all_people(store: Store) -> tuple[Person, ...]:
    """Return all people, oldest first."""
    query = select(*_COLUMNS).order_by(PEOPLE.c.created, PEOPLE.c.id)
    return await store.read(lambda connection: tuple(_person(row) for row in connection.execute(query)))


async def save(store: Store, person: Person) -> None:
    """Store the changed name, language and preferences of a person."""
    statement = update(PEOPLE).where(PEOPLE.c.id == person.id).values(_row(person))
    await store.write(lambda connection: connection.execute(statement))


async def save_seen(store: Store, seen: Mapping[str, float]) -> None:
    """Store when people were last seen, by id; an earlier time than the stored one changes nothing."""
    newer = (PEOPLE.c.id == bindparam("person")) & (PEOPLE.c.seen < bindparam("at"))
    statement = update(PEOPLE).where(newer).values(seen=bindparam("at"))
    rows = [{"person": person, "at": at} for person, at in sorted(seen.items())]
    await store.write(lambda connection: connection.execute(statement, rows))


def _row(person: Person) -> dict[str, object]:
    return {**msgspec.structs.asdict(person), "preferences": msgspec.json.encode(person.preferences)}


async def _find_one(store: Store, query: Select[*tuple[Any, ...]]) -> Person | None:
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else _person(row)


def _person(row: Row[*tuple[Any, ...]]) -> Person:
    person_id, name, language, preferences, created = row
    return Person(person_id, name, language, PREFERENCES.decode(preferences), created)


def on_device_of(column: ColumnElement[str], person_id: str) -> ColumnElement[bool]:
    """Return the condition that an id is that of a person, or of a player on the same device (`tables.names`).

    These are a range of ids, which an index finds, as it does no pattern.
    """
    return (column == person_id) | ((column >= f"{person_id}/") & (column <= f"{person_id}/\U0010ffff"))
