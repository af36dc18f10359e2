"""Check tables in play: commands, rematches, visibility and failures."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NoReturn

import pytest
from structlog.testing import capture_logs

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.store import Person, StoreInUse
from spieltisch.tables import NewTable, Table, TableRefusal
from tests.live.changed_database import change, other_rules
from tests.live.live_fixture import PLAN, move, play, running
from tests.store.held_writer import hold_writer
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def test_a_table_is_unchanged_after_a_restart(tmp_path: Path) -> None:
    tables_left: list[Table] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        for _ in range(12):
            table = await move(live, table)
        tables_left.append(table)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        table = await live.tables.get(tables_left[0].id)
        assert table.position is not None
        assert tables_left[0].position is not None
        assert table.position.digest() == tables_left[0].position.digest()
        assert table.summary() == tables_left[0].summary()
        assert table.log(1) == tables_left[0].log(1)
        assert await live.store.table_ids("running") == (table.id,)
        await move(live, table)

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_move_is_stored_before_any_viewer_sees_it(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        versions_seen: list[int] = []
        started_tables: list[str] = []
        leave = live.tables.subscribe(table.id, lambda now: versions_seen.append(now.version))
        live.tables.subscribe(None, lambda now: started_tables.append(now.id))
        async with hold_writer(live.store):
            sitting = asyncio.create_task(live.tables.run(table.id, tables.sit, ben, 1))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not sitting.done()
            assert versions_seen == []
            assert (await live.tables.get(table.id)).version == table.version
        after = await sitting
        assert versions_seen == [after.version]
        assert started_tables == [table.id]
        assert len(await live.store.events(table.id)) == after.version
        leave()
        leave()
        await live.tables.run(table.id, tables.leave, ben.id)
        assert versions_seen == [after.version]
        assert len(started_tables) == 2

    play(tmp_path, job)


def test_a_cancelled_command_does_not_break_the_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        async with hold_writer(live.store):
            sitting = asyncio.create_task(live.tables.run(table.id, tables.sit, ben, 1))
            for _ in range(20):
                await asyncio.sleep(0)
            sitting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sitting
            leaving = asyncio.create_task(live.tables.run(table.id, tables.leave, ben.id))
        assert (await leaving).seats[1].kind == "open"

    play(tmp_path, job)


def test_an_error_after_the_caller_has_left_is_logged(tmp_path: Path) -> None:
    def fail(table: Table, *args: object) -> NoReturn:
        raise RuntimeError("a fault")

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        with capture_logs() as log, pytest.raises(RuntimeError, match="a fault"):
            await live.tables.run(table.id, fail)
        assert log == []
        async with live.tables.rewrite_events([table.id]):  # holds the lock
            callers = [
                asyncio.create_task(live.tables.run(table.id, command, ben.id)) for command in (fail, tables.leave)
            ]
            await asyncio.sleep(0)
            for caller in callers:
                caller.cancel()
            await asyncio.wait(callers)
        with capture_logs() as log:
            await live.tables.close()
        assert [entry["event"] for entry in log] == ["a task failed"]

    play(tmp_path, job)


def test_only_one_of_two_concurrent_people_gets_a_seat(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        cleo, _ = await live.people.create("Cleo")
        results = await asyncio.gather(
            live.tables.run(table.id, tables.sit, ben, 1),
            live.tables.run(table.id, tables.sit, cleo, 1),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [Table, TableRefusal]

    play(tmp_path, job)


def test_a_move_sent_twice_is_played_once(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        while table.bot_to_move() is not None:
            table = await move(live, table)
        assert table.position is not None
        assert table.to_decide is not None
        person = table.seats[table.to_decide].person
        text = str(table.position.legal_moves[0])
        clicks = [live.tables.run(table.id, tables.play, person, text, table.version) for _ in range(2)]
        results = await asyncio.gather(*clicks, return_exceptions=True)
        assert [getattr(result, "code", "played") for result in results] == ["played", "stale"]

    play(tmp_path, job)


def test_refused_commands_write_nothing(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        before = (await live.store.events(table.id), await live.store.tables())
        with refused("not-invited"):
            await live.tables.run(table.id, tables.sit, ben, 2)
        with refused("no-table"):
            await live.tables.run("../../etc/passwd", tables.sit, ben, 2)
        with refused("no-table"):
            await live.tables.get("")
        with refused("game"):
            await live.tables.open(ada, NewTable("go", ("me", "open")))
        with refused("no-components"):
            await live.tables.open(ada, NewTable("paris-connection", PLAN.seats, components="f" * 64))
        with refused("seats"):
            await live.tables.open(ada, NewTable("paris-connection", ("me",)))
        assert (await live.store.events(table.id), await live.store.tables()) == before

    play(tmp_path, job)


@pytest.mark.sqlite_only
def test_commands_are_refused_while_the_disk_is_full(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        change(live, "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        for _ in range(2):
            with refused("not-written"):
                await live.tables.run(table.id, tables.sit, ben, 1)
            with refused("not-written"):
                await live.tables.open(ben, PLAN)
        assert (await live.tables.get(table.id)).version == table.version
        change(live, "DROP TRIGGER full")
        await live.tables.run(table.id, tables.sit, ben, 1)
        assert len(await live.store.tables()) == 1

    play(tmp_path, job)


def test_a_write_by_another_program_is_detected(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        event = tables.encode(tables.renew_links(table, ada.id, 2)[0])
        await live.store.append(table.id, table.version, [(5.0, event)], table.summary())
        with refused("stale"):
            await live.tables.run(table.id, tables.sit, ben, 1)
        after = await live.tables.run(table.id, tables.sit, ben, 1)
        assert after.version == table.version + 2

    play(tmp_path, job)


def test_a_failing_listener_of_a_table_stops_no_other_listener(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        def failing_listener(table: Table) -> None:
            raise ZeroDivisionError

        tables_seen: list[Table] = []
        table = await live.tables.open(ada, PLAN)
        live.tables.subscribe(table.id, failing_listener)
        live.tables.subscribe(table.id, tables_seen.append)
        assert await live.tables.run(table.id, tables.sit, ben, 1) is tables_seen[0]

    play(tmp_path, job)


def test_concurrent_requests_for_a_rematch_open_one_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        with refused("not-over"):
            await live.tables.rematch(table.id, ada)
        await live.tables.run(table.id, tables.ask_abort, ada.id)
        await live.tables.run(table.id, tables.agree_abort, ben.id)
        new_table, same_table = await asyncio.gather(
            live.tables.rematch(table.id, ben), live.tables.rematch(table.id, ada)
        )
        assert new_table.id == same_table.id != table.id
        assert (await live.tables.get(table.id)).rematch == new_table.id
        assert (new_table.host, new_table.names) == (ben.id, ("Ada", "Ben", "Hertha"))
        started_table = await live.tables.run(new_table.id, tables.sit, ada)
        assert started_table.status == "running"
        assert started_table.commitment != table.commitment

    play(tmp_path, job)


@pytest.mark.sqlite_only
def test_a_table_whose_replay_differs_is_frozen_at_the_start_and_other_tables_continue(tmp_path: Path) -> None:
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        for _ in range(3):
            table = await running(live, ada, ben)
            for _ in range(4):
                table = await move(live, table)
            ids.append(table.id)
        points = "replace(CAST(data AS TEXT), '\"points\":[', '\"points\":[7,')"
        change(live, f"UPDATE events SET data = CAST({points} AS BLOB) WHERE table_id = :id", id=ids[0])  # noqa: S608  # a text of the test
        change(live, "UPDATE events SET data = '{\"event\":' WHERE table_id = :id AND version = 6", id=ids[1])
        other_rules(live)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert [table.id for table in await live.store.tables("frozen")] == [ids[0]]
        frozen_table = await live.tables.get(ids[0])
        assert frozen_table.status == "frozen"
        assert frozen_table.replay_difference is None
        assert "scores differently" in str(frozen_table.frozen)
        assert frozen_table.record(0).text
        with refused("frozen"):
            await live.tables.run(ids[0], tables.leave, ada.id)
        with refused("damaged"):
            await live.tables.get(ids[1])
        await move(live, await live.tables.get(ids[2]))

    async def third(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        events = await live.store.events(ids[0])
        assert sum(b'"frozen"' in event.data for event in events) == 1, "it is written once"
        assert (await live.tables.get(ids[0])).status == "frozen"

    for job in (first, second, third):
        play(tmp_path, job)


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        with pytest.raises(StoreInUse):
            await Live.open(tmp_path / "house.sqlite3")

    play(tmp_path, job)


def test_a_removed_table_is_closed_and_all_its_rows_are_deleted(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        statuses: list[str] = []
        live.tables.subscribe(table.id, lambda now: statuses.append(now.status))
        written: list[str] = []
        lobby = live.tables.lobby.of(ada.id)
        await live.tables.remove(
            table.id, lambda connection: written.append("removed"), lambda connection: written.append("closed")
        )
        assert (statuses, written) == (["aborted"], ["closed", "removed"])
        assert live.tables.lobby.of(ada.id) > lobby
        assert await live.store.tables(table_id=table.id) == ()
        assert await live.store.events(table.id) == ()
        with refused("no-table"):
            await live.tables.get(table.id)
        with refused("no-table"):
            await live.tables.remove(table.id, lambda connection: None, lambda connection: None)

    play(tmp_path, job)
