"""Tables in play: commands, rematches, component files; what is seen when, and what cannot happen."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import Connection, text
from structlog.testing import capture_logs

from spieltisch import game, tables
from spieltisch.core.components import ComponentsError
from spieltisch.core.components import read as read_components
from spieltisch.live import Live
from spieltisch.live.byte_cache import IDLE_SECONDS
from spieltisch.live.table_loading import load_table
from spieltisch.store import ComponentSet, Person, StoreInUse, component_sets
from spieltisch.store.schema import REPLAYED_KEY
from spieltisch.tables import NewTable, Table, TableRefusal
from tests.async_wait import wait
from tests.live.live_fixture import PLAN, move, play, running
from tests.tables.harness import refused


def change(live: Live, statement: str, **values: object) -> None:
    """Change the file behind the server's back."""
    wait(live.store.write(lambda connection: connection.execute(text(statement), values)))


def other_rules(live: Live) -> None:
    """At the next start the rules are others than at this one."""
    change(live, "UPDATE settings SET value = CAST('others' AS BLOB) WHERE name = :name", name=REPLAYED_KEY)


def test_a_table_is_as_it_was_after_a_restart(tmp_path: Path) -> None:
    left: list[Table] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        for _ in range(12):
            table = await move(live, table)
        left.append(table)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        table = await live.tables.get(left[0].id)
        assert table.position is not None
        assert left[0].position is not None
        assert table.position.digest() == left[0].position.digest()
        assert table.summary() == left[0].summary()
        assert table.log(1) == left[0].log(1)
        assert await live.store.table_ids("running") == (table.id,)
        await move(live, table)

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_move_is_on_disk_before_anybody_sees_it(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        seen: list[int] = []
        everywhere: list[str] = []
        leave = live.tables.subscribe(table.id, lambda now: seen.append(now.version))
        live.tables.subscribe(None, lambda now: everywhere.append(now.id))
        begun, ended = threading.Event(), threading.Event()

        def slow_disk(connection: Connection) -> None:
            begun.set()
            ended.wait()

        holding = asyncio.create_task(live.store.write(slow_disk))
        await asyncio.to_thread(begun.wait)
        sitting = asyncio.create_task(live.tables.run(table.id, tables.sit, ben, 1))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not sitting.done()
        assert seen == []
        assert (await live.tables.get(table.id)).version == table.version
        ended.set()
        after = await sitting
        await holding
        assert seen == [after.version]
        assert everywhere == [table.id]
        assert len(await live.store.events(table.id)) == after.version
        leave()
        leave()
        await live.tables.run(table.id, tables.leave, ben.id)
        assert seen == [after.version]
        assert len(everywhere) == 2

    play(tmp_path, job)


def test_a_caller_who_goes_away_does_not_break_the_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        begun, ended = threading.Event(), threading.Event()

        def slow_disk(connection: Connection) -> None:
            begun.set()
            ended.wait()

        holding = asyncio.create_task(live.store.write(slow_disk))
        await asyncio.to_thread(begun.wait)
        sitting = asyncio.create_task(live.tables.run(table.id, tables.sit, ben, 1))
        for _ in range(20):
            await asyncio.sleep(0)
        sitting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sitting
        leaving = asyncio.create_task(live.tables.run(table.id, tables.leave, ben.id))
        ended.set()
        assert (await leaving).seats[1].kind == "open"
        await holding

    play(tmp_path, job)


def test_a_table_that_changes_while_it_is_loaded_is_never_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any) -> Table:
        loaded = await load_table(*args)
        read.set()
        await go_on.wait()
        return loaded

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        begun, ended = threading.Event(), threading.Event()

        def slow_disk(connection: Connection) -> None:
            begun.set()
            ended.wait()

        def sit(table: Table, *args: Any) -> Any:
            held.set()
            return tables.sit(table, *args)

        held = asyncio.Event()
        holding = asyncio.create_task(live.store.write(slow_disk))
        try:
            await asyncio.to_thread(begun.wait)
            sitting = asyncio.create_task(live.tables.run(table.id, sit, ben, 1))
            await held.wait()
            live.tables.evict(table.id)  # as when other tables need the memory
            monkeypatch.setattr("spieltisch.live.loaded_tables.load_table", slowly)
            loading = asyncio.create_task(live.tables.get(table.id))
            await read.wait()
            ended.set()
            newest = await sitting
            await holding
            live.tables.evict(table.id)
        finally:  # or closing would wait for ever for what has failed
            ended.set()
            go_on.set()
        assert (await loading).version == newest.version > table.version
        assert (await live.tables.get(table.id)).seats[1].person == ben.id
        await live.tables.run(table.id, tables.leave, ben.id)

    play(tmp_path, job)


def test_an_error_that_no_caller_gets_is_logged(tmp_path: Path) -> None:
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


def test_of_two_who_sit_down_at_once_one_gets_the_seat(tmp_path: Path) -> None:
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


def test_a_double_click_plays_once(tmp_path: Path) -> None:
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


def test_what_is_refused_leaves_the_file_alone(tmp_path: Path) -> None:
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


def test_a_disk_that_takes_nothing_is_a_refusal(tmp_path: Path) -> None:
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


