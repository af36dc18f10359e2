"""Passkeys in the store: for each only the public key that verifies a signature."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, func, insert, select, update

from spieltisch.store.dialects import take_turns
from spieltisch.store.people import Credential, keep_last_access_time, next_access_time
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.schema import PASSKEYS
from spieltisch.store.sessions import require_session
from spieltisch.store.store import Store


class Passkey(msgspec.Struct, frozen=True):
    """A key in a device of a person, with the `name` they gave it.

    Browsers identify it by its `credential`; `public_key` (COSE) verifies its signatures. `count` is the number of
    signatures reported by the device, 0 if it does not count. `added` and `used` are UTC seconds.
    """

    id: str
    person: str
    name: str
    credential: bytes
    public_key: bytes
    count: int
    added: float
    used: float | None = None


async def add(store: Store, passkey: Passkey, check: Callable[[int], None], session: str) -> Passkey | None:
    """Store a passkey and return it, added at its time or later (`next_access_time`).

    Return None and change nothing if its credential is known already.

    In the same transaction `check` is called with the number of passkeys of its person; the refusal that it may raise
    is raised here. Raise `SignedOut` if the session that adds it has ended.
    """
    own = select(func.count()).where(PASSKEYS.c.person == passkey.person)

    def job(connection: Connection) -> Passkey | None:
        take_turns(connection, QUOTA_LOCK)
        require_session(connection, passkey.person, session)
        known = select(PASSKEYS.c.id).where(PASSKEYS.c.credential == passkey.credential)
        if connection.execute(known).scalar() is not None:
            return None
        check(connection.execute(own).scalar_one())
        added = next_access_time(connection, passkey.person, passkey.added)
        stored = msgspec.structs.replace(passkey, added=added)
        connection.execute(insert(PASSKEYS), msgspec.structs.asdict(stored))
        return stored

    return await store.write(job)


async def of_person(store: Store, person: str) -> tuple[Passkey, ...]:
    """Return the passkeys of a person, oldest first."""
    return await _read_all(store, select(*PASSKEYS.c).where(PASSKEYS.c.person == person).order_by(PASSKEYS.c.added))


def credential(passkey: Passkey) -> Credential:
    """Return the credential of a passkey that has signed."""
    return Credential(passkey.person, PASSKEYS.c.id == passkey.id, passkey.added)


async def find(store: Store, credential: bytes) -> Passkey | None:
    """Return the passkey with this credential, or None."""
    passkeys = await _read_all(store, select(*PASSKEYS.c).where(PASSKEYS.c.credential == credential))
    return passkeys[0] if passkeys else None


async def record_use(store: Store, passkey: Passkey, count: int, at: float) -> bool:
    """Record a use; return False if the passkey was removed or used again in the meantime."""
    unchanged = (PASSKEYS.c.id == passkey.id) & (PASSKEYS.c.count == passkey.count)
    statement = update(PASSKEYS).where(unchanged).values(count=count, used=at)
    return await store.write(lambda connection: bool(connection.execute(statement).rowcount))


async def remove(store: Store, person: str, passkey_id: str) -> bool:
    """Delete a passkey; return False if the person has none with this id."""
    statement = delete(PASSKEYS).where(PASSKEYS.c.id == passkey_id, PASSKEYS.c.person == person)

    def job(connection: Connection) -> bool:
        keep_last_access_time(connection, person)
        return bool(connection.execute(statement).rowcount)

    return await store.write(job)


async def _read_all(store: Store, query: Select[*tuple[Any, ...]]) -> tuple[Passkey, ...]:
    return await store.read(lambda connection: tuple(Passkey(**row._asdict()) for row in connection.execute(query)))
