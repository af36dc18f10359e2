"""Planned turns in the store, settled and cancelled in the transaction of a table's events."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from spieltisch.core.words import Message
from spieltisch.store.alert_subscriptions import MESSAGE
from spieltisch.store.errors import StoreError
from spieltisch.store.people import require_session
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX, PLANS, TABLES
from spieltisch.store.store import Store
from spieltisch.store.table_rows import SUMMARY
from spieltisch.tables.names import device_owner
from spieltisch.tables.planning import UNDONE, PlannedTurn

PLANNED = msgspec.json.Decoder(PlannedTurn)


class TooManyPlans(StoreError):
    """A person has as many plans at a table as are stored."""


class PlanGone(StoreError):
    """A plan no longer exists, or is no longer waiting."""


class StoredPlan(msgspec.Struct, frozen=True):
    """A stored plan.

    Plans are tried in the order of `number`. `made` is in UTC seconds; `outcome` is set when the plan no longer waits.
    """

    number: int
    made: float
    planned: PlannedTurn
    outcome: Message | None = None


async def of_person_at(store: Store, table_id: str, person: str) -> tuple[StoredPlan, ...]:
    """Return all plans of a person at a table, including those whose outcome has not been read yet."""
    query = (
        select(PLANS.c.number, PLANS.c.made, PLANS.c.data, PLANS.c.outcome)
        .where(_owned(table_id, person))
        .order_by(PLANS.c.number)
    )
    return await store.read(lambda connection: tuple(_stored_plan(*row) for row in connection.execute(query)))


async def of_person(store: Store, person: str) -> tuple[tuple[str, StoredPlan], ...]:
    """Return all plans of a person, each with the id of its table."""
    columns = select(PLANS.c.table_id, PLANS.c.number, PLANS.c.made, PLANS.c.data, PLANS.c.outcome)
    query = columns.where(PLANS.c.person == person).order_by(PLANS.c.made)
    return await store.read(
        lambda connection: tuple((row[0], _stored_plan(*row[1:])) for row in connection.execute(query))
    )


async def tables_with_due_plans(store: Store) -> tuple[str, ...]:
    """Return the ids of the running tables at which a plan waits whose person is to decide."""
    tables = PLANS.join(TABLES, TABLES.c.id == PLANS.c.table_id)
    columns = select(PLANS.c.table_id, PLANS.c.person, TABLES.c.summary).distinct().select_from(tables)
    query = columns.where(PLANS.c.outcome.is_(None), TABLES.c.status == "running")

    def job(connection: Connection) -> tuple[str, ...]:
        movers = ((row, SUMMARY.decode(row.summary).mover) for row in connection.execute(query))
        return tuple(row.table_id for row, mover in movers if mover is not None and mover.person == row.person)

    return await store.read(job)


def add(
    connection: Connection,
    table_id: str,
    person: str,
    planned: PlannedTurn,
    at: float,
    maximum: int,
    session: str | None = None,
) -> None:
    """Store another plan after the existing ones, and delete those whose outcome is settled.

    Raise `TooManyPlans` if the person has `maximum` plans here (0: no limit), `SignedOut` if the `session` that asks
    has ended.
    """
    if session is not None:
        require_session(connection, device_owner(person), session)
    connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.outcome.is_not(None)))
    query = select(func.count(), func.max(PLANS.c.number)).where(_owned(table_id, person))
    count, last = connection.execute(query).one()
    if 0 < maximum <= count:
        raise TooManyPlans(table_id)
    row = {"table_id": table_id, "person": person, "number": (last or 0) + 1, "made": at}
    connection.execute(insert(PLANS), {**row, "data": msgspec.json.encode(planned)})


def drop(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Delete a plan.

    Raise `PlanGone` if it does not exist.
    """
    if not connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.number == number)).rowcount:
        raise PlanGone(table_id)


def move_up(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Swap a plan with the one before it, if there is one.

    Raise `PlanGone` if it does not exist or no longer waits.
    """
    waiting = _owned(table_id, person) & PLANS.c.outcome.is_(None)
    query = select(PLANS.c.number, PLANS.c.made, PLANS.c.data).where(waiting, PLANS.c.number <= number)
    rows = connection.execute(query.order_by(PLANS.c.number.desc()).limit(2)).all()
    if not rows or rows[0].number != number:
        raise PlanGone(table_id)
    if len(rows) == 2:
        for row, other in zip(rows, reversed(rows), strict=True):
            swapped = {"made": other.made, "data": other.data}
            connection.execute(update(PLANS).where(waiting, PLANS.c.number == row.number).values(swapped))


def settle(
    connection: Connection, table_id: str, person: str, outcomes: Mapping[int, Message | None], at: float
) -> None:
    """Store the outcomes of plans whose turn has come; a plan without an outcome is deleted.

    Release the turn alert that waited for these plans (`at`, in UTC seconds). Raise `PlanGone` if one of the plans no
    longer waits.
    """
    connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.outcome.is_not(None)))
    for number, outcome in outcomes.items():
        plan = _owned(table_id, person) & (PLANS.c.number == number)
        statement = delete(PLANS) if outcome is None else update(PLANS).values(outcome=msgspec.json.encode(outcome))
        if not connection.execute(statement.where(plan)).rowcount:
            raise PlanGone(table_id)
    subscriptions = select(ALERT_SUBSCRIPTIONS.c.id).where(ALERT_SUBSCRIPTIONS.c.person == person)
    waiting_alerts = (
        (OUTBOX.c.table_id == table_id) & OUTBOX.c.subscription.in_(subscriptions) & (OUTBOX.c.attempts == 0)
    )
    connection.execute(update(OUTBOX).where(waiting_alerts).values(send_at=at))


def drop_all(connection: Connection, table_id: str) -> None:
    """Settle all waiting plans at a table as undone, because an event was undone."""
    waiting = (PLANS.c.table_id == table_id) & PLANS.c.outcome.is_(None)
    connection.execute(update(PLANS).where(waiting).values(outcome=msgspec.json.encode(UNDONE)))


def _owned(table_id: str, person: str) -> ColumnElement[bool]:
    return (PLANS.c.table_id == table_id) & (PLANS.c.person == person)


def _stored_plan(number: int, made: float, data: bytes, encoded_outcome: bytes | None) -> StoredPlan:
    outcome = None if encoded_outcome is None else MESSAGE.decode(encoded_outcome)
    return StoredPlan(number, made, PLANNED.decode(data), outcome)