def test_somebody_else_wrote_to_the_file(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        event = tables.encode(tables.renew_links(table, ada.id, 2)[0])
        await live.store.append(table.id, table.version, [(5.0, event)], table.summary())
        with refused("stale"):
            await live.tables.run(table.id, tables.sit, ben, 1)
        after = await live.tables.run(table.id, tables.sit, ben, 1)
        assert after.version == table.version + 2

    play(tmp_path, job)


def test_a_listener_that_fails_stops_nobody(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        def broken(table: Table) -> None:
            raise ZeroDivisionError

        seen: list[Table] = []
        table = await live.tables.open(ada, PLAN)
        live.tables.subscribe(table.id, broken)
        live.tables.subscribe(table.id, seen.append)
        assert await live.tables.run(table.id, tables.sit, ben, 1) is seen[0]

    play(tmp_path, job)


def test_a_rematch_is_one_table_for_all(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        with refused("not-over"):
            await live.tables.rematch(table.id, ada)
        await live.tables.run(table.id, tables.ask_abort, ada.id)
        await live.tables.run(table.id, tables.agree_abort, ben.id)
        new, same = await asyncio.gather(live.tables.rematch(table.id, ben), live.tables.rematch(table.id, ada))
        assert new.id == same.id != table.id
        assert (await live.tables.get(table.id)).rematch == new.id
        assert (new.host, new.names) == (ben.id, ("Ada", "Ben", "Hertha"))
        started = await live.tables.run(new.id, tables.sit, ada)
        assert started.status == "running"
        assert started.commitment != table.commitment

    play(tmp_path, job)


def test_a_table_that_differs_is_frozen_at_the_start_and_the_others_go_on(tmp_path: Path) -> None:
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
        frozen = await live.tables.get(ids[0])
        assert frozen.status == "frozen"
        assert frozen.replay_difference is None
        assert "scores differently" in str(frozen.frozen)
        assert frozen.record(0).text
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


def test_own_component_files(tmp_path: Path) -> None:
    rules = game("paris-connection")
    own_text = rules.components.text.replace('name = "', 'name = "my-', 1)
    digests: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        digest = await live.components.add(ada.id, "paris-connection", own_text)
        assert await live.components.add(ada.id, "paris-connection", own_text) == digest
        digests.append(digest)
        assert [
            (file.digest, file.text, file.title.en)
            for file in await live.components.owned_by(ada.id, "paris-connection")
        ] == [(digest, own_text, rules.components.title.en)]
        assert await live.components.owned_by(ben.id, "paris-connection") == ()
        assert (await live.components.find("paris-connection", digest))[1].text == own_text
        with refused("no-components"):
            await live.components.find("paris-connection", "f" * 64)
        with refused("components"):
            await live.components.add(ada.id, "paris-connection", "rows = [")
        with refused("game"):
            await live.components.add(ada.id, "go", own_text)
        table = await live.tables.open(ada, NewTable("paris-connection", PLAN.seats, components=digest))
        assert table.opened.components == digest
        digests.append(table.id)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.get(digests[1])
        assert table.setup is not None
        assert table.setup.components.text == own_text

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_stored_component_file_stays_valid_if_checks_become_stricter(tmp_path: Path) -> None:
    era = game("era-of-inventions")
    text = era.components.text.replace("total = 36", "total = 1", 1)
    with pytest.raises(ComponentsError, match="The set-up deals up to"):
        era.read_components(text)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        stored = ComponentSet.of(read_components(text, era.Contents), 1.0)
        await component_sets.add(live.store, stored)
        assert (await live.components.find(era.key, stored.digest))[1].text == text

    play(tmp_path, job)


def test_a_second_server_on_the_file_is_refused(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        with pytest.raises(StoreInUse):
            await Live.open(tmp_path / "house.sqlite3")

    play(tmp_path, job)


def test_many_tables_do_not_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.live.loaded_tables.MAX_BYTES_IN_MEMORY", 70_000)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        opened = [await live.tables.open(ada, PLAN) for _ in range(8)]
        for table in opened:
            assert (await live.tables.run(table.id, tables.sit, ben, 1)).seats[1].person == ben.id
        assert len(live.tables._tables) == 3
        table = await running(live, ada, ben)
        while table.estimated_bytes < 70_000:
            table = await move(live, table)
        later = await live.tables.get(opened[0].id)
        assert len(live.tables._tables) == 1, "a game that goes on is bigger than many that have not begun"
        assert await live.tables.get(later.id) is later

    play(tmp_path, job)


def test_a_table_that_nobody_asked_for_in_some_minutes_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        now = 0.0
        monkeypatch.setattr(live.tables._tables, "_clock", lambda: now)
        idle, in_use = await running(live, ada, ben), await live.tables.open(ada, PLAN)
        now = IDLE_SECONDS + 1
        await live.tables.get(in_use.id)
        live.tables.release()
        assert await live.tables.get(in_use.id) is in_use
        again = await live.tables.get(idle.id)
        assert again is not idle
        assert again.summary() == idle.summary()
        await move(live, idle)

    play(tmp_path, job)
