"""Alerts of turns, mentions and seats, queued or cancelled in the transaction of the event that causes them."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.schema import (
    ACTIVE,
    ALERT_SUBSCRIPTIONS,
    MENTION_ALERT,
    MUTES,
    OUTBOX,
    PLANS,
    SEAT_ALERT,
    TURN_ALERT,
)
from spieltisch.tables import device_owner
from spieltisch.tables.summary import TableSummary

MENTION_INTERVAL_SECONDS: Final = 300.0
"""The time after an alert during which no mention is sent to the same subscription.

A person who is mentioned all the time is alerted at most twelve times an hour, each time with all messages so far.
"""
PLAN_GRACE_SECONDS: Final = 60.0
"""The time an alert waits for a planned turn to be played first; it ends when the plan has been played or dropped."""


def queue_turn_alerts(
    connection: Connection, table_id: str, version: int, at: float, before: str, after: TableSummary
) -> None:
    """Replace the queued turn alerts of a table if it now waits for a person other than `before`.

    Queue one alert for each active subscription of the new person. Runs in the transaction that stores `version`
    of the table; `at` is in UTC seconds. An alert is due at once, even if the table's last event has a time that is
    still to come, because the clock was set back.
    """
    if after.waiting_for == before:
        return
    connection.execute(delete(OUTBOX).where(OUTBOX.c.table_id == table_id, OUTBOX.c.kind == TURN_ALERT))
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(
        ALERT_SUBSCRIPTIONS.c.person == after.waiting_for, ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    planned = (PLANS.c.table_id == table_id) & (PLANS.c.person == after.waiting_for) & PLANS.c.outcome.is_(None)
    has_plan = connection.execute(select(PLANS.c.number).where(planned)).first() is not None
    if subscription_ids := connection.execute(subscriptions).scalars().all() if after.waiting_for else ():
        row = {
            "table_id": table_id,
            "version": version,
            "message": 0,
            "kind": TURN_ALERT,
            "send_at": at + PLAN_GRACE_SECONDS if has_plan else 0.0,
            "attempts": 0,
        }
        connection.execute(
            insert(OUTBOX), [{**row, "subscription": subscription_id} for subscription_id in subscription_ids]
        )


def queue_seat_alerts(
    connection: Connection, table_id: str, version: int, before: TableSummary, after: TableSummary
) -> None:
    """Queue alerts for the people from whom the host has now given a seat away.

    Runs in the transaction that stores `version` of the table.
    """
    people = {device_owner(player) for _, player in after.given_away - before.given_away}
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(
        ALERT_SUBSCRIPTIONS.c.person.in_(people), ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    row = {"table_id": table_id, "version": version, "message": 0, "kind": SEAT_ALERT, "send_at": 0.0, "attempts": 0}
    for subscription_id in connection.execute(subscriptions).scalars().all():
        connection.execute(insert(OUTBOX), {**row, "subscription": subscription_id})


def queue_mention_alerts(
    connection: Connection, table_id: str, number: int, at: float, speaker: str, people: Collection[str]
) -> None:
    """Queue alerts of a chat message for the people it mentions, one for each of their active subscriptions.

    People who have muted the speaker get none. Runs in the transaction that stores message `number`; `at` is the time
    of the message in UTC seconds.
    """
    muters = select(MUTES.c.person).where(MUTES.c.table_id == table_id, MUTES.c.muted == speaker)
    devices = {device_owner(person) for person in set(people) - set(connection.execute(muters).scalars())}
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id, ALERT_SUBSCRIPTIONS.c.sent).where(
        ALERT_SUBSCRIPTIONS.c.person.in_(devices), ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    for subscription in connection.execute(subscriptions).all() if devices else ():
        send_at = at if subscription.sent is None else max(at, subscription.sent + MENTION_INTERVAL_SECONDS)
        row = {
            "table_id": table_id,
            "version": 0,
            "message": number,
            "kind": MENTION_ALERT,
            "send_at": send_at,
            "attempts": 0,
        }
        connection.execute(insert(OUTBOX), {**row, "subscription": subscription.id})


def drop_stale_plans(connection: Connection, table_id: str, after: TableSummary) -> None:
    """Delete the plans of people who have left a table, and all its plans if its game is not running.

    Runs in the transaction that changes the table.
    """
    seated = [seat.person for seat in after.seats if seat.kind == "person"] if after.status == "running" else []
    connection.execute(delete(PLANS).where(PLANS.c.table_id == table_id, PLANS.c.person.not_in(seated)))
