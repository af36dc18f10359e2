"""In which ways people are told that it is their turn."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from spieltisch.core.words import Message
from spieltisch.store.schema import OUTBOX, WAYS
from spieltisch.store.store import Store

MESSAGE: Final = msgspec.json.Decoder(Message)
NEW: Final = "new"
GONE: Final = "gone"


class Way(msgspec.Struct, frozen=True):
    """A way to a person. `kind` says what its `address` holds. `state`: `new` until they have said that it is theirs,
    `on`, or `gone` when nobody is there any more, or nothing can be sent there. `sent`: when an alert was taken last;
    `failed`: when one was not since then, for a `reason`. Times are UTC seconds.
    """

    id: str
    person: str
    kind: str
    address: dict[str, str]
    state: str
    added: float
    sent: float | None = None
    failed: float | None = None
    reason: Message | None = None


async def add(store: Store, way: Way) -> None:
    """One more way."""
    await store.write(lambda connection: connection.execute(insert(WAYS), _row(way)))


async def change(store: Store, way: Way) -> None:
    """A way as it is from now on."""
    changed = update(WAYS).where(WAYS.c.id == way.id).values(_row(way))
    await store.write(lambda connection: connection.execute(changed))


async def find(store: Store, way_id: str) -> Way | None:
    """The way with this id."""
    found = await _all(store, select(*WAYS.c).where(WAYS.c.id == way_id))
    return found[0] if found else None


async def of(store: Store, person: str) -> tuple[Way, ...]:
    """A person's ways, the oldest first."""
    return await _all(store, select(*WAYS.c).where(WAYS.c.person == person).order_by(WAYS.c.added, WAYS.c.id))


async def remove(store: Store, way_id: str) -> None:
    """Nobody is told in this way any more."""
    await store.write(lambda connection: forget(connection, WAYS.c.id == way_id))


def forget(connection: Connection, which: Any) -> None:
    """In a transaction: take ways out, with what waits for them."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.way.in_(select(WAYS.c.id).where(which))))
    connection.execute(delete(WAYS).where(which))


def _row(way: Way) -> dict[str, Any]:
    reason = None if way.reason is None else msgspec.json.encode(way.reason)
    return {**msgspec.structs.asdict(way), "address": msgspec.json.encode(way.address), "reason": reason}


async def _all(store: Store, wanted: Select[*tuple[Any, ...]]) -> tuple[Way, ...]:
    return await store.read(lambda connection: tuple(_way(row) for row in connection.execute(wanted)))


def _way(row: Row[*tuple[Any, ...]]) -> Way:
    kept = row._asdict()
    address = msgspec.json.decode(kept.pop("address"), type=dict[str, str])
    reason = kept.pop("reason")
    return Way(**kept, address=address, reason=None if reason is None else MESSAGE.decode(reason))
