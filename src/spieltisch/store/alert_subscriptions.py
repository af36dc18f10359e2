"""Subscriptions by which people are alerted that it is their turn."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Select, and_, delete, func, insert, select, update

from spieltisch.core.words import Message
from spieltisch.store.dialects import take_turns
from spieltisch.store.people import keep_last_access_time, next_access_time
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS
from spieltisch.store.sessions import require_session
from spieltisch.store.store import Store

MESSAGE: Final = msgspec.json.Decoder(Message)
UNCONFIRMED: Final = "new"
GONE: Final = "gone"
MAX_GONE: Final = 8
"""The maximum number of ended subscriptions of a person that are kept when another one is added, the newest ones."""


class AlertSubscription(msgspec.Struct, frozen=True):
    """A subscription of a person to alerts.

    `kind` determines the contents of `address`. `state` is `new` until the person has confirmed that the address is
    theirs, then `on`, or `gone` if the recipient no longer exists or nothing can be sent there. `sent` is the time of
    the last delivered alert; `failed` is the time of a failure since then, with its `reason`. Times are UTC seconds.
    `origin` is a keyed hash of the address it was added from, or None if that is unknown.
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
    origin: bytes | None = None


async def add(
    store: Store, subscription: AlertSubscription, check: Callable[[int, int], None], session: str | None = None
) -> AlertSubscription:
    """Store a new subscription and return it, or return the existing one with this address.

    It is added at its time or later (`next_access_time`). In the same transaction `check` is called with the numbers of
    subscriptions of its person and from its origin. If it raises, nothing is stored, and the exception is raised here.
    Raise `SignedOut` if the `session` that adds it has ended.
    """
    columns = ALERT_SUBSCRIPTIONS.c
    row = _row(subscription)
    same = and_(*(columns[name] == row[name] for name in ("person", "kind", "address")))
    counted = select(func.count()).where(columns.state != GONE)
    gone = select(columns.id).where(columns.person == subscription.person, columns.state == GONE)
    long_gone = gone.order_by(columns.added.desc()).offset(MAX_GONE)

    def job(connection: Connection) -> AlertSubscription | Exception:
        take_turns(connection, QUOTA_LOCK)
        if session is not None:
            require_session(connection, subscription.person, session)
        known = connection.execute(select(*columns).where(same, columns.state != GONE)).first()
        if known is not None:
            return _subscription(known)
        own = connection.execute(counted.where(columns.person == subscription.person)).scalar_one()
        origin = subscription.origin
        here = connection.execute(counted.where(columns.origin == origin)).scalar_one() if origin else 0
        try:
            check(own, here)
        except Exception as refusal:  # not a failure of the database
            return refusal
        at = next_access_time(connection, subscription.person, subscription.added)
        connection.execute(delete(ALERT_SUBSCRIPTIONS).where(same))
        connection.execute(delete(ALERT_SUBSCRIPTIONS).where(columns.id.in_(long_gone)))
        connection.execute(insert(ALERT_SUBSCRIPTIONS), {**row, "added": at})
        return msgspec.structs.replace(subscription, added=at)

    added = await store.write(job)
    if isinstance(added, Exception):
        raise added
    return added


async def save(store: Store, subscription: AlertSubscription) -> None:
    """Store the changed values of a subscription."""
    changed = update(ALERT_SUBSCRIPTIONS).where(ALERT_SUBSCRIPTIONS.c.id == subscription.id).values(_row(subscription))
    await store.write(lambda connection: connection.execute(changed))


async def find(store: Store, subscription_id: str) -> AlertSubscription | None:
    """Return the subscription with this id, or None."""
    subscriptions = await _read_all(
        store, select(*ALERT_SUBSCRIPTIONS.c).where(ALERT_SUBSCRIPTIONS.c.id == subscription_id)
    )
    return subscriptions[0] if subscriptions else None


async def of_person(store: Store, person: str) -> tuple[AlertSubscription, ...]:
    """Return the subscriptions of a person, oldest first."""
    return await _read_all(
        store,
        select(*ALERT_SUBSCRIPTIONS.c)
        .where(ALERT_SUBSCRIPTIONS.c.person == person)
        .order_by(ALERT_SUBSCRIPTIONS.c.added, ALERT_SUBSCRIPTIONS.c.id),
    )


async def remove(store: Store, person: str, subscription_id: str) -> None:
    """Delete a subscription of a person and the alerts queued for it."""

    def job(connection: Connection) -> None:
        keep_last_access_time(connection, person)
        own = (ALERT_SUBSCRIPTIONS.c.id == subscription_id) & (ALERT_SUBSCRIPTIONS.c.person == person)
        connection.execute(delete(ALERT_SUBSCRIPTIONS).where(own))

    await store.write(job)


def _row(subscription: AlertSubscription) -> dict[str, Any]:
    reason = None if subscription.reason is None else msgspec.json.encode(subscription.reason)
    return {
        **msgspec.structs.asdict(subscription),
        "address": msgspec.json.encode(subscription.address),
        "reason": reason,
    }


async def _read_all(store: Store, query: Select[*tuple[Any, ...]]) -> tuple[AlertSubscription, ...]:
    return await store.read(lambda connection: tuple(_subscription(row) for row in connection.execute(query)))


def _subscription(row: Row[*tuple[Any, ...]]) -> AlertSubscription:
    values = row._asdict()
    address = msgspec.json.decode(values.pop("address"), type=dict[str, str])
    reason = values.pop("reason")
    return AlertSubscription(**values, address=address, reason=None if reason is None else MESSAGE.decode(reason))
