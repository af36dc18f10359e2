"""Planned turns in the store. They are settled, and die, in the transaction of a table's events."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from spieltisch.core.words import Message
from spieltisch.store.alert_subscriptions import MESSAGE
from spieltisch.store.errors import StoreError
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX, PLANS
from spieltisch.store.store import Store
from spieltisch.tables.planning import UNDONE, PlannedTurn

PLANNED = msgspec.json.Decoder(PlannedTurn)


class TooManyPlans(StoreError):
    """Somebody has as many plans at a table as are kept."""


class PlanGone(StoreError):
    """A plan is not there any more, or does not wait any more."""


class StoredPlan(msgspec.Struct, frozen=True):
    """A plan: its number, by which plans are looked at in turn, when it was made (UTC seconds), and what became of it,
    if it does not wait any more.
    """

    number: int
    made: float
    planned: PlannedTurn
    outcome: Message | None = None


async def of_person_at(store: Store, table_id: str, person: str) -> tuple[StoredPlan, ...]:
    """All plans of somebody at a table, also those of which the fate is still to be read."""
    wanted = (
        select(PLANS.c.number, PLANS.c.made, PLANS.c.data, PLANS.c.fate)
        .where(_owned(table_id, person))
        .order_by(PLANS.c.number)
    )
    return await store.read(lambda connection: tuple(_kept(*row) for row in connection.execute(wanted)))


async def of_person(store: Store, person: str) -> tuple[tuple[str, StoredPlan], ...]:
    """All plans of somebody, each with its table's id."""
    columns = select(PLANS.c.table_id, PLANS.c.number, PLANS.c.made, PLANS.c.data, PLANS.c.fate)
    wanted = columns.where(PLANS.c.person == person).order_by(PLANS.c.made)
    return await store.read(lambda connection: tuple((row[0], _kept(*row[1:])) for row in connection.execute(wanted)))


async def tables_with_plans(store: Store) -> tuple[str, ...]:
    """The tables at which a plan waits."""
    wanted = select(PLANS.c.table_id).distinct().where(PLANS.c.fate.is_(None))
    return await store.read(lambda connection: tuple(connection.execute(wanted).scalars()))


def add(connection: Connection, table_id: str, person: str, planned: PlannedTurn, at: float, most: int) -> None:
    """Keep one more plan, after the others; what became of older ones has been read. Raises `TooManyPlans` to who has
    `most` of them here (0: never).
    """
    connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.fate.is_not(None)))
    here = select(func.count(), func.max(PLANS.c.number)).where(_owned(table_id, person))
    many, last = connection.execute(here).one()
    if 0 < most <= many:
        raise TooManyPlans(table_id)
    row = {"table_id": table_id, "person": person, "number": (last or 0) + 1, "made": at}
    connection.execute(insert(PLANS), {**row, "data": msgspec.json.encode(planned)})


def drop(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Forget a plan. Raises `PlanGone`."""
    if not connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.number == number)).rowcount:
        raise PlanGone(table_id)


def move_up(connection: Connection, table_id: str, person: str, number: int) -> None:
    """Have a plan looked at before the one that stands before it, if there is one. Raises `PlanGone`."""
    waiting = _owned(table_id, person) & PLANS.c.fate.is_(None)
    found = select(PLANS.c.number, PLANS.c.made, PLANS.c.data).where(waiting, PLANS.c.number <= number)
    rows = connection.execute(found.order_by(PLANS.c.number.desc()).limit(2)).all()
    if not rows or rows[0].number != number:
        raise PlanGone(table_id)
    if len(rows) == 2:
        for place, other in zip(rows, reversed(rows), strict=True):
            swapped = {"made": other.made, "data": other.data}
            connection.execute(update(PLANS).where(waiting, PLANS.c.number == place.number).values(swapped))


def settle(connection: Connection, table_id: str, person: str, fates: Mapping[int, Message | None], at: float) -> None:
    """Their turn has come: write down what became of these plans; of those without a fate nothing is to be told. What
    tells of the turn does not wait for them any more (`at`, in UTC seconds). Raises `PlanGone` when one of them does
    not wait any more.
    """
    connection.execute(delete(PLANS).where(_owned(table_id, person), PLANS.c.fate.is_not(None)))
    for number, fate in fates.items():
        one = _owned(table_id, person) & (PLANS.c.number == number)
        told = delete(PLANS) if fate is None else update(PLANS).values(fate=msgspec.json.encode(fate))
        if not connection.execute(told.where(one)).rowcount:
            raise PlanGone(table_id)
    ways = select(ALERT_SUBSCRIPTIONS.c.id).where(ALERT_SUBSCRIPTIONS.c.person == person)
    held = (OUTBOX.c.table_id == table_id) & OUTBOX.c.way.in_(ways) & (OUTBOX.c.attempts == 0)
    connection.execute(update(OUTBOX).where(held).values(due=at))


def drop_all(connection: Connection, table_id: str) -> None:
    """Something was taken back: no plan at this table waits any more."""
    waits = (PLANS.c.table_id == table_id) & PLANS.c.fate.is_(None)
    connection.execute(update(PLANS).where(waits).values(fate=msgspec.json.encode(UNDONE)))


def _owned(table_id: str, person: str) -> ColumnElement[bool]:
    return (PLANS.c.table_id == table_id) & (PLANS.c.person == person)


def _kept(number: int, made: float, data: bytes, fate: bytes | None) -> StoredPlan:
    told = None if fate is None else MESSAGE.decode(fate)
    return StoredPlan(number, made, PLANNED.decode(data), told)
