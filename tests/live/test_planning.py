"""Planned turns on a server: played when the turn comes, once or not at all, and hidden from all others."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from sqlalchemy import select

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT
from spieltisch.live.plan_runner import PlanRunner
from spieltisch.store import ExtraWrite, Person, plans
from spieltisch.store.removal import remove_table
from spieltisch.store.schema import PLANS
from spieltisch.tables import Event, NewTable, Table, planning
from spieltisch.tables.planning import Condition
from tests.live.conftest import House
from tests.live.live_fixture import move, play, signed_in
from tests.live.sample_moves import offered, trade
from tests.live.test_timekeeper import Hands, open_running_table, serve
from tests.tables.harness import refused

KILLS = 20
ROOT = Path(__file__).parents[2]


async def seated(live: Live, ada: Person, ben: Person) -> Table:
    """Ada decides, Ben is next, and then a bot."""
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "bot:easy")))
    return await until(live, await live.tables.run(table.id, tables.sit, ben, by_link=True), 0)


async def until(live: Live, table: Table, seat: int) -> Table:
    """Moves until this seat is to decide."""
    while table.to_decide != seat:
        table = await move(live, table)
    return table


async def fates(planning: PlanRunner, table: Table, person: Person) -> list[str]:
    return ["" if plan.outcome is None else str(plan.outcome) for plan in await planning.plans_of(table.id, person.id)]


def running(path: Path, job: Callable[[Live, Person, Person, Table], Awaitable[None]], **limits: object) -> None:
    async def with_table(live: Live, ada: Person, ben: Person) -> None:
        await job(live, ada, ben, await seated(live, ada, ben))

    play(path, with_table, **limits)  # type: ignore[arg-type]  # limits, if any


def test_the_first_plan_whose_condition_holds_is_played_and_the_others_are_gone(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        live.plan_runner.start()
        first, second, third = offered(table, ben.id)[:3]
        await live.plan_runner.add(table.id, ben.id, [first], Condition(0, "build"))
        await live.plan_runner.add(table.id, ben.id, [second])
        await live.plan_runner.add(table.id, ben.id, [third], Condition(0, "trade"))
        await live.plan_runner.move_up(table.id, ben.id, 3)
        table = await trade(live, table)
        await live.plan_runner.wait_idle()
        table = await live.tables.get(table.id)
        assert [play.move for play in table.moves if play.seat == 1][-1] == third
        assert table.to_decide == 2
        assert await fates(live.plan_runner, table, ben) == ["Your plan was played."]
        table = await until(live, table, 0)
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]], Condition(2, "build"))
        assert await fates(live.plan_runner, table, ben) == [""], "what was told is not told for ever"
        await trade(live, table)
        await live.plan_runner.wait_idle()
        assert await fates(live.plan_runner, table, ben) == ["No plan was played: no condition was met."]
        assert (await live.tables.get(table.id)).to_decide == 1

    running(tmp_path, job)


def test_an_undo_at_the_table_ends_every_plan_there(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        live.plan_runner.start()
        table = await trade(live, table, "build")
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        before = live.plan_runner.version(table.id, ben.id)
        table = await live.tables.run(table.id, tables.undo, ada.id, table.version)
        assert await fates(live.plan_runner, table, ben) == ["Your plan was dropped: moves were undone at the table."]
        assert live.plan_runner.version(table.id, ben.id) > before
        await trade(live, table)
        await live.plan_runner.wait_idle()
        assert (await live.tables.get(table.id)).to_decide == 1, "nothing was played"

    running(tmp_path, job)


def test_what_comes_with_an_undo_is_written_beside_the_end_of_the_plans(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        table = await trade(live, table, "build")
        move = offered(table, ben.id)[0]
        await live.plan_runner.add(table.id, ben.id, [move])

        def undone(now: Table) -> tuple[Sequence[Event], ExtraWrite]:
            planned = planning.plan(now, ben.id, [move])
            return tables.undo(now, ada.id, now.version), lambda connection: plans.add(
                connection, now.id, ben.id, planned, 0.0, 9
            )

        await live.tables.run_with_write(table.id, undone)
        dropped = "Your plan was dropped: moves were undone at the table."
        assert await fates(live.plan_runner, table, ben) == [dropped, dropped]

    running(tmp_path, job)


def test_plans_are_bounded_can_be_taken_away_and_end_with_the_seat_or_the_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        trades = offered(table, ben.id)
        for trade_text in trades[: DEFAULT.plans_per_table]:
            await live.plan_runner.add(table.id, ben.id, [trade_text])
        with refused("too-many-plans"):
            await live.plan_runner.add(table.id, ben.id, [trades[0]])
        for deed in (live.plan_runner.drop, live.plan_runner.move_up):
            with refused("no-plan"):
                await deed(table.id, ben.id, 7)
            with refused("no-plan"):
                await deed(table.id, ada.id, 1)
        await live.plan_runner.move_up(table.id, ben.id, 1)
        await live.plan_runner.drop(table.id, ben.id, 2)
        planned = await live.plan_runner.plans_of(table.id, ben.id)
        assert [plan.number for plan in planned] == [1, 3, 4, 5, 6]
        with refused("own-turn"):
            await live.plan_runner.add(table.id, ada.id, [trades[0]])
        assert [plan for _, plan in await plans.of_person(live.store, ben.id)] == list(planned)
        exported = json.loads(await live.person_data.export(ben))["plans"]
        assert [plan["plan"]["moves"] for plan in exported] == [list(plan.planned.moves) for plan in planned]
        assert json.loads(await live.person_data.export(ada))["plans"] == []
        await live.tables.run(table.id, tables.leave, ben.id)
        assert await live.plan_runner.plans_of(table.id, ben.id) == ()
        await remove_table(live.store, table.id)

    running(tmp_path, job, limits=DEFAULT)


def test_a_plan_waits_over_a_restart_and_is_played_at_the_next_start(tmp_path: Path) -> None:
    table_ids: list[str] = []

    async def plan(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        await trade(live, table)
        table_ids.append(table.id)

    async def again(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.get(table_ids[0])
        assert table.to_decide == 1
        live.plan_runner.start()
        while (table := await live.tables.get(table.id)).to_decide == 1:
            await asyncio.sleep(0)
        assert [play.seat for play in table.moves][-1] == 1

    running(tmp_path, plan)
    play(tmp_path, again)


def test_plans_go_with_their_person(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        await live.person_data.delete(ben)
        assert await plans.of_person(live.store, ben.id) == ()
        assert await live.store.read(lambda connection: connection.execute(select(PLANS)).all()) == []

    running(tmp_path, job)


def test_plans_end_when_a_person_signs_out_other_devices(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person, table: Table) -> None:
        live.plan_runner.start()
        session = await signed_in(live, ben)
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        await live.people.log_out_others(ben.id, session, "n" * 43)
        assert await plans.of_person(live.store, ben.id) == ()
        with refused("signed-out"):  # a request of the session that has ended, which was still on its way
            await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]], session=session)
        assert await plans.of_person(live.store, ben.id) == ()
        table = await until(live, table, 1)
        await live.plan_runner.wait_idle()
        assert (await live.tables.get(table.id)).version == table.version, "nothing was played"

    running(tmp_path, job)


def test_a_turn_that_was_planned_takes_no_time_from_a_clock(tmp_path: Path) -> None:
    hands = Hands()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        live.plan_runner.start()
        table = await until(live, await open_running_table(live, ada, ben), 0)
        timing = table.clock
        assert timing is not None
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        await trade(live, table)
        await live.plan_runner.wait_idle()
        hands.run(5)
        table = await live.tables.get(table.id)
        assert table.to_decide == 2
        assert table.clock is not None
        assert table.clock.banks[1] == timing.banks[1]

    serve(tmp_path, hands, job)


def test_nobody_is_told_of_a_turn_that_a_plan_has_played(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, ada, ben = house.live, house.ada, house.ben
        await house.hooked(ben)
        table = await house.table()
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]])
        table = await trade(live, table)
        assert table.to_decide == 1
        await house.look()
        assert house.web.sent == [], "the plan comes first"
        live.plan_runner.start()
        while (await live.tables.get(table.id)).to_decide == 1:
            await asyncio.sleep(0)
        await live.plan_runner.wait_idle()
        house.clock.now += 3600
        await house.look()
        assert house.web.sent == [], "the turn is over"
        table = await house.until(await live.tables.get(table.id), ada)
        await live.plan_runner.add(table.id, ben.id, [offered(table, ben.id)[0]], Condition(0, "build"))
        table = await trade(live, table)
        await live.plan_runner.wait_idle()
        await house.look()
        assert len(house.web.sent) == 1, "no plan was played, so it is told at once"

    house(job)


@pytest.mark.crash
def test_a_plan_is_played_once_or_not_at_all_however_often_the_server_is_killed(tmp_path: Path) -> None:
    path, chance = tmp_path / "house.sqlite3", random.Random(5)
    command = [sys.executable, "-m", "tests.live.plan_process", str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": ROOT, "text": True, "bufsize": 1}
    waited = 0
    with subprocess.Popen(command, **pipes) as planner:  # type: ignore[call-overload]  # as many as it takes
        for _ in range(KILLS):
            planner.stdin.write("\n")
            child = int(planner.stdout.readline().split()[1])
            ready, before, many, after = planner.stdout.readline().split()
            assert ready == "stands"
            assert int(after) == int(before) + int(many), "what waited for its turn is played now, once"
            waited += int(many)
            for _ in range(chance.randint(0, 12)):
                assert planner.stdout.readline() in ("planned\n", "moved\n")
            killer = threading.Timer(chance.uniform(0.0, 0.03), os.kill, (child, signal.SIGKILL))
            killer.start()
            killer.join()
            while planner.stdout.readline() != "gone\n":
                assert planner.poll() is None
        planner.stdin.close()
        planner.wait(timeout=60)
    assert waited > 0
