"""Whom a table waits for, and whom somebody mentions: alerts are written in the transaction of what causes them, or
makes them void.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.schema import ACTIVE, ALERT_SUBSCRIPTIONS, MUTES, OUTBOX, PLANS
from spieltisch.tables import device_owner
from spieltisch.tables.summary import TableSummary

MENTION_INTERVAL_SECONDS: Final = 300.0
"""Seconds after an alert in which no mention goes the same way: whoever mentions somebody all the time wakes them
twelve times an hour at most, with all that was said in one.
"""
PLAN_GRACE_SECONDS: Final = 60.0
"""So long an alert waits for a plan to be played first; when one has been, or was dropped, it waits no more."""


def queue_turn_alerts(
    connection: Connection, table_id: str, version: int, at: float, before: str, after: TableSummary
) -> None:
    """In the transaction that brings a table to this version, at a time (UTC seconds): where it waits for somebody else
    than `before`, what was to be told of it is void, and the one it waits for is to be told in all their ways.
    """
    if after.waiting_for == before:
        return
    connection.execute(delete(OUTBOX).where(OUTBOX.c.table_id == table_id, OUTBOX.c.word == 0))
    wanted = select(ALERT_SUBSCRIPTIONS.c.id).where(
        ALERT_SUBSCRIPTIONS.c.person == after.waiting_for, ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    planned = (PLANS.c.table_id == table_id) & (PLANS.c.person == after.waiting_for) & PLANS.c.fate.is_(None)
    if connection.execute(select(PLANS.c.number).where(planned)).first() is not None:
        at += PLAN_GRACE_SECONDS
    if ways := connection.execute(wanted).scalars().all() if after.waiting_for else ():
        row = {"table_id": table_id, "version": version, "word": 0, "due": at, "attempts": 0}
        connection.execute(insert(OUTBOX), [{**row, "way": way} for way in ways])


def queue_mention_alerts(
    connection: Connection, table_id: str, number: int, at: float, speaker: str, people: Collection[str]
) -> None:
    """In the transaction that keeps a word with this number, said at a time (UTC seconds): these people are to be told
    of it in all their ways, but who does not want to read the speaker.
    """
    deaf = select(MUTES.c.person).where(MUTES.c.table_id == table_id, MUTES.c.muted == speaker)
    devices = {device_owner(one) for one in set(people) - set(connection.execute(deaf).scalars())}
    wanted = select(ALERT_SUBSCRIPTIONS.c.id, ALERT_SUBSCRIPTIONS.c.sent).where(
        ALERT_SUBSCRIPTIONS.c.person.in_(devices), ALERT_SUBSCRIPTIONS.c.state == ACTIVE
    )
    for way in connection.execute(wanted).all() if devices else ():
        due = at if way.sent is None else max(at, way.sent + MENTION_INTERVAL_SECONDS)
        row = {"table_id": table_id, "version": 0, "word": number, "way": way.id, "due": due, "attempts": 0}
        connection.execute(insert(OUTBOX), row)


def drop_stale_plans(connection: Connection, table_id: str, after: TableSummary) -> None:
    """In the transaction that brings a table so far: who does not sit there any more has no plans there, and nobody
    has where nothing is played any more.
    """
    there = [seat.person for seat in after.seats if seat.kind == "person"] if after.status == "running" else []
    connection.execute(delete(PLANS).where(PLANS.c.table_id == table_id, PLANS.c.person.not_in(there)))
