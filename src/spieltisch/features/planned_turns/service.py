"""Planned turns: stored for the person who planned them, and played when their turn comes.

The tables show whose turn it is and the store has the plans, so nothing here must survive a restart: at the start and
after each change the tables are checked for a person with a plan to move. The moves of a plan and its outcome are
written in one transaction, so that it is played once or not at all.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeAlias

import structlog
from sqlalchemy import Connection

from spieltisch.core.words import Message
from spieltisch.features.planned_turns import commands, rows
from spieltisch.features.planned_turns.commands import Condition
from spieltisch.features.planned_turns.rows import StoredPlan
from spieltisch.live import Live
from spieltisch.live.services import Tasks, running
from spieltisch.live.versions import next_version
from spieltisch.store import ExtraWrite, StoreClosed
from spieltisch.tables import Event, Table, TableRefusal, Undone, device_owner
from spieltisch.tables.refusal_codes import RefusalCode

TOPIC: Final = "plans:"
"""The prefix of the topic of a person's plans at a table."""
PlanWrite: TypeAlias = Callable[[Connection, str, str, int], None]
"""A write that changes one plan: of a table, a person, and with a number."""
_logger = structlog.get_logger()


class Planner:
    """The commands on plans, and the loop that plays them."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._began = next_version()
        self._versions: dict[tuple[str, str], int] = {}
        live.notices.on("plans", self._bump_version)
        live.notices.missed.append(self._bump_all)
        self.playing = Tasks[str]()
        """For each table the task that plays plans there."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        """Play planned turns until the context ends; a plan that was not written is tried again after the next start.

        Yield the task that finds the plans whose turn came before it began.
        """
        try:
            with self._live.tables.listening(self._on_table_changed):
                async with running(
                    "planned turns", partial(self._live.leases.after_each_end, self._begin)
                ) as beginning:
                    yield beginning
        finally:
            await self.playing.end()

    def version(self, table_id: str, person: str) -> int:
        """Return the version of a person's plans at a table, which grows with each change, also over restarts.

        It is separate for each person, so that no page receives anything because of another person's plans.
        """
        return self._versions.get((table_id, person), self._began)

    async def plans_of(self, table_id: str, person: str) -> tuple[StoredPlan, ...]:
        """Return the plans of a person at a table in the order in which they are tried, and the settled ones."""
        return await rows.of_person_at(self._live.store, table_id, person)

    async def add(
        self,
        table_id: str,
        person: str,
        moves: Sequence[str],
        condition: Condition | None = None,
        *,
        always: bool = False,
        session: str | None = None,
    ) -> None:
        """Store another plan for the next turn.

        Raise `TableRefusal` as `commands.plan`, `too-many-plans`, `not-written`, or `signed-out` if the `session` that
        asks has ended.
        """

        def job(table: Table) -> tuple[Sequence[Event], ExtraWrite]:
            planned = commands.plan(table, person, moves, condition, always=always)
            at, maximum = self._live.clock(), self._live.limits.plans_per_table
            return (), lambda connection: rows.add(connection, table_id, person, planned, at, maximum, session)

        await self._live.tables.run_with_write(table_id, job)
        self._live.notices.announce("plans", table_id, person)

    async def change(self, table_id: str, person: str, number: int, write: PlanWrite) -> None:
        """Change a plan by `rows.drop` or `rows.move_up`. Raise `TableRefusal` `no-plan` or `not-written`."""
        await self._live.tables.run_with_write(
            table_id, lambda table: ((), lambda connection: write(connection, table_id, person, number))
        )
        self._live.notices.announce("plans", table_id, person)

    def _bump_version(self, version: int, table_id: str, person: str) -> None:
        self._versions[table_id, person] = max(version, self.version(table_id, person) + 1)
        self._live.publish(f"{TOPIC}{table_id}", device_owner(person))

    def _bump_all(self) -> None:
        """Let all pages read their plans again, of which changes may have been missed."""
        self._began = next_version(max([self._began, *self._versions.values()]))
        self._versions.clear()

    async def _begin(self) -> None:
        for table_id in await rows.tables_with_due_plans(self._live.store):
            try:
                self._on_table_changed(await self._live.tables.get(table_id))
            except TableRefusal as error:
                _logger.warning("no plan can be played at a table", table=table_id, why=str(error))

    def _on_table_changed(self, table: Table) -> None:
        """Play a plan if the player to move at a new or changed table may have one."""
        if table.is_over or isinstance(table.events[-1].event, Undone):
            for seat in table.people:
                self._bump_version(next_version(), table.id, seat.person)
        if not self.playing.wake(table.id) and table.status == "running":
            self.playing.start(table.id, self._play, table.id)

    async def _play(self, table_id: str) -> None:
        changed = self.playing.woken[table_id]
        changed.set()
        while changed.is_set():
            changed.clear()
            try:
                await self._play_once(await self._live.tables.get(table_id))
            except StoreClosed:
                return
            except TableRefusal as error:
                if error.code in (RefusalCode.STALE, RefusalCode.NO_PLAN):
                    changed.set()  # somebody was faster: check again
                else:
                    _logger.error("a plan could not be played", table=table_id, why=str(error))
            except Exception:
                _logger.exception("a plan could not be played", table=table_id)

    async def _play_once(self, table: Table) -> None:
        seat = commands.planning_seat(table)
        if seat is None:
            return
        person = table.seats[seat].person
        waiting = [plan for plan in await self.plans_of(table.id, person) if plan.outcome is None]
        if not waiting:
            return

        def job(current: Table) -> tuple[Sequence[Event], ExtraWrite | None]:
            if commands.planning_seat(current) != seat or current.seats[seat].person != person:
                return (), None
            applicable = next((plan for plan in waiting if commands.is_condition_met(current, plan.planned)), None)
            outcomes: dict[int, Message | None] = dict.fromkeys(plan.number for plan in waiting)
            events: Sequence[Event] = ()
            if applicable is None:
                outcomes[waiting[0].number] = commands.NONE_HELD
            else:
                events, outcomes[applicable.number] = commands.execute_plan(current, applicable.planned)
            at = self._live.clock()
            return events, lambda connection: rows.settle(connection, current.id, person, outcomes, at)

        await self._live.tables.run_with_write(table.id, job)
        self._live.notices.announce("plans", table.id, person)
        self._live.alert_sender.wake()
