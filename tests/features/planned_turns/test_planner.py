"""Check the planner of a server: a plan is played once at the next turn or not at all, and hidden from others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from spieltisch import tables
from spieltisch.features.planned_turns import commands, rows
from spieltisch.features.planned_turns.commands import Condition
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT
from spieltisch.store import ExtraWrite, Person
from spieltisch.store.removal import remove_table
from spieltisch.tables import Event, NewTable, Table
from tests.features.planned_turns.sample_moves import offered, trade
from tests.live.conftest import House
from tests.live.hand_set_clocks import Clocks, open_running_table, serve
from tests.live.killed_children import kill_children
from tests.live.live_fixture import move, play, signed_in
from tests.sentences import sentence_after
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases
plan_sentence = partial(sentence_after, "features/planned_turns/commands.py")
PLAYED = plan_sentence("_PLAYED: Final =")
UNDONE = plan_sentence("UNDONE: Final =")

KILLS = 20


async def open_table_with_bot(live: Live, ada: Person, ben: Person) -> Table:
    """Open a table at which Ada decides, followed by Ben and then a bot."""
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "bot:easy")))
    return await until(live, await live.tables.run(table.id, tables.sit, ben, by_link=True), 0)


async def until(live: Live, table: Table, seat: int) -> Table:
    """Play moves until this seat is to decide."""
    while table.to_decide != seat:
        table = await move(live, table)
    return table


async def outcomes(planner: Planner, table: Table, person: Person) -> list[str]:
    return ["" if plan.outcome is None else str(plan.outcome) for plan in await planner.plans_of(table.id, person.id)]


def run_with_table(path: Path, job: Callable[[Live, Person, Person, Table], Awaitable[None]], **limits: object) -> None:
    async def with_table(live: Live, ada: Person, ben: Person) -> None:
        await job(live, ada, ben, await open_table_with_bot(live, ada, ben))

    play(path, with_table, **limits)  # type: ignore[arg-type]  # limits, if any


def test_the_first_plan_whose_condition_is_fulfilled_is_played_and_all_others_are_deleted(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.start(live.service(Planner).running())
        first, second, third = offered(table, ben.id)[:3]
        await live.service(Planner).add(table.id, ben.id, [first], Condition(0, "build"))
        await live.service(Planner).add(table.id, ben.id, [second])
        await live.service(Planner).add(table.id, ben.id, [third], Condition(0, "trade"))
        await live.service(Planner).change(table.id, ben.id, 3, rows.move_up)
        table = await trade(live, table)
        await live.service(Planner).playing.wait_idle()
        table = await live.tables.get(table.id)
        assert [play.move for play in table.moves if play.seat == 1][-1] == third
        assert table.to_decide == 2
        assert await outcomes(live.service(Planner), table, ben) == [PLAYED]
        table = await until(live, table, 0)
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]], Condition(2, "build"))
        assert await outcomes(live.service(Planner), table, ben) == [""], "what was told is not told for ever"
        await trade(live, table)
        await live.service(Planner).playing.wait_idle()
        assert await outcomes(live.service(Planner), table, ben) == [plan_sentence("NONE_HELD: Final =")]
        assert (await live.tables.get(table.id)).to_decide == 1

    run_with_table(tmp_path, job)


def test_an_undo_deletes_every_plan_at_the_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.start(live.service(Planner).running())
        table = await trade(live, table, "build")
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        before = live.service(Planner).version(table.id, ben.id)
        table = await live.tables.run(table.id, tables.undo, ada.id, table.version)
        dropped_plans = UNDONE
        assert await outcomes(live.service(Planner), table, ben) == [dropped_plans]
        assert live.service(Planner).version(table.id, ben.id) > before
        await trade(live, table)
        await live.service(Planner).playing.wait_idle()
        assert (await live.tables.get(table.id)).to_decide == 1, "nothing was played"

    run_with_table(tmp_path, job)


def test_an_undo_also_deletes_plans_stored_in_the_same_write(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        table = await trade(live, table, "build")
        move = offered(table, ben.id)[0]
        await live.service(Planner).add(table.id, ben.id, [move])

        def undo_and_drop(now: Table) -> tuple[Sequence[Event], ExtraWrite]:
            kept_plans = commands.plan(now, ben.id, [move])
            return tables.undo(now, ada.id, now.version), lambda connection: rows.add(
                connection, now.id, ben.id, kept_plans, 0.0, 9
            )

        await live.tables.run_with_write(table.id, undo_and_drop)
        dropped_plans = UNDONE
        assert await outcomes(live.service(Planner), table, ben) == [dropped_plans, dropped_plans]

    run_with_table(tmp_path, job)


def test_plans_are_limited_removable_and_deleted_with_their_seat_or_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        trades = offered(table, ben.id)
        for trade_text in trades[: DEFAULT.plans_per_table]:
            await live.service(Planner).add(table.id, ben.id, [trade_text])
        with refused("too-many-plans"):
            await live.service(Planner).add(table.id, ben.id, [trades[0]])
        for write in (rows.drop, rows.move_up):
            with refused("no-plan"):
                await live.service(Planner).change(table.id, ben.id, 7, write)
            with refused("no-plan"):
                await live.service(Planner).change(table.id, ada.id, 1, write)
        await live.service(Planner).change(table.id, ben.id, 1, rows.move_up)
        await live.service(Planner).change(table.id, ben.id, 2, rows.drop)
        kept_plans = await live.service(Planner).plans_of(table.id, ben.id)
        assert [plan.number for plan in kept_plans] == [1, 3, 4, 5, 6]
        with refused("own-turn"):
            await live.service(Planner).add(table.id, ada.id, [trades[0]])
        exported_plans = json.loads(await live.person_data.export(ben))["plans"]
        assert [plan["data"]["moves"] for plan in exported_plans] == [list(plan.planned.moves) for plan in kept_plans]
        assert json.loads(await live.person_data.export(ada))["plans"] == []
        await live.tables.run(table.id, tables.leave, ben.id)
        assert await live.service(Planner).plans_of(table.id, ben.id) == ()
        await remove_table(live.store, table.id)

    run_with_table(tmp_path, job, limits=DEFAULT)


def test_a_plan_survives_a_restart_and_is_played(tmp_path: Path) -> None:
    table_ids: list[str] = []

    async def plan(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        await trade(live, table)
        table_ids.append(table.id)

    async def play_after_restart(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.get(table_ids[0])
        assert table.to_decide == 1
        await live.start(live.service(Planner).running())
        while (table := await live.tables.get(table.id)).to_decide == 1:
            await asyncio.sleep(0)
        assert [play.seat for play in table.moves][-1] == 1

    run_with_table(tmp_path, plan)
    play(tmp_path, play_after_restart)


def test_plans_of_a_removed_person_are_deleted(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        await live.person_data.delete(ben)
        assert await live.store.read(lambda connection: connection.execute(select(rows.PLANS)).all()) == []

    run_with_table(tmp_path, job)


def test_plans_are_deleted_when_a_person_signs_out_other_devices(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.start(live.service(Planner).running())
        session = await signed_in(live, ben)
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        await live.people.log_out_others(ben.id, session, "n" * 43)
        assert await live.service(Planner).plans_of(table.id, ben.id) == ()
        with refused("signed-out"):  # a request of the session that has ended, which was still on its way
            await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]], session=session)
        assert await live.service(Planner).plans_of(table.id, ben.id) == ()
        table = await until(live, table, 1)
        await live.service(Planner).playing.wait_idle()
        assert (await live.tables.get(table.id)).version == table.version, "nothing was played"

    run_with_table(tmp_path, job)


def test_a_planned_turn_uses_no_time_of_the_clock(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        await live.start(live.service(Planner).running())
        table = await until(live, await open_running_table(live, ada, ben), 0)
        timing = table.clock
        assert timing is not None
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        await trade(live, table)
        await live.service(Planner).playing.wait_idle()
        hands.run(5)
        table = await live.tables.get(table.id)
        assert table.to_decide == 2
        assert table.clock is not None
        assert table.clock.banks[1] == timing.banks[1]

    serve(tmp_path, hands, job)


def test_a_turn_played_by_a_plan_sends_no_alert(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, ada, ben = house.live, house.ada, house.ben
        await house.hooked(ben)
        table = await house.table()
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]])
        table = await trade(live, table)
        assert table.to_decide == 1
        await house.look()
        assert house.web.sent == [], "the plan comes first"
        await live.start(live.service(Planner).running())
        while (await live.tables.get(table.id)).to_decide == 1:
            await asyncio.sleep(0)
        await live.service(Planner).playing.wait_idle()
        house.clock.now += 3600
        await house.look()
        assert house.web.sent == [], "no longer Ben’s turn"
        table = await house.until(await live.tables.get(table.id), ada)
        await live.service(Planner).add(table.id, ben.id, [offered(table, ben.id)[0]], Condition(0, "build"))
        table = await trade(live, table)
        await live.service(Planner).playing.wait_idle()
        await house.look()
        assert len(house.web.sent) == 1, "no plan was played, so it is told at once"

    house(job)


@pytest.mark.crash
def test_a_plan_is_played_once_or_not_at_all_however_often_the_server_is_killed(tmp_path: Path) -> None:
    waited = 0
    module, path = "tests.features.planned_turns.plan_process", tmp_path / "house.sqlite3"
    for before, moves_between, after in kill_children(
        module, path, kills=KILLS, seed=5, most_done=12, written_names=("moved", "planned")
    ):
        assert int(after) == int(before) + int(moves_between), "what waited for its turn is played now, once"
        waited += int(moves_between)
    assert waited > 0
