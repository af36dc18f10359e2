"""Passkeys in the store: for each only the public key that verifies a signature."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, insert, select, update

from spieltisch.store.people import Credential, require_session
from spieltisch.store.schema import PASSKEYS
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


async def add(store: Store, passkey: Passkey, session: str) -> bool:
    """Store a passkey; return False and change nothing if its credential is known already.

    Raise `SignedOut` if the session that adds it has ended.
    """

    def job(connection: Connection) -> bool:
        require_session(connection, passkey.person, session)
        known = select(PASSKEYS.c.id).where(PASSKEYS.c.credential == passkey.credential)
        if connection.execute(known).scalar() is not None:
            return False
        connection.execute(insert(PASSKEYS), msgspec.structs.asdict(passkey))
        return True

    return await store.write(job)


async def of_person(store: Store, person: str) -> tuple[Passkey, ...]:
    """Return the passkeys of a person, oldest first."""
    return await _all(store, select(*PASSKEYS.c).where(PASSKEYS.c.person == person).order_by(PASSKEYS.c.added))


def credential(passkey: Passkey) -> Credential:
    """Return the credential of a passkey that has signed."""
    return Credential(passkey.person, PASSKEYS.c.id == passkey.id)


async def find(store: Store, credential: bytes) -> Passkey | None:
    """Return the passkey with this credential, or None."""
    passkeys = await _all(store, select(*PASSKEYS.c).where(PASSKEYS.c.credential == credential))
    return passkeys[0] if passkeys else None


async def record_use(store: Store, passkey: Passkey, count: int, at: float) -> bool:
    """Record a use; return False if the passkey was removed or used again in the meantime."""
    unchanged = (PASSKEYS.c.id == passkey.id) & (PASSKEYS.c.count == passkey.count)
    statement = update(PASSKEYS).where(unchanged).values(count=count, used=at)
    return await store.write(lambda connection: bool(connection.execute(statement).rowcount))


async def remove(store: Store, person: str, passkey_id: str) -> bool:
    """Delete a passkey; return False if the person has none with this id."""
    statement = delete(PASSKEYS).where(PASSKEYS.c.id == passkey_id, PASSKEYS.c.person == person)
    return await store.write(lambda connection: bool(connection.execute(statement).rowcount))


async def _all(store: Store, query: Select[*tuple[Any, ...]]) -> tuple[Passkey, ...]:
    return await store.read(lambda connection: tuple(Passkey(**row._asdict()) for row in connection.execute(query)))
