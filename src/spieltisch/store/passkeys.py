"""Passkeys: of each what checks a signature, never what signs."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, insert, select, update

from spieltisch.store.schema import PASSKEYS
from spieltisch.store.store import Store


class Passkey(msgspec.Struct, frozen=True):
    """A key in a device of a person, under the `name` that they gave it. A browser knows it by its `credential`; with
    its `public_key` (COSE) signatures are checked; `count` is how often it says that it has signed, 0 for one that does
    not count. `added`, `used`: UTC seconds.
    """

    id: str
    person: str
    name: str
    credential: bytes
    public_key: bytes
    count: int
    added: float
    used: float | None = None


async def add(store: Store, passkey: Passkey) -> bool:
    """One more passkey; False, and nothing is changed, where its credential is known."""

    def job(connection: Connection) -> bool:
        known = select(PASSKEYS.c.id).where(PASSKEYS.c.credential == passkey.credential)
        if connection.execute(known).scalar() is not None:
            return False
        connection.execute(insert(PASSKEYS), msgspec.structs.asdict(passkey))
        return True

    return await store.write(job)


async def of_person(store: Store, person: str) -> tuple[Passkey, ...]:
    """A person's passkeys, the oldest first."""
    return await _all(store, select(*PASSKEYS.c).where(PASSKEYS.c.person == person).order_by(PASSKEYS.c.added))


async def find(store: Store, credential: bytes) -> Passkey | None:
    """The passkey that a browser names so."""
    found = await _all(store, select(*PASSKEYS.c).where(PASSKEYS.c.credential == credential))
    return found[0] if found else None


async def record_use(store: Store, passkey: Passkey, count: int, at: float) -> bool:
    """It has signed; False where it is gone, or has signed something else meanwhile."""
    same = (PASSKEYS.c.id == passkey.id) & (PASSKEYS.c.count == passkey.count)
    changed = update(PASSKEYS).where(same).values(count=count, used=at)
    return await store.write(lambda connection: bool(connection.execute(changed).rowcount))


async def remove(store: Store, person: str, passkey_id: str) -> bool:
    """Nobody comes in by it any more; False where the person has none of this id."""
    gone = delete(PASSKEYS).where(PASSKEYS.c.id == passkey_id, PASSKEYS.c.person == person)
    return await store.write(lambda connection: bool(connection.execute(gone).rowcount))


async def _all(store: Store, wanted: Select[*tuple[Any, ...]]) -> tuple[Passkey, ...]:
    return await store.read(lambda connection: tuple(Passkey(**row._asdict()) for row in connection.execute(wanted)))
