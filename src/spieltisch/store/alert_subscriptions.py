"""In which ways people are told that it is their turn."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from spieltisch.core.words import Message
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX
from spieltisch.store.store import Store

MESSAGE: Final = msgspec.json.Decoder(Message)
UNCONFIRMED: Final = "new"
GONE: Final = "gone"


class AlertSubscription(msgspec.Struct, frozen=True):
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


async def add(store: Store, way: AlertSubscription) -> None:
    """One more way."""
    await store.write(lambda connection: connection.execute(insert(ALERT_SUBSCRIPTIONS), _row(way)))


async def save(store: Store, way: AlertSubscription) -> None:
    """A way as it is from now on."""
    changed = update(ALERT_SUBSCRIPTIONS).where(ALERT_SUBSCRIPTIONS.c.id == way.id).values(_row(way))
    await store.write(lambda connection: connection.execute(changed))


async def find(store: Store, way_id: str) -> AlertSubscription | None:
    """The way with this id."""
    found = await _all(store, select(*ALERT_SUBSCRIPTIONS.c).where(ALERT_SUBSCRIPTIONS.c.id == way_id))
    return found[0] if found else None


async def of_person(store: Store, person: str) -> tuple[AlertSubscription, ...]:
    """A person's ways, the oldest first."""
    return await _all(
        store,
        select(*ALERT_SUBSCRIPTIONS.c)
        .where(ALERT_SUBSCRIPTIONS.c.person == person)
        .order_by(ALERT_SUBSCRIPTIONS.c.added, ALERT_SUBSCRIPTIONS.c.id),
    )


async def remove(store: Store, way_id: str) -> None:
    """Nobody is told in this way any more."""
    await store.write(lambda connection: delete_in(connection, ALERT_SUBSCRIPTIONS.c.id == way_id))


def delete_in(connection: Connection, which: Any) -> None:
    """In a transaction: take ways out, with what waits for them."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.way.in_(select(ALERT_SUBSCRIPTIONS.c.id).where(which))))
    connection.execute(delete(ALERT_SUBSCRIPTIONS).where(which))


def _row(way: AlertSubscription) -> dict[str, Any]:
    reason = None if way.reason is None else msgspec.json.encode(way.reason)
    return {**msgspec.structs.asdict(way), "address": msgspec.json.encode(way.address), "reason": reason}


async def _all(store: Store, wanted: Select[*tuple[Any, ...]]) -> tuple[AlertSubscription, ...]:
    return await store.read(lambda connection: tuple(_way(row) for row in connection.execute(wanted)))


def _way(row: Row[*tuple[Any, ...]]) -> AlertSubscription:
    kept = row._asdict()
    address = msgspec.json.decode(kept.pop("address"), type=dict[str, str])
    reason = kept.pop("reason")
    return AlertSubscription(**kept, address=address, reason=None if reason is None else MESSAGE.decode(reason))
