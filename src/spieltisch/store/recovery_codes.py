"""Recovery codes in the store: for each its prefix, by which it is found, and a keyed hash."""

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.people import Credential, require_session
from spieltisch.store.schema import RECOVERY_CODES
from spieltisch.store.store import Store


async def save(store: Store, person: str, session: str, prefix: str, code_hash: bytes, at: float) -> bool:
    """Store a code in place of the person's earlier one; return False and change nothing if its prefix is taken.

    Raise `SignedOut` if the session that makes it has ended.
    """
    row = {"prefix": prefix, "person": person, "code_hash": code_hash, "made": at}

    def job(connection: Connection) -> bool:
        require_session(connection, person, session)
        if connection.execute(select(RECOVERY_CODES.c.person).where(RECOVERY_CODES.c.prefix == prefix)).scalar():
            return False
        connection.execute(delete(RECOVERY_CODES).where(RECOVERY_CODES.c.person == person))
        connection.execute(insert(RECOVERY_CODES), row)
        return True

    return await store.write(job)


def credential(person: str, code_hash: bytes) -> Credential:
    """Return the credential of a code that was typed."""
    return Credential(person, (RECOVERY_CODES.c.person == person) & (RECOVERY_CODES.c.code_hash == code_hash))


async def find(store: Store, prefix: str) -> tuple[str, bytes] | None:
    """Return the person whose code has this prefix, and the hash of the code, or None."""
    query = select(RECOVERY_CODES.c.person, RECOVERY_CODES.c.code_hash).where(RECOVERY_CODES.c.prefix == prefix)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else (row.person, row.code_hash)


async def created_at(store: Store, person: str) -> float | None:
    """Return the time at which the person's code was made (UTC seconds), or None if there is none."""
    query = select(RECOVERY_CODES.c.made).where(RECOVERY_CODES.c.person == person)
    return await store.read(lambda connection: connection.execute(query).scalar())
