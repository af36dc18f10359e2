"""Queue of alerts to be sent.

The transaction of a move or a message queues alerts, and deletes those that are no longer needed; see `alert_queue`.
"""

from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Connection, case, delete, func, select, update

from spieltisch.core.words import Message
from spieltisch.store.leases import FencedStore
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX
from spieltisch.store.store import Store


class QueuedAlert(msgspec.Struct, frozen=True):
    """An alert waiting to be sent, of one of the kinds in `schema`.

    `version` is the table's event that began the turn or gave the seat away, `message_number` the message with the
    mention; the other one is 0. `attempts` is the number of failed attempts.
    """

    table_id: str
    version: int
    message_number: int
    kind: str
    attempts: int


async def due(store: Store) -> dict[str, float]:
    """Return for each subscription with queued alerts the time of the next one."""
    query = select(OUTBOX.c.subscription, func.min(OUTBOX.c.send_at).label("first")).group_by(OUTBOX.c.subscription)
    return await store.read(lambda connection: {row.subscription: row.first for row in connection.execute(query)})


async def retry_at(store: Store, subscription_id: str) -> float | None:
    """Return the time to resend a batch that is not known to have arrived, or None if there is none."""
    query = select(func.max(OUTBOX.c.send_at)).where(
        OUTBOX.c.subscription == subscription_id, OUTBOX.c.batch.is_not(None)
    )
    return await store.read(lambda connection: connection.execute(query).scalar())


async def claim(
    store: Store | FencedStore, subscription_id: str, now: float, new_batch: str
) -> tuple[str, tuple[QueuedAlert, ...]]:
    """Return the id and the alerts of the batch to send now.

    This is the batch that was tried before, or else all alerts that are due, which become the batch `new_batch`.
    """
    for_subscription = OUTBOX.c.subscription == subscription_id

    def job(connection: Connection) -> tuple[str, tuple[QueuedAlert, ...]]:
        earlier_batch = connection.execute(
            select(OUTBOX.c.batch).where(for_subscription, OUTBOX.c.batch.is_not(None))
        ).scalar()
        batch = new_batch if earlier_batch is None else str(earlier_batch)
        if earlier_batch is None:
            connection.execute(update(OUTBOX).where(for_subscription, OUTBOX.c.send_at <= now).values(batch=batch))
        columns = (OUTBOX.c.table_id, OUTBOX.c.version, OUTBOX.c.message, OUTBOX.c.kind, OUTBOX.c.attempts)
        rows = connection.execute(
            select(*columns)
            .where(for_subscription, OUTBOX.c.batch == batch)
            .order_by(OUTBOX.c.version, OUTBOX.c.message)
        )
        return batch, tuple(QueuedAlert(*row) for row in rows)

    return await store.write(job)


async def postpone(store: Store | FencedStore, subscription_id: str, until: float) -> None:
    """Send none of the queued alerts of a subscription before `until` (UTC seconds)."""
    statement = (
        update(OUTBOX).where(OUTBOX.c.subscription == subscription_id, OUTBOX.c.send_at < until).values(send_at=until)
    )
    await store.write(lambda connection: connection.execute(statement))


async def adjust_waits(store: Store | FencedStore, now: float, by: float, longest: float) -> None:
    """Adjust the queue after the clock was set forward by these seconds (below 0: back; 0: it is not known).

    Failed alerts wait as long as before, and all others are looked at again. None waits longer than the `longest` wait,
    and nothing was sent after `now` (UTC seconds), whatever the clock showed before.
    """
    is_failed, sent = OUTBOX.c.batch.is_not(None), ALERT_SUBSCRIPTIONS.c.sent

    def job(connection: Connection) -> None:
        if by:
            connection.execute(update(OUTBOX).values(send_at=case((is_failed, OUTBOX.c.send_at + by), else_=now)))
            connection.execute(update(ALERT_SUBSCRIPTIONS).values(sent=sent + by))
        connection.execute(update(OUTBOX).where(OUTBOX.c.send_at > now + longest).values(send_at=now + longest))
        connection.execute(update(ALERT_SUBSCRIPTIONS).where(sent > now).values(sent=now))

    await store.write(job)


async def clear(store: Store | FencedStore, subscription_id: str) -> None:
    """Delete all alerts queued for a subscription."""
    await store.write(
        lambda connection: connection.execute(delete(OUTBOX).where(OUTBOX.c.subscription == subscription_id))
    )


async def discard(store: Store | FencedStore, subscription_id: str, alerts: Iterable[QueuedAlert]) -> None:
    """Delete alerts of a subscription that are no longer needed."""

    def job(connection: Connection) -> None:
        for alert in alerts:
            of_table = (OUTBOX.c.subscription == subscription_id) & (OUTBOX.c.table_id == alert.table_id)
            cause = (OUTBOX.c.version == alert.version) & (OUTBOX.c.message == alert.message_number)
            connection.execute(delete(OUTBOX).where(of_table, cause, OUTBOX.c.kind == alert.kind))

    await store.write(job)


async def mark_delivered(store: Store | FencedStore, subscription_id: str, batch: str, at: float) -> None:
    """Delete the alerts of a delivered batch and record the time of delivery (UTC seconds)."""

    def job(connection: Connection) -> None:
        connection.execute(delete(OUTBOX).where(OUTBOX.c.subscription == subscription_id, OUTBOX.c.batch == batch))
        connection.execute(
            update(ALERT_SUBSCRIPTIONS)
            .where(ALERT_SUBSCRIPTIONS.c.id == subscription_id)
            .values(sent=at, failed=None, reason=None)
        )

    await store.write(job)


async def mark_failed(
    store: Store | FencedStore,
    subscription_id: str,
    batch: str | None,
    at: float,
    reason: Message,
    pause: Callable[[int], float],
) -> int:
    """Record that a batch, or with None everything due, was not delivered, and why; return the earlier attempts.

    It is tried again after a pause, which `pause` computes from the number of earlier attempts.
    """
    affected = (OUTBOX.c.subscription == subscription_id) & (
        OUTBOX.c.send_at <= at if batch is None else OUTBOX.c.batch == batch
    )

    def job(connection: Connection) -> int:
        before = int(connection.execute(select(func.max(OUTBOX.c.attempts)).where(affected)).scalar() or 0)
        tried = {"attempts": OUTBOX.c.attempts + 1, "send_at": at + pause(before)}
        connection.execute(update(OUTBOX).where(affected).values(tried))
        failure = {"failed": at, "reason": msgspec.json.encode(reason)}
        connection.execute(
            update(ALERT_SUBSCRIPTIONS).where(ALERT_SUBSCRIPTIONS.c.id == subscription_id).values(failure)
        )
        return before

    return await store.write(job)
