"""Recovery codes in the store: for each its prefix, by which it is found, and a keyed hash."""

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.people import Credential, next_access_time
from spieltisch.store.schema import RECOVERY_CODES
from spieltisch.store.sessions import require_session
from spieltisch.store.store import Store


async def save(store: Store, person: str, session: str, prefix: str, code_hash: bytes, at: float) -> float | None:
    """Store a code in place of the person's earlier one; return None and change nothing if its prefix is taken.

    Return when it was made: `at` a time or later (`next_access_time`). Raise `SignedOut` if the session that makes it
    has ended.
    """

    def job(connection: Connection) -> float | None:
        require_session(connection, person, session)
        if connection.execute(select(RECOVERY_CODES.c.person).where(RECOVERY_CODES.c.prefix == prefix)).scalar():
            return None
        made = next_access_time(connection, person, at)
        connection.execute(delete(RECOVERY_CODES).where(RECOVERY_CODES.c.person == person))
        row = {"prefix": prefix, "person": person, "code_hash": code_hash, "made": made}
        connection.execute(insert(RECOVERY_CODES), row)
        return made

    return await store.write(job)


def credential(person: str, code_hash: bytes, made: float) -> Credential:
    """Return the credential of a code that was typed."""
    return Credential(person, (RECOVERY_CODES.c.person == person) & (RECOVERY_CODES.c.code_hash == code_hash), made)


async def find(store: Store, prefix: str) -> tuple[str, bytes, float] | None:
    """Return the person whose code has this prefix, the hash of the code, and when it was made, or None."""
    columns = RECOVERY_CODES.c.person, RECOVERY_CODES.c.code_hash, RECOVERY_CODES.c.made
    query = select(*columns).where(RECOVERY_CODES.c.prefix == prefix)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else (row.person, row.code_hash, row.made)


async def created_at(store: Store, person: str) -> float | None:
    """Return the time at which the person's code was made (UTC seconds), or None if there is none."""
    query = select(RECOVERY_CODES.c.made).where(RECOVERY_CODES.c.person == person)
    return await store.read(lambda connection: connection.execute(query).scalar())
