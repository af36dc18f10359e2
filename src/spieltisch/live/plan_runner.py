"""People's planned turns: kept for who planned them, and played when their turn comes.

Whose turn it is stands in the tables, and the plans in the store, so nothing here has to be remembered over a restart:
at the start and after each change the tables are asked whether somebody with a plan decides. The moves of a plan and
what became of it are written in one transaction, so that it is played once or not at all.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from spieltisch.core.words import Message, message
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import ExtraWrite, Store, StoreClosed, plans
from spieltisch.store.plans import PlanGone, StoredPlan, TooManyPlans
from spieltisch.tables import Event, Table, TableRefusal, Undone, planning
from spieltisch.tables.planning import NONE_HELD, Condition
from spieltisch.tables.refusal_codes import RefusalCode

_logger = structlog.get_logger()


class PlanRunner:
    """The loop, and what is done with plans. `changed` is told of a table at which somebody's plans have changed,
    `settled` when something became of some.
    """

    def __init__(
        self, store: Store, tables: LiveTables, limits: Limits, clock: Callable[[], float], settled: Callable[[], None]
    ) -> None:
        self._store = store
        self._tables = tables
        self._most = limits.plans_per_table
        self._clock = clock
        self._settled = settled
        self._began = time.time_ns() // 1_000_000
        self._versions: dict[tuple[str, str], int] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._beginning: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] = lambda: None
        self.changed: Callable[[str], None] = lambda table_id: None

    def start(self) -> None:
        """Play what is planned, from now on."""
        self._leave = self._tables.subscribe(None, self._look)
        self._beginning = asyncio.create_task(self._begin())

    async def stop(self) -> None:
        """Play no more plans. What was not written is looked at again after the next start."""
        self._leave()
        tasks = [*self._looking.values(), *([self._beginning] if self._beginning else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def wait_idle(self) -> None:
        """Wait for what is under way."""
        while self._looking:
            await asyncio.wait(tuple(self._looking.values()))

    def version(self, table_id: str, person: str) -> int:
        """Grows with every change of somebody's plans at a table, also from one start of the server to the next. It is
        each one's own: nobody's page is sent anything because of another one's plans.
        """
        return self._versions.get((table_id, person), self._began)

    async def plans_of(self, table_id: str, person: str) -> tuple[StoredPlan, ...]:
        """The plans of somebody at a table, in the order in which they are looked at, and those that were settled."""
        return await plans.of_person_at(self._store, table_id, person)

    async def add(
        self,
        table_id: str,
        person: str,
        moves: Sequence[str],
        condition: Condition | None = None,
        *,
        always: bool = False,
    ) -> None:
        """Keep one more plan for the next turn. Raises `TableRefusal` as `planning.plan`, too-many-plans,
        not-written.
        """

        def job(table: Table) -> tuple[Sequence[Event], ExtraWrite]:
            planned = planning.plan(table, person, moves, condition, always=always)
            at, most = self._clock(), self._most
            return (), lambda connection: plans.add(connection, table_id, person, planned, at, most)

        try:
            await self._tables.run_with_write(table_id, job)
        except TooManyPlans as problem:
            said = message("You have {count} plans at this table, and no more are kept.", count=self._most)
            raise TableRefusal(RefusalCode.TOO_MANY_PLANS, said) from problem
        self._touch(table_id, person)

    async def drop(self, table_id: str, person: str, number: int) -> None:
        """Forget a plan. Raises `TableRefusal` no-plan, not-written."""
        await self._with(table_id, person, partial(plans.drop, table_id=table_id, person=person, number=number))

    async def move_up(self, table_id: str, person: str, number: int) -> None:
        """Have a plan looked at earlier than the one before it. Raises `TableRefusal` no-plan, not-written."""
        await self._with(table_id, person, partial(plans.move_up, table_id=table_id, person=person, number=number))

    async def _with(self, table_id: str, person: str, also: ExtraWrite) -> None:
        try:
            await self._tables.run_with_write(table_id, lambda table: ((), also))
        except PlanGone as problem:
            raise TableRefusal(RefusalCode.NO_PLAN, message("There is no such plan any more.")) from problem
        self._touch(table_id, person)

    def _touch(self, table_id: str, person: str) -> None:
        self._versions[table_id, person] = max(time.time_ns() // 1_000_000, self.version(table_id, person) + 1)
        self.changed(table_id)

    async def _begin(self) -> None:
        for table_id in await plans.tables_with_plans(self._store):
            try:
                self._look(await self._tables.get(table_id))
            except TableRefusal as problem:
                _logger.warning("no plan can be played at a table", table=table_id, why=str(problem))

    def _look(self, table: Table) -> None:
        """A table is new or has changed: does somebody decide there who may have planned it?"""
        if table.over or isinstance(table.events[-1].event, Undone):
            for seat in table.people:
                self._touch(table.id, seat.person)
        if table.id in self._looking:
            self._again.add(table.id)
        elif table.status == "running":
            self._looking[table.id] = asyncio.create_task(self._play(table.id))

    async def _play(self, table_id: str) -> None:
        try:
            while True:
                self._again.discard(table_id)
                try:
                    await self._play_once(await self._tables.get(table_id))
                except StoreClosed:
                    return
                except PlanGone:
                    continue  # its owner was quicker: look again
                except TableRefusal as problem:
                    if problem.code == RefusalCode.STALE:
                        continue
                    _logger.error("a plan could not be played", table=table_id, why=str(problem))
                except Exception:
                    _logger.exception("a plan could not be played", table=table_id)
                if table_id not in self._again:
                    return
        finally:
            # Nothing is awaited between the last look and here, so no change is missed.
            del self._looking[table_id]

    async def _play_once(self, table: Table) -> None:
        seat = planning.planning_seat(table)
        if seat is None:
            return
        person = table.seats[seat].person
        waiting = [one for one in await self.plans_of(table.id, person) if one.outcome is None]
        if not waiting:
            return

        def job(now: Table) -> tuple[Sequence[Event], ExtraWrite | None]:
            if planning.planning_seat(now) != seat or now.seats[seat].person != person:
                return (), None
            chosen = next((one for one in waiting if planning.condition_met(now, one.planned)), None)
            fates: dict[int, Message | None] = dict.fromkeys(one.number for one in waiting)
            events: Sequence[Event] = ()
            if chosen is None:
                fates[waiting[0].number] = NONE_HELD
            else:
                events, fates[chosen.number] = planning.execute_plan(now, chosen.planned)
            at = self._clock()
            return events, lambda connection: plans.settle(connection, now.id, person, fates, at)

        await self._tables.run_with_write(table.id, job)
        self._touch(table.id, person)
        self._settled()
