"""Alerts that are to be sent. They come here, and go when they are void, in the transaction of a move or a word; see
`turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from spieltisch.core.words import Message
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX
from spieltisch.store.store import Store


class QueuedAlert(msgspec.Struct, frozen=True):
    """An alert that waits: of the turn at a table that began with its event `version`, or of a mention in the `word`
    with this number, each 0 for the other; `attempts` were in vain.
    """

    table_id: str
    version: int
    message_number: int
    attempts: int


async def due(store: Store) -> dict[str, float]:
    """When each way that something waits for is to be looked at next."""
    wanted = select(OUTBOX.c.way, func.min(OUTBOX.c.due).label("first")).group_by(OUTBOX.c.way)
    return await store.read(lambda connection: {row.way: row.first for row in connection.execute(wanted)})


async def retry_at(store: Store, way: str) -> float | None:
    """When what was tried to be sent there, and is not known to have arrived, is to be sent again; None without any."""
    wanted = select(func.max(OUTBOX.c.due)).where(OUTBOX.c.way == way, OUTBOX.c.batch.is_not(None))
    return await store.read(lambda connection: connection.execute(wanted).scalar())


async def claim(store: Store, way: str, now: float, new: str) -> tuple[str, tuple[QueuedAlert, ...]]:
    """What is to be sent there together now, and its id: what was tried before, else all that is due, as `new`."""
    here = OUTBOX.c.way == way

    def job(connection: Connection) -> tuple[str, tuple[QueuedAlert, ...]]:
        tried = connection.execute(select(OUTBOX.c.batch).where(here, OUTBOX.c.batch.is_not(None))).scalar()
        batch = new if tried is None else str(tried)
        if tried is None:
            connection.execute(update(OUTBOX).where(here, OUTBOX.c.due <= now).values(batch=batch))
        columns = (OUTBOX.c.table_id, OUTBOX.c.version, OUTBOX.c.word, OUTBOX.c.attempts)
        rows = connection.execute(
            select(*columns).where(here, OUTBOX.c.batch == batch).order_by(OUTBOX.c.version, OUTBOX.c.word)
        )
        return batch, tuple(QueuedAlert(*row) for row in rows)

    return await store.write(job)


async def postpone(store: Store, way: str, until: float) -> None:
    """Nothing of what waits is to be sent there before `until` (UTC seconds)."""
    put = update(OUTBOX).where(OUTBOX.c.way == way, OUTBOX.c.due < until).values(due=until)
    await store.write(lambda connection: connection.execute(put))


async def clear(store: Store, way: str) -> None:
    """Forget all that waits to be sent there."""
    await store.write(lambda connection: connection.execute(delete(OUTBOX).where(OUTBOX.c.way == way)))


async def discard(store: Store, way: str, void: Iterable[QueuedAlert]) -> None:
    """Forget what is not to be told there any more."""

    def job(connection: Connection) -> None:
        for one in void:
            what = (OUTBOX.c.version == one.version) & (OUTBOX.c.word == one.message_number)
            connection.execute(delete(OUTBOX).where(OUTBOX.c.way == way, OUTBOX.c.table_id == one.table_id, what))

    await store.write(job)


async def mark_delivered(store: Store, way: str, batch: str, at: float) -> None:
    """An alert has arrived, at a time (UTC seconds)."""

    def job(connection: Connection) -> None:
        connection.execute(delete(OUTBOX).where(OUTBOX.c.way == way, OUTBOX.c.batch == batch))
        connection.execute(
            update(ALERT_SUBSCRIPTIONS).where(ALERT_SUBSCRIPTIONS.c.id == way).values(sent=at, failed=None, reason=None)
        )

    await store.write(job)


async def mark_failed(
    store: Store, way: str, batch: str | None, at: float, reason: Message, pause: Callable[[int], float]
) -> None:
    """An alert, or with None whatever is due there, has not arrived, for a reason; it is to be tried again after a
    pause, which the number of attempts before gives.
    """
    here = (OUTBOX.c.way == way) & (OUTBOX.c.due <= at if batch is None else OUTBOX.c.batch == batch)

    def job(connection: Connection) -> None:
        before = connection.execute(select(func.max(OUTBOX.c.attempts)).where(here)).scalar() or 0
        tried = {"attempts": OUTBOX.c.attempts + 1, "due": at + pause(before)}
        connection.execute(update(OUTBOX).where(here).values(tried))
        told = {"failed": at, "reason": msgspec.json.encode(reason)}
        connection.execute(update(ALERT_SUBSCRIPTIONS).where(ALERT_SUBSCRIPTIONS.c.id == way).values(told))

    await store.write(job)
