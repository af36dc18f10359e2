"""Planned turns: stored for the person who planned them, and played when their turn comes.

The tables show whose turn it is and the store has the plans, so nothing here must survive a restart: at the start and
after each change the tables are checked for a person with a plan to move. The moves of a plan and its outcome are
written in one transaction, so that it is played once or not at all.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from spieltisch.core.words import Message, message
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.versions import next_version
from spieltisch.store import ExtraWrite, Store, StoreClosed, plans
from spieltisch.store.plans import PlanGone, StoredPlan, TooManyPlans
from spieltisch.tables import Event, Table, TableRefusal, Undone, planning
from spieltisch.tables.names import device_owner
from spieltisch.tables.planning import NONE_HELD, Condition
from spieltisch.tables.refusal_codes import RefusalCode

_logger = structlog.get_logger()


class PlanRunner:
    """The loop that plays planned turns, and the commands on plans.

    `changed` is called with the id of a table and the person whose plans have changed there, `settled` when plans got
    an outcome.
    """

    def __init__(
        self, store: Store, tables: LiveTables, limits: Limits, clock: Callable[[], float], settled: Callable[[], None]
    ) -> None:
        self._store = store
        self._tables = tables
        self._maximum = limits.plans_per_table
        self._clock = clock
        self._settled = settled
        self._began = next_version()
        self._versions: dict[tuple[str, str], int] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._beginning: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] = lambda: None
        self.changed: Callable[[str, str], None] = lambda table_id, person: None

    def start(self) -> None:
        """Start to play planned turns."""
        self._leave = self._tables.subscribe(None, self._look)
        self._beginning = asyncio.create_task(self._begin())

    async def stop(self) -> None:
        """Stop; a plan that was not written is tried again after the next start."""
        self._leave()
        tasks = [*self._looking.values(), *([self._beginning] if self._beginning else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def wait_idle(self) -> None:
        """Wait for the plans being played."""
        while self._looking:
            await asyncio.wait(tuple(self._looking.values()))

    def version(self, table_id: str, person: str) -> int:
        """Return the version of a person's plans at a table, which grows with each change, also over restarts.

        It is separate for each person, so that no page receives anything because of another person's plans.
        """
        return self._versions.get((table_id, person), self._began)

    async def plans_of(self, table_id: str, person: str) -> tuple[StoredPlan, ...]:
        """Return the plans of a person at a table in the order in which they are tried, and the settled ones."""
        return await plans.of_person_at(self._store, table_id, person)

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

        Raise `TableRefusal` as `planning.plan`, `too-many-plans`, `not-written`, or `signed-out` if the `session` that
        asks has ended.
        """

        def job(table: Table) -> tuple[Sequence[Event], ExtraWrite]:
            planned = planning.plan(table, person, moves, condition, always=always)
            at, maximum = self._clock(), self._maximum
            return (), lambda connection: plans.add(connection, table_id, person, planned, at, maximum, session)

        try:
            await self._tables.run_with_write(table_id, job)
        except TooManyPlans as error:
            reason = message("You already have {count} plans at this table. Remove one first.", count=self._maximum)
            raise TableRefusal(RefusalCode.TOO_MANY_PLANS, reason) from error
        self._bump_version(table_id, person)

    async def drop(self, table_id: str, person: str, number: int) -> None:
        """Delete a plan.

        Raise `TableRefusal` `no-plan` or `not-written`.
        """
        await self._write(table_id, person, partial(plans.drop, table_id=table_id, person=person, number=number))

    async def move_up(self, table_id: str, person: str, number: int) -> None:
        """Swap a plan with the one before it.

        Raise `TableRefusal` `no-plan` or `not-written`.
        """
        await self._write(table_id, person, partial(plans.move_up, table_id=table_id, person=person, number=number))

    async def _write(self, table_id: str, person: str, write: ExtraWrite) -> None:
        try:
            await self._tables.run_with_write(table_id, lambda table: ((), write))
        except PlanGone as error:
            raise TableRefusal(RefusalCode.NO_PLAN, message("This plan no longer exists.")) from error
        self._bump_version(table_id, person)

    def _bump_version(self, table_id: str, person: str) -> None:
        self._versions[table_id, person] = next_version(self.version(table_id, person))
        self.changed(table_id, device_owner(person))

    async def _begin(self) -> None:
        for table_id in await plans.tables_with_due_plans(self._store):
            try:
                self._look(await self._tables.get(table_id))
            except TableRefusal as error:
                _logger.warning("no plan can be played at a table", table=table_id, why=str(error))

    def _look(self, table: Table) -> None:
        """Play a plan if the player to move at a new or changed table may have one."""
        if table.is_over or isinstance(table.events[-1].event, Undone):
            for seat in table.people:
                self._bump_version(table.id, seat.person)
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
                    continue  # its owner was faster: check again
                except TableRefusal as error:
                    if error.code == RefusalCode.STALE:
                        continue
                    _logger.error("a plan could not be played", table=table_id, why=str(error))
                except Exception:
                    _logger.exception("a plan could not be played", table=table_id)
                if table_id not in self._again:
                    return
        finally:
            # Nothing is awaited between the last check and here, so no change is missed.
            del self._looking[table_id]

    async def _play_once(self, table: Table) -> None:
        seat = planning.planning_seat(table)
        if seat is None:
            return
        person = table.seats[seat].person
        waiting = [plan for plan in await self.plans_of(table.id, person) if plan.outcome is None]
        if not waiting:
            return

        def job(current: Table) -> tuple[Sequence[Event], ExtraWrite | None]:
            if planning.planning_seat(current) != seat or current.seats[seat].person != person:
                return (), None
            applicable = next((plan for plan in waiting if planning.is_condition_met(current, plan.planned)), None)
            outcomes: dict[int, Message | None] = dict.fromkeys(plan.number for plan in waiting)
            events: Sequence[Event] = ()
            if applicable is None:
                outcomes[waiting[0].number] = NONE_HELD
            else:
                events, outcomes[applicable.number] = planning.execute_plan(current, applicable.planned)
            at = self._clock()
            return events, lambda connection: plans.settle(connection, current.id, person, outcomes, at)

        await self._tables.run_with_write(table.id, job)
        self._bump_version(table.id, person)
        self._settled()
