"""The house: commands, rematches, component files; what is seen when, and what cannot happen."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from spieltisch import game, tables
from spieltisch.store import House, Person, Plan, StoreInUse
from spieltisch.tables import Table, TableRefusal
from tests.store.housing import PLAN, move, play, running
from tests.tables.sitting import refused


def change(house: House, statement: str, **values: object) -> None:
    """Change the file behind the house's back."""
    house.store.write(lambda connection: connection.execute(text(statement), values)).result()


def test_a_table_is_as_it_was_after_a_restart(tmp_path: Path) -> None:
    left: list[Table] = []

    async def first(house: House, ada: Person, ben: Person) -> None:
        table = await running(house, ada, ben)
        for _ in range(12):
            table = await move(house, table)
        left.append(table)

    async def second(house: House, ada: Person, ben: Person) -> None:
        await house.replaying
        table = await house.table(left[0].id)
        assert table.position is not None
        assert left[0].position is not None
        assert table.position.digest() == left[0].position.digest()
        assert table.summary() == left[0].summary()
        assert table.log(1) == left[0].log(1)
        assert await house.running() == (table.id,)
        await move(house, table)

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_move_is_on_disk_before_anybody_sees_it(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        seen: list[int] = []
        everywhere: list[str] = []
        leave = house.subscribe(table.id, lambda now: seen.append(now.version))
        house.subscribe(None, lambda now: everywhere.append(now.id))
        begun, ended = threading.Event(), threading.Event()

        def slow_disk(connection: Connection) -> None:
            begun.set()
            ended.wait()

        house.store.write(slow_disk)
        await asyncio.to_thread(begun.wait)
        sitting = asyncio.create_task(house.run(table.id, tables.sit, ben, 1))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not sitting.done()
        assert seen == []
        assert (await house.table(table.id)).version == table.version
        ended.set()
        after = await sitting
        assert seen == [after.version]
        assert everywhere == [table.id]
        assert len(house.store.events(table.id)) == after.version
        leave()
        leave()
        await house.run(table.id, tables.leave, ben.id)
        assert seen == [after.version]
        assert len(everywhere) == 2

    play(tmp_path, job)


def test_a_caller_who_goes_away_does_not_break_the_table(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        begun, ended = threading.Event(), threading.Event()

        def slow_disk(connection: Connection) -> None:
            begun.set()
            ended.wait()

        house.store.write(slow_disk)
        await asyncio.to_thread(begun.wait)
        sitting = asyncio.create_task(house.run(table.id, tables.sit, ben, 1))
        for _ in range(20):
            await asyncio.sleep(0)
        sitting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sitting
        leaving = asyncio.create_task(house.run(table.id, tables.leave, ben.id))
        ended.set()
        assert (await leaving).seats[1].kind == "open"

    play(tmp_path, job)


def test_of_two_who_sit_down_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        cleo, _ = await house.arrive("Cleo")
        results = await asyncio.gather(
            house.run(table.id, tables.sit, ben, 1), house.run(table.id, tables.sit, cleo, 1), return_exceptions=True
        )
        assert [type(one) for one in results] == [Table, TableRefusal]

    play(tmp_path, job)


def test_a_double_click_plays_once(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await running(house, ada, ben)
        while table.bot_to_move() is not None:
            table = await move(house, table)
        assert table.position is not None
        assert table.to_decide is not None
        person = table.seats[table.to_decide].person
        text = str(table.position.legal_moves[0])
        clicks = [house.run(table.id, tables.play, person, text, table.version) for _ in range(2)]
        results = await asyncio.gather(*clicks, return_exceptions=True)
        assert [getattr(one, "code", "played") for one in results] == ["played", "stale"]

    play(tmp_path, job)


def test_what_is_refused_leaves_the_file_alone(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        before = (house.store.events(table.id), house.store.tables())
        with refused("not-invited"):
            await house.run(table.id, tables.sit, ben, 2)
        with refused("no-table"):
            await house.run("../../etc/passwd", tables.sit, ben, 2)
        with refused("no-table"):
            await house.table("")
        with refused("game"):
            await house.open_table(ada, Plan("go", ("me", "open")))
        with refused("no-components"):
            await house.open_table(ada, Plan("paris-connection", PLAN.seats, components="f" * 64))
        with refused("seats"):
            await house.open_table(ada, Plan("paris-connection", ("me",)))
        assert (house.store.events(table.id), house.store.tables()) == before

    play(tmp_path, job)


def test_a_disk_that_takes_nothing_is_a_refusal(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        change(house, "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        for _ in range(2):
            with refused("not-written"):
                await house.run(table.id, tables.sit, ben, 1)
            with refused("not-written"):
                await house.open_table(ben, PLAN)
        assert (await house.table(table.id)).version == table.version
        change(house, "DROP TRIGGER full")
        await house.run(table.id, tables.sit, ben, 1)
        assert len(house.store.tables()) == 1

    play(tmp_path, job)


def test_somebody_else_wrote_to_the_file(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        event = tables.encode(tables.renew_links(table, ada.id, 2)[0])
        await asyncio.wrap_future(house.store.append(table.id, table.version, [(5.0, event)], table.summary()))
        with refused("stale"):
            await house.run(table.id, tables.sit, ben, 1)
        after = await house.run(table.id, tables.sit, ben, 1)
        assert after.version == table.version + 2

    play(tmp_path, job)


def test_a_listener_that_fails_stops_nobody(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        def broken(table: Table) -> None:
            raise ZeroDivisionError

        seen: list[Table] = []
        table = await house.open_table(ada, PLAN)
        house.subscribe(table.id, broken)
        house.subscribe(table.id, seen.append)
        assert await house.run(table.id, tables.sit, ben, 1) is seen[0]

    play(tmp_path, job)


def test_a_rematch_is_one_table_for_all(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await running(house, ada, ben)
        with refused("not-over"):
            await house.rematch(table.id, ada)
        await house.run(table.id, tables.ask_abort, ada.id)
        await house.run(table.id, tables.agree_abort, ben.id)
        new, same = await asyncio.gather(house.rematch(table.id, ben), house.rematch(table.id, ada))
        assert new.id == same.id != table.id
        assert (await house.table(table.id)).rematch == new.id
        assert (new.host, new.names) == (ben.id, ("Ada", "Ben", "Hertha"))
        started = await house.run(new.id, tables.sit, ada)
        assert started.status == "running"
        assert started.commitment != table.commitment

    play(tmp_path, job)


def test_a_table_that_differs_is_frozen_at_the_start_and_the_others_go_on(tmp_path: Path) -> None:
    ids: list[str] = []

    async def first(house: House, ada: Person, ben: Person) -> None:
        for _ in range(3):
            table = await running(house, ada, ben)
            for _ in range(4):
                table = await move(house, table)
            ids.append(table.id)
        points = "replace(CAST(data AS TEXT), '\"points\":[', '\"points\":[7,')"
        change(house, f"UPDATE events SET data = CAST({points} AS BLOB) WHERE table_id = :id", id=ids[0])  # noqa: S608  # a text of the test
        change(house, "UPDATE events SET data = '{\"event\":' WHERE table_id = :id AND version = 6", id=ids[1])

    async def second(house: House, ada: Person, ben: Person) -> None:
        await house.replaying
        assert [one.id for one in house.store.tables("frozen")] == [ids[0]]
        frozen = await house.table(ids[0])
        assert frozen.status == "frozen"
        assert frozen.differs is None
        assert "scores differently" in str(frozen.frozen)
        assert frozen.record(0).text
        with refused("frozen"):
            await house.run(ids[0], tables.leave, ada.id)
        with refused("damaged"):
            await house.table(ids[1])
        await move(house, await house.table(ids[2]))

    async def third(house: House, ada: Person, ben: Person) -> None:
        await house.replaying
        events = house.store.events(ids[0])
        assert sum(b'"frozen"' in one.data for one in events) == 1, "it is written once"
        assert (await house.table(ids[0])).status == "frozen"

    for job in (first, second, third):
        play(tmp_path, job)


def test_own_component_files(tmp_path: Path) -> None:
    found = game("paris-connection")
    mine = found.components.text.replace('name = "', 'name = "my-', 1)
    digests: list[str] = []

    async def first(house: House, ada: Person, ben: Person) -> None:
        digest = await house.add_components(ada.id, "paris-connection", mine)
        assert await house.add_components(ada.id, "paris-connection", mine) == digest
        digests.append(digest)
        assert [(one.digest, one.text, one.title.en) for one in await house.components(ada.id, "paris-connection")] == [
            (digest, mine, found.components.title.en)
        ]
        assert await house.components(ben.id, "paris-connection") == ()
        assert (await house.read_components("paris-connection", digest)).text == mine
        with refused("no-components"):
            await house.read_components("paris-connection", "f" * 64)
        with refused("components"):
            await house.add_components(ada.id, "paris-connection", "rows = [")
        with refused("game"):
            await house.add_components(ada.id, "go", mine)
        table = await house.open_table(ada, Plan("paris-connection", PLAN.seats, components=digest))
        assert table.opened.components == digest
        digests.append(table.id)

    async def second(house: House, ada: Person, ben: Person) -> None:
        table = await house.table(digests[1])
        assert table.setup is not None
        assert table.setup.components.text == mine

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_second_house_on_the_file_is_refused(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        with pytest.raises(StoreInUse):
            await House.open(tmp_path / "house.sqlite3")

    play(tmp_path, job)


def test_many_tables_do_not_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.store.house.MOST_IN_MEMORY", 3)

    async def job(house: House, ada: Person, ben: Person) -> None:
        opened = [await house.open_table(ada, PLAN) for _ in range(8)]
        for table in opened:
            assert (await house.run(table.id, tables.sit, ben, 1)).seats[1].person == ben.id
        assert len(house._tables) == 3

    play(tmp_path, job)
