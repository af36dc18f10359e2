"""The planned turns of people, settled and cancelled in the transaction of a table's events."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    Row,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from spieltisch.core.words import Message, message
from spieltisch.features.planned_turns.commands import UNDONE, PlannedTurn
from spieltisch.store import Store
from spieltisch.store.alert_queue import hold_turn_alerts, release_alerts
from spieltisch.store.hooks import Appended
from spieltisch.store.schema import METADATA, TABLES, TEXT, Json
from spieltisch.store.sessions import require_session
from spieltisch.store.table_rows import SUMMARY
from spieltisch.tables import TableRefusal, Undone, device_owner
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.summary import TableSummary

GRACE_SECONDS: Final = 60.0
"""The time that an alert of a turn waits for a plan to be played; it ends when the plan has been played or dropped."""
PLANS: Final = Table(
    "plans",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("person", TEXT, primary_key=True),
    Column("number", Integer, primary_key=True),  # plans are tried in this order
    Column("made", Float, nullable=False),
    Column("data", Json, nullable=False),  # a PlannedTurn
    Column("outcome", Json),  # a Message; NULL: it waits for its turn
    Index("plans_by_person", "person"),
    info={"person": "person", "table": "table_id", "ends_with_session": "made"},
)
"""Planned turns; no other player reads them, so they are stored apart from the events."""

PLANNED: Final = msgspec.json.Decoder(PlannedTurn)
OUTCOME: Final = msgspec.json.Decoder(Message)


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
    query = select(PLANS).where(_is_plan_of(table_id, person)).order_by(PLANS.c.number)
    return await store.read(lambda connection: tuple(map(_stored_plan, connection.execute(query))))


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

    Raise `TableRefusal` `too-many-plans` if the person has `maximum` plans here (0: no limit), `SignedOut` if the
    `session` that asks has ended.
    """
    if session is not None:
        require_session(connection, device_owner(person), session)
    connection.execute(delete(PLANS).where(_is_plan_of(table_id, person), PLANS.c.outcome.is_not(None)))
    query = select(func.count(), func.max(PLANS.c.number)).where(_is_plan_of(table_id, person))
    count, last = connection.execute(query).one()
    if 0 < maximum <= count:
        reason = message("You already have {count} plans at this table. Remove one first.", count=maximum)
        raise TableRefusal(RefusalCode.TOO_MANY_PLANS, reason)
    row = {"table_id": table_id, "person": person, "number": (last or 0) + 1, "made": at}
    connection.execute(insert(PLANS), {**row, "data": msgspec.json.encode(planned)})


def drop(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Delete a plan. Raise `TableRefusal` `no-plan`."""
    if not connection.execute(delete(PLANS).where(_is_plan_of(table_id, person), PLANS.c.number == number)).rowcount:
        raise _no_plan()


def move_up(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Swap a plan with the one before it, if there is one. Raise `TableRefusal` `no-plan`, also if it is settled."""
    waiting = _is_plan_of(table_id, person) & PLANS.c.outcome.is_(None)
    query = select(PLANS.c.number, PLANS.c.made, PLANS.c.data).where(waiting, PLANS.c.number <= number)
    rows = connection.execute(query.order_by(PLANS.c.number.desc()).limit(2)).all()
    if not rows or rows[0].number != number:
        raise _no_plan()
    if len(rows) == 2:
        for row, other in zip(rows, reversed(rows), strict=True):
            swapped = {"made": other.made, "data": other.data}
            connection.execute(update(PLANS).where(waiting, PLANS.c.number == row.number).values(swapped))


def settle(
    connection: Connection, table_id: str, person: str, outcomes: Mapping[int, Message | None], at: float
) -> None:
    """Store the outcomes of plans whose turn has come; a plan without an outcome is deleted.

    Release the turn alert that waited for these plans (`at`, in UTC seconds). Raise `TableRefusal` `no-plan` if one of
    them no longer exists.
    """
    connection.execute(delete(PLANS).where(_is_plan_of(table_id, person), PLANS.c.outcome.is_not(None)))
    for number, outcome in outcomes.items():
        plan = _is_plan_of(table_id, person) & (PLANS.c.number == number)
        statement = delete(PLANS) if outcome is None else update(PLANS).values(outcome=msgspec.json.encode(outcome))
        if not connection.execute(statement.where(plan)).rowcount:
            raise _no_plan()
    release_alerts(connection, table_id, person, at)


def update_plans(connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended) -> None:
    """End plans that can no longer be played, and give a plan whose turn begins time before its person is alerted.

    Plans of people who have left end, all plans if the game is not running, and they are settled if moves were undone.
    """
    own, waiting = PLANS.c.table_id == appended.table_id, PLANS.c.outcome.is_(None)
    if before is None or _people_with_plans(before) != _people_with_plans(after):
        connection.execute(delete(PLANS).where(own, PLANS.c.person.not_in(_people_with_plans(after))))
    if any(isinstance(event, Undone) for event in appended.events):
        connection.execute(update(PLANS).where(own, waiting).values(outcome=msgspec.json.encode(UNDONE)))
    if after.waiting_for != ("" if before is None else before.waiting_for):
        planned = select(PLANS.c.number).where(own, waiting, PLANS.c.person == after.waiting_for)
        if connection.execute(planned.limit(1)).first() is not None:
            hold_turn_alerts(connection, appended.table_id, appended.at + GRACE_SECONDS)


def _people_with_plans(summary: TableSummary) -> list[str]:
    return [seat.person for seat in summary.seats if seat.kind == "person"] if summary.status == "running" else []


def _is_plan_of(table_id: str, person: str) -> ColumnElement[bool]:
    return (PLANS.c.table_id == table_id) & (PLANS.c.person == person)


def _no_plan() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_PLAN, message("This plan no longer exists."))


def _stored_plan(row: Row[*tuple[Any, ...]]) -> StoredPlan:
    outcome = None if row.outcome is None else OUTCOME.decode(row.outcome)
    return StoredPlan(row.number, row.made, PLANNED.decode(row.data), outcome)
