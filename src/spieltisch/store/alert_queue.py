"""Alerts of turns, mentions, seats and analyses, queued or cancelled in the transaction that causes them."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from spieltisch.store.hooks import Appended
from spieltisch.store.schema import (
    ACTIVE,
    ALERT_SUBSCRIPTIONS,
    MENTION_ALERT,
    METADATA,
    OUTBOX,
    SEAT_ALERT,
    TURN_ALERT,
)
from spieltisch.tables import device_owner
from spieltisch.tables.summary import TableSummary

ANALYSIS_ALERT: Final = "analysis"
"""The kind of alerts of an analysis that its recipient has asked for."""
MENTION_INTERVAL_SECONDS: Final = 300.0
"""The time after an alert during which no mention is sent to the same subscription.

A person who is mentioned all the time is alerted at most twelve times an hour, each time with all messages so far.
"""


def queue_alerts(connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended) -> None:
    """Queue alerts of a new turn, in place of those of the last one, and of seats that the host has given away.

    Each goes to all active subscriptions of its person. It is due at once, even if the table's last event has a time
    that is still to come, because the clock was set back.
    """
    if after.waiting_for != ("" if before is None else before.waiting_for):
        turns = OUTBOX.c.table_id == appended.table_id, OUTBOX.c.kind == TURN_ALERT
        connection.execute(delete(OUTBOX).where(*turns))
        queue(connection, appended.table_id, appended.version, TURN_ALERT, {after.waiting_for} - {""})
    if before is not None and (given_away := after.given_away - before.given_away):
        people = {device_owner(player) for _, player in given_away}
        queue(connection, appended.table_id, appended.version, SEAT_ALERT, people)


def hold_turn_alerts(connection: Connection, table_id: str, until: float) -> None:
    """Send no alert of the current turn at a table before `until` (UTC seconds)."""
    turns = OUTBOX.c.table_id == table_id, OUTBOX.c.kind == TURN_ALERT
    connection.execute(update(OUTBOX).where(*turns).values(send_at=until))


def release_alerts(connection: Connection, table_id: str, person: str, at: float) -> None:
    """Let the alerts of a table to a person that were not tried yet be due at a time (UTC seconds)."""
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(ALERT_SUBSCRIPTIONS.c.person == person)
    waiting = OUTBOX.c.table_id == table_id, OUTBOX.c.subscription.in_(subscriptions), OUTBOX.c.attempts == 0
    connection.execute(update(OUTBOX).where(*waiting).values(send_at=at))


def without_muting(connection: Connection, people: Collection[str], author: str) -> set[str]:
    """Return these people without those who want no alerts of what the author does.

    Features keep whom a person mutes everywhere in SQL tables with `stops_alerts`.
    """
    wanting = set(people)
    for table in METADATA.tables.values() if wanting else ():
        if table.info.get("stops_alerts"):
            person, muted = table.c[table.info["person"]], table.c[table.info["other_person"]]
            wanting -= {*connection.execute(select(person).where(muted == author, person.in_(people))).scalars()}
    return wanting


def queue(connection: Connection, table_id: str, version: int, kind: str, people: Collection[str]) -> None:
    """Queue an alert of a table at a version, due at once, for each active subscription of these people."""
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(
        ALERT_SUBSCRIPTIONS.c.person.in_(people), ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    row = {"table_id": table_id, "version": version, "message": 0, "kind": kind}
    for subscription_id in connection.execute(subscriptions).scalars().all() if people else ():
        connection.execute(insert(OUTBOX), {**row, "subscription": subscription_id, "send_at": 0.0, "attempts": 0})


def queue_analysis_alerts(connection: Connection, table_id: str, version: int, people: Collection[str]) -> None:
    """Queue alerts of the analysis of a game up to this version, in place of those of an earlier one."""
    withdraw_analysis_alerts(connection, table_id, people)
    queue(connection, table_id, version, ANALYSIS_ALERT, people)


def withdraw_analysis_alerts(connection: Connection, table_id: str, people: Collection[str]) -> None:
    """Send these people no alert of the analysis of a table."""
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(ALERT_SUBSCRIPTIONS.c.person.in_(people))
    of_analysis = OUTBOX.c.table_id == table_id, OUTBOX.c.kind == ANALYSIS_ALERT
    connection.execute(delete(OUTBOX).where(*of_analysis, OUTBOX.c.subscription.in_(subscriptions)))


def queue_mention_alerts(
    connection: Connection, table_id: str, number: int, at: float, people: Collection[str]
) -> None:
    """Queue alerts of a chat message for the people it mentions, one for each of their active subscriptions.

    Runs in the transaction that stores message `number`; `at` is the time of the message in UTC seconds.
    """
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id, ALERT_SUBSCRIPTIONS.c.sent).where(
        ALERT_SUBSCRIPTIONS.c.person.in_(people), ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    for subscription in connection.execute(subscriptions).all() if people else ():
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
