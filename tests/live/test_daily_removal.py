"""Check the daily removal of old data in a running server, despite clock changes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live, daily_removal
from spieltisch.live.daily_removal import REMOVAL, remove_due, remove_regularly
from spieltisch.live.limits import DAY
from spieltisch.live.retention import FOR_EVER, Retention, find_due
from spieltisch.live.services import running as service
from spieltisch.store import Person, database_check, people, retention
from spieltisch.store.errors import StillNeeded
from spieltisch.tables import Table
from tests.live import two_processes
from tests.live.hand_set_clocks import Clocks
from tests.live.killed_children import kill_children
from tests.live.live_fixture import PLAN, SECONDS, running, to_the_end
from tests.live.two_processes import until
from tests.postgres import Server
from tests.tables.harness import refused

Job = Callable[[Live], Awaitable[None]]
YEAR: Final = 365 * DAY
KEPT: Final = Retention(finished_tables=40, unbegun_tables=20, chats=30, unused_people=10, admin_log=10)


def serve(path: Path, hands: Clocks, job: Job, kept: Retention = KEPT) -> None:
    """Run a job from the start of a server to its stop."""

    async def main() -> None:
        live = await Live.open(
            path / "house.sqlite3",
            clock=lambda: hands.wall,
            steady=lambda: hands.steady,
            retention=kept,
            features=FEATURES,
        )
        try:
            await asyncio.wait_for(job(live), SECONDS)
        finally:
            await live.close()

    asyncio.run(main())


async def let_days_pass(live: Live, hands: Clocks, days: int) -> None:
    for _ in range(days):
        hands.run(DAY)
        await remove_due(live)


async def closed_table(live: Live, person: Person) -> Table:
    table = await live.tables.open(person, PLAN)
    return await live.tables.run(table.id, tables.close)


async def names(live: Live) -> set[str]:
    return {person.name for person in await people.all_people(live.store)}


async def ids(live: Live) -> set[str]:
    return {table.id for table in await live.store.tables()}


@pytest.mark.both_databases
def test_old_data_are_removed_from_the_database_and_data_in_use_are_kept(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live) -> None:
        ada, ben, eve = [(await live.people.create(name))[0] for name in ("Ada", "Ben", "Eve")]
        game = await running(live, ada, ben)
        waiting, unbegun = await live.tables.open(ada, PLAN), await closed_table(live, eve)
        finished = await to_the_end(live, await running(live, ada, ben))
        reader = ChatReader(ada.id, 0, is_host=True, is_player=True)
        for table in (game, finished):
            await live.service(Chat).post(table, reader, "Ada", "table", "Hello")
        assert len((await live.game_history.of(ada.id)).games) == 1
        await remove_due(live)
        chat_version = live.service(Chat).version(finished, reader)
        await let_days_pass(live, hands, 21)
        assert await ids(live) == {game.id, waiting.id, finished.id}, "no game began there"
        with refused("no-table"):
            await live.tables.get(unbegun.id)
        await let_days_pass(live, hands, 10)
        assert await names(live) == {"Ada", "Ben"}, "Eve had nothing else"
        assert [len(await live.service(Chat).messages(table, reader)) for table in (game, finished)] == [1, 0]
        assert live.service(Chat).version(finished, reader) > chat_version, "open pages show it"
        await let_days_pass(live, hands, 10)
        assert await ids(live) == {game.id, waiting.id}
        assert (await live.game_history.of(ada.id)).games == ()
        await let_days_pass(live, hands, 30)
        assert await ids(live) == {game.id, waiting.id}
        assert await names(live) == {"Ada", "Ben"}
        assert (await live.tables.get(game.id)).status == "running"

    serve(tmp_path, hands, job)


@pytest.mark.both_databases
def test_the_removal_of_old_data_changes_the_lobby_of_those_only_who_saw_them(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live) -> None:
        ada, ben, eve, _ = [(await live.people.create(name))[0] for name in ("Ada", "Ben", "Eve", "Zoe")]
        await to_the_end(live, await running(live, ada, ben))
        await live.tables.open(ada, PLAN)
        await live.tables.open(eve, PLAN)
        await remove_due(live)
        versions = {person: live.tables.lobby.of(person) for person in (None, ada.id, eve.id)}
        await let_days_pass(live, hands, 41)
        assert (len(await ids(live)), await names(live)) == (2, {"Ada", "Eve"})
        changed = {person for person, version in versions.items() if live.tables.lobby.of(person) != version}
        assert changed == {ada.id}

    serve(tmp_path, hands, job)


def test_the_removal_of_a_note_changes_the_chat_of_its_author_alone(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live) -> None:
        ada, ben = [(await live.people.create(name))[0] for name in ("Ada", "Ben")]
        table = await to_the_end(live, await running(live, ada, ben))
        author, other_player = [ChatReader(person.id, seat, True, True) for seat, person in enumerate((ada, ben))]
        chat = live.service(Chat)
        await remove_due(live)
        await let_days_pass(live, hands, 1)
        await chat.post(table, author, "Ada", "note", "I see two locomotives")
        before = [chat.version(table, reader) for reader in (author, other_player)]
        await let_days_pass(live, hands, 32)
        assert await chat.messages(table, author) == ()
        after = [chat.version(table, reader) for reader in (author, other_player)]
        assert after[0] > before[0]
        assert after[1] == before[1]

    serve(tmp_path, hands, job)


@pytest.mark.both_databases
def test_by_default_games_and_chats_are_kept_forever(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live) -> None:
        ada, ben = [(await live.people.create(name))[0] for name in ("Ada", "Ben")]
        table = await running(live, ada, ben)
        await live.tables.run(table.id, tables.close)
        await live.service(Chat).post(table, ChatReader(ada.id, 0, True, True), "Ada", "table", "Hello")
        hands.run(50 * YEAR)
        due = await find_due(live.store, live.retention, live.clock, live.clock())
        assert due == ({}, {}, {}, ())

    serve(tmp_path, hands, job, Retention())


@pytest.mark.parametrize("by", [10 * YEAR, -10 * YEAR], ids=["forward", "back"])
@pytest.mark.parametrize("is_running", [True, False], ids=["running", "stopped"])
def test_a_clock_change_removes_no_recent_data(tmp_path: Path, is_running: bool, by: float) -> None:
    hands = Clocks()

    async def first_run(live: Live) -> None:
        ada, _ = await live.people.create("Ada")
        await live.people.create("Eve")
        await closed_table(live, ada)
        await remove_due(live)
        hands.run(1.0)
        await live.timekeeper.run_due()
        if is_running:
            hands.wall += by
            await live.timekeeper.run_due()
            await closed_table(live, ada)

    async def second_run(live: Live) -> None:
        await let_days_pass(live, hands, 3)
        assert (len(await ids(live)), await names(live)) == (2 if is_running else 1, {"Ada", "Eve"})
        hands.wall -= by
        await live.timekeeper.run_due()
        await let_days_pass(live, hands, 8)
        assert (len(await ids(live)), await names(live)) == (2 if is_running else 1, {"Ada"})
        await let_days_pass(live, hands, 13)
        has_future = is_running and by > 0  # a table whose last change is far in the future, and kept until then
        assert len(await ids(live)) == has_future

    serve(tmp_path, hands, first_run)
    if not is_running:
        hands.wall += by
    serve(tmp_path, hands, second_run)


@pytest.mark.both_databases
def test_a_person_who_returns_during_the_removal_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Clocks()

    async def job(live: Live) -> None:
        eve, fay = [(await live.people.create(name))[0] for name in ("Eve", "Fay")]

        async def find_and_return(*arguments: Any) -> Any:
            due = await find_due(*arguments)
            assert set(due.people) == {eve.id, fay.id}
            await live.tables.open(eve, PLAN)
            live.presence.mark_seen(fay.id)
            return due

        await remove_due(live)
        hands.run(11 * DAY)
        monkeypatch.setattr(daily_removal, "find_due", find_and_return)
        monkeypatch.setattr("spieltisch.live.retention.MAX_ADVANCE_SECONDS", YEAR)
        await remove_due(live)
        assert await names(live) == {"Eve", "Fay"}

    serve(tmp_path, hands, job)


@pytest.mark.postgresql
def test_only_one_of_two_processes_removes_old_data_and_the_other_takes_over(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    removing: list[Live] = []

    async def remove(live: Live) -> None:
        removing.append(live)

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        monkeypatch.setattr(daily_removal, "FIRST_SECONDS", 0.0)
        monkeypatch.setattr(daily_removal, "remove_due", remove)
        async with second.leases.running():
            async with first.leases.running(), service("first", lambda: remove_regularly(first)):
                await until(lambda: removing == [first])
                async with service("second", lambda: remove_regularly(second)):
                    await second.leases.renew()
                    assert not second.leases.holds(REMOVAL)
            async with service("second", lambda: remove_regularly(second)):
                await until(lambda: removing == [first, second])

    two_processes.run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_the_same_data_are_removed_by_only_one_of_two_processes(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table, soon = await closed_table(first, ada), first.clock() + DAY
        removals = [
            removal
            for live in (first, second)
            for removal in (
                live.tables.remove_over(table.id, retention.require_over(table.id, soon)),
                live.person_data.delete(ben, retention.require_unused(live.store, ben.id, soon)),
            )
        ]
        results = await asyncio.gather(*removals, return_exceptions=True)
        assert [type(result) for result in results if result is not None] == [StillNeeded, StillNeeded]
        assert (await ids(first), await names(first)) == (set(), {"Ada"})

    two_processes.run_in_two_servers(postgres.schema(), job)


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.crash)])
def test_killing_a_server_during_the_removal_of_old_data_leaves_tables_and_people_complete(
    kills: int, tmp_path: Path
) -> None:
    path = tmp_path / "house.sqlite3"
    children = kill_children(
        "tests.live.removal_process", path, kills=kills, seed=5, most_done=9, written_names=("removed",)
    )
    for _ in children:
        pass
    with closing(sqlite3.connect(path)) as database:
        assert database_check.find_damage(database) == []
        events = database.execute("SELECT DISTINCT table_id FROM events").fetchall()
        assert sorted(events) == sorted(database.execute("SELECT id FROM tables").fetchall())

    async def check_rest() -> None:
        live = await Live.open(path, retention=FOR_EVER, features=FEATURES)
        assert await live.store.lost_events() == ()
        for table_id in await ids(live):
            assert (await live.tables.get(table_id)).status in ("open", "aborted")
        await live.close()

    asyncio.run(check_rest())
