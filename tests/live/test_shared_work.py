"""Check that two processes on one PostgreSQL database share work that must happen once."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import update

from spieltisch import bots, tables
from spieltisch.alerts.channels import SERVICE
from spieltisch.live import BotTurns, Live
from spieltisch.store import Person, leases, results
from spieltisch.store.leases import PROCESS, Lease
from spieltisch.store.schema import LEASES
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import BotFailed, Moved
from tests.live.fake_services import web_server
from tests.live.live_fixture import ENDING, PLAN, move
from tests.live.two_processes import run_in_two_servers, until
from tests.postgres import Server
from tests.web import faulty_bots

BOTS: Final = NewTable("paris-connection", ("bot:random", "bot:random", "bot:random"), ENDING)
TABLES: Final = 3
MOVES: Final = 100


def count(table: Table, kind: type[Any]) -> int:
    return sum(isinstance(event.event, kind) for event in table.events)


@pytest.mark.postgresql
def test_each_bot_turn_is_computed_once_by_one_of_two_processes(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv(faulty_bots.FLAG, str(trace))

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        async with AsyncExitStack() as stack:
            for live in (first, second):
                await stack.enter_async_context(live.leases.running())
                turns = BotTurns(live, choose=faulty_bots.leaves_a_trace, pace=0)
                await stack.enter_async_context(turns.running())
            opened_ids = [(await first.tables.open(ada, BOTS)).id for _ in range(TABLES)]
            played_tables: list[Table] = []
            while sum(count(table, Moved) for table in played_tables) < MOVES:
                await asyncio.sleep(0.02)  # until there are as many
                played_tables = [await first.tables.get(table_id) for table_id in opened_ids]
        assert not any(count(table, BotFailed) for table in played_tables)
        thoughts = [line.split() for line in trace.read_text().splitlines()]
        assert len({process for process, _ in thoughts}) == 2, "a process of each"
        assert len({observation for _, observation in thoughts}) == len(thoughts)

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_processes_that_check_the_database_concurrently_all_report_success(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        await asyncio.gather(*(live.store.check() for live in (first, second) for _ in range(20)))

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_bots_and_games_of_a_dead_process_continue_in_another_process(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        async with second.leases.running(), BotTurns(second, choose=bots.choose_turn, pace=0).running():
            game_history = asyncio.create_task(second.game_history.catch_up())
            await second.leases.renew()
            table = await first.tables.open(ada, BOTS)
            finished_table = await first.tables.open(ada, BOTS)
            while finished_table.status != "finished":
                finished_table = await move(first, finished_table)
            own_leases = [Lease(PROCESS, "dead"), Lease("bot", table.id), Lease("result", finished_table.id)]
            await first.store.write(partial(leases.take, owner="dead", leases=own_leases))
            await second.leases.renew()
            assert count(await first.tables.get(table.id), Moved) == 0
            expired_leases = (
                update(LEASES).where(LEASES.c.owner == "dead").values(until=LEASES.c.until - leases.TERM_SECONDS)
            )
            await first.store.write(lambda connection: connection.execute(expired_leases))
            await second.leases.renew()
            while count(await first.tables.get(table.id), Moved) < 3 or await results.uncounted(first.store):
                await asyncio.sleep(0.02)  # until bots have moved, and the other game is counted
            game_history.cancel()
            await asyncio.gather(game_history, return_exceptions=True)

    run_in_two_servers(postgres.schema(), job)


def test_two_processes_together_send_each_alert_once(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        async with AsyncExitStack() as stack:
            for live in (first, second):
                await stack.enter_async_context(live.leases.running())
                await stack.enter_async_context(live.alert_sender.running())
            hook = f"{web.address.replace('127.0.0.1', 'localhost')}/ben"
            await second.subscriptions.add(ben, SERVICE, {"address": hook})
            table = await second.tables.open(ada, PLAN)
            table = await second.tables.run(table.id, tables.sit, ben, 1)
            cleo, _ = await first.people.create("Cleo")
            table = await second.tables.run(table.id, tables.sit, cleo, by_link=True)
            while table.summary().waiting_for != ben.id:
                table = await move(second, table)
            await asyncio.to_thread(web.asked.acquire)
            await until(lambda: not any(live.alert_sender.sending._tasks for live in (first, second)))
            await first.leases.renew()
            await second.leases.renew()
        assert [tuple(turn) for request in web.sent for turn in request.json["about"]] == [(table.id, table.version)]

    with web_server() as web:
        run_in_two_servers(postgres.schema(), job)
