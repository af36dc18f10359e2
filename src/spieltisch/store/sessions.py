"""Sessions in the database, and the one in which a request acts: what waits in it is not written once it has ended."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from sqlalchemy import ColumnElement, Connection, exists, select

from spieltisch.store.errors import SignedOut
from spieltisch.store.schema import PEOPLE, SESSIONS

T = TypeVar("T")

ACTING_SESSION: Final[ContextVar[str]] = ContextVar("acting_session", default="")
"""The token of the session in which the present request acts; "" for whatever acts in none."""


@contextmanager
def outside_session() -> Iterator[None]:
    """Let what begins in this context go on when the session of the present request has ended."""
    token = ACTING_SESSION.set("")
    try:
        yield
    finally:
        ACTING_SESSION.reset(token)


def leave_session() -> None:
    """Let the present request go on without its session, which it ends itself."""
    ACTING_SESSION.set("")


def in_session(job: Callable[[Connection], T]) -> Callable[[Connection], T]:
    """Return the job of a transaction; it raises `SignedOut` if the session of the present request has ended by then.

    Between the guards of a request and its transaction, it may have waited long for others.
    """
    if not (token := ACTING_SESSION.get()):
        return job

    def in_time(connection: Connection) -> T:
        require_row(connection, SESSIONS.c.token_hash == token_hash(token))
        return job(connection)

    return in_time


def token_hash(token: str) -> bytes:
    """Return the hash that is stored of a token.

    Plain SHA-256 is enough, because the token itself is 32 random bytes.
    """
    return hashlib.sha256(token.encode()).digest()


def has_session(person_id: str, hashed: bytes) -> ColumnElement[bool]:
    """Return the condition that a session is one of this person."""
    return (SESSIONS.c.token_hash == hashed) & (SESSIONS.c.person == person_id)


def require_session(connection: Connection, person_id: str, token: str) -> None:
    """Raise `SignedOut` if the session has ended: what a request stores for signing in depends on it."""
    lock_access(connection, person_id)
    require_row(connection, has_session(person_id, token_hash(token)))


def lock_access(connection: Connection, person_id: str) -> None:
    """Let no other process add to a person's access, or end it, until this transaction ends.

    PostgreSQL shows no statement what others have not committed: without the lock, what one process adds could outlive
    the session it depends on, which another one ends. SQLite has one writer anyway.
    """
    connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person_id).with_for_update(key_share=True))


def require_row(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Raise `SignedOut` if the row on which a session rests is gone."""
    if not connection.execute(select(exists().where(condition))).scalar():
        raise SignedOut("the session has ended")
