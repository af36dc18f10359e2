"""Check recovery codes, and the export and deletion of a person's data while others play."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spieltisch import tables
from spieltisch.features.chat.commands import ChatReader, Room
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live, person_data
from spieltisch.live.client_threads import CLIENT
from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from spieltisch.live.person_removal import RemovalResult, remove_person
from spieltisch.live.recovery_codes import RECOVERY_CODE_LENGTH
from spieltisch.store import Person, StoredTable, removal, results
from spieltisch.tables import Table, TableRefusal
from tests.live.live_fixture import PLAN, Job, move, play, running, signed_in, to_the_end
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def test_a_recovery_code_is_valid_until_the_code_is_replaced(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = live.people
        assert await people.recovery.made(ada.id) is None
        code = (await people.recovery.give(ada.id, await signed_in(live, ada))).text
        assert len(code.replace("-", "")) == RECOVERY_CODE_LENGTH
        asker = {"visitor": "a browser", "address": "192.0.2.1"}
        for typed in (code, code.lower(), code.replace("-", " "), code.replace("-", "")):
            assert (await people.by_code(typed, **asker)).person == ada.id
        assert await people.recovery.made(ada.id) is not None
        assert await people.recovery.made(ben.id) is None
        newer = (await people.recovery.give(ada.id, await signed_in(live, ada))).text
        for wrong_code in (
            code,
            newer[:-1] + ("2" if newer[-1] != "2" else "3"),
            newer[:5] + code[5:],
            "",
            "2" * RECOVERY_CODE_LENGTH,
        ):
            with refused("no-code"):
                await people.by_code(wrong_code, **asker)
        assert (await people.by_code(newer, **asker)).person == ada.id

    play(tmp_path, job)


def test_recovery_codes_are_not_stored_in_plain_text(tmp_path: Path) -> None:
    codes: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        codes.append((await live.people.recovery.give(ada.id, await signed_in(live, ada))).text)

    play(tmp_path, job)
    stored_bytes = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    secret = codes[0].replace("-", "")[5:]
    assert secret.encode() not in stored_bytes
    assert codes[0][6:].encode() not in stored_bytes


@pytest.mark.parametrize(("count", "same_code"), [(GUESSES_OF_VISITOR, "visitor"), (GUESSES_OF_ADDRESS, "address")])
def test_wrong_recovery_codes_are_counted_for_each_visitor_and_address(
    tmp_path: Path, count: int, same_code: str
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        code = (await live.people.recovery.give(ada.id, await signed_in(live, ada))).text

        def asker(number: int) -> dict[str, str]:
            return {"visitor": f"v{number}", "address": f"a{number}"} | {same_code: "eve"}

        async def guess(number: int) -> None:
            with refused("no-code"):
                await live.people.by_code("2" * RECOVERY_CODE_LENGTH, **asker(number))

        await asyncio.gather(*(guess(number) for number in range(count)))
        with refused("too-many-codes"):
            await live.people.by_code(code, **asker(count))
        assert (await live.people.by_code(code, visitor="ada", address="home")).person == ada.id

    play(tmp_path, job)


def test_other_players_continue_while_a_person_is_deleted(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, _ = await live.people.create("Zoe")
        running_tables = [await running(live, zoe, ben) for _ in range(3)]
        notified: list[Table] = []
        live.tables.subscribe(running_tables[2].id, notified.append)

        async def plays(table: Table) -> None:
            while table.to_decide is not None and table.seats[table.to_decide].kind != "left":
                with suppress(TableRefusal):  # the seat is somebody else's since it was looked at
                    await move(live, table)
                table = await live.tables.get(table.id)

        await asyncio.gather(*(plays(table) for table in running_tables[:2]), live.person_data.delete(zoe))
        assert notified, "open pages are told"
        for table in running_tables:
            events_before = await live.store.events(table.id)
            assert not any(zoe.id.encode() in event.data for event in events_before)
            assert len(events_before) == (await live.tables.get(table.id)).version

    play(tmp_path, job)


def test_tables_are_opened_while_a_person_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one by that person, at the last moment: it is found and changed like the others."""
    has_begun, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any, **kwargs: Any) -> RemovalResult:
        has_begun.set()
        await go_on.wait()
        return await remove_person(*args, **kwargs)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, _ = await live.people.create("Zoe")
        await running(live, zoe, ben)
        monkeypatch.setattr(person_data, "remove_person", slowly)
        deleting = asyncio.ensure_future(live.person_data.delete(zoe))
        await has_begun.wait()
        assert (await live.tables.open(ben, PLAN)).status == "open"
        late_table = await live.tables.open(zoe, PLAN)
        go_on.set()
        await deleting
        assert await removal.tables_mentioning(live.store, zoe.id) == ()
        assert (await live.tables.get(late_table.id)).host != zoe.id

    play(tmp_path, job)


def test_a_deleted_person_leaves_even_a_table_frozen_by_the_operator(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, _ = await live.people.create("Zoe")
        table = await running(live, zoe, ben)
        await live.tables.run(table.id, tables.suspend)
        await live.person_data.delete(zoe)
        assert (await live.tables.get(table.id)).is_suspended
        thawed_table = await live.tables.run(table.id, tables.resume)
        assert (thawed_table.status, thawed_table.seats[0].kind, thawed_table.host) == ("running", "left", ben.id)

    play(tmp_path, job)


def test_a_deleted_person_leaves_no_trace_and_other_players_continue(tmp_path: Path) -> None:
    removed_people: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, token = await live.people.create("Żywia")
        removed_people.extend((zoe.id, zoe.name))
        await live.people.recovery.give(zoe.id, token)
        finished_table = await to_the_end(live, await running(live, ada, zoe))
        running_table = await running(live, ada, zoe)
        await live.game_history.of(zoe.id)
        with live.presence.connected(zoe.id):
            await live.person_data.delete(zoe)
        assert await live.people.by_token(token) is None
        for table in (await live.tables.get(finished_table.id), await live.tables.get(running_table.id)):
            assert table.seat_of(zoe.id) is None
            assert zoe.name not in str(table.names)
        assert (await live.tables.get(running_table.id)).seats[1].kind == "left"
        past = await live.game_history.of(ada.id)
        assert [player.name for player in dict(past.games)[finished_table.id].players][1] != zoe.name
        assert await results.of_person(live.store, zoe.id) == ()
        await live.tables.run(running_table.id, tables.replace_with_bot, ada.id, 1, "random")

    play(tmp_path, job)
    stored_bytes = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in removed_people if word.encode() in stored_bytes] == []


@pytest.mark.parametrize("room", ["watch", "note"])
def test_the_number_of_a_deleted_player_does_not_tell_whether_a_spectator_wrote(tmp_path: Path, room: Room) -> None:
    names: list[tuple[str, ...]] = []

    def job_with(*, has_written: bool) -> Job:
        async def job(live: Live, ada: Person, ben: Person) -> None:
            (eve, _), (zoe, _) = await live.people.create("Eve"), await live.people.create("Zoe")
            table = await to_the_end(live, await running(live, ada, zoe))
            if has_written:
                reader = ChatReader(eve.id, None, is_host=False, is_player=False)
                await live.service(Chat).post(table, reader, eve.name, room, "What a move!")
            reader = ChatReader(zoe.id, table.seat_of(zoe.id), is_host=False, is_player=True)
            await live.service(Chat).post(table, reader, zoe.name, "table", "Thank you!")
            await live.person_data.delete(eve)
            await live.person_data.delete(zoe)
            names.append((await live.tables.get(table.id)).names)

        return job

    play(tmp_path / "with", job_with(has_written=True))
    play(tmp_path / "without", job_with(has_written=False))
    assert names[0] == names[1]
    assert "Zoe" not in names[0]


def test_nameless_spectators_have_different_numbers(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        spectators = [(await live.people.create(name))[0] for name in ("Eve", "Zoe")]
        for person in spectators:
            reader = ChatReader(person.id, None, is_host=False, is_player=False)
            await live.service(Chat).post(table, reader, person.name, "watch", "What a move!")
        for person in spectators:
            await live.person_data.delete(person)
        names = await removal.author_names(live.store, table.id, shown_to_players=False)
        assert len(names) == len(spectators)
        assert not names & {"Eve", "Zoe"}

    play(tmp_path, job)


def test_the_export_of_a_person_contains_everything_but_secrets(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        finished_table = await to_the_end(live, await running(live, ada, ben))
        running_table = await running(live, ada, ben)
        await live.service(Chat).post(
            running_table, ChatReader(ada.id, 0, is_host=True, is_player=True), "Ada", "note", "Lyon next"
        )
        await live.service(Chat).post(
            running_table, ChatReader(ben.id, 1, is_host=False, is_player=True), "Ben", "note", "Not Ada's business"
        )
        data = json.loads(await live.person_data.export(ada))
        messages = [(message["table_id"], message["room"], message["text"]) for message in data["chat_messages"]]
        assert messages == [(running_table.id, "note", "Lyon next")]
        (own_export,) = data["people"]
        assert (own_export["name"], own_export["preferences"]) == ("Ada", msgspec.to_builtins(ada.preferences))
        listed_tables = {table["id"]: table for table in data["tables"]}
        assert listed_tables[finished_table.id]["record"] == finished_table.record(None).text
        assert listed_tables[running_table.id]["record"] is None
        assert listed_tables[running_table.id]["seat"] == 0
        assert (await live.store.secret(running_table.id)).hex() not in json.dumps(data)

    play(tmp_path, job)


def test_the_export_of_a_person_reveals_nothing_about_others(tmp_path: Path) -> None:
    """An export reveals neither notes that others wrote between two messages, nor ids, which outlast names."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        finished_table = await to_the_end(live, await running(live, ada, ben))
        running_tables = [await running(live, ada, ben) for _ in range(2)]
        own_reader = ChatReader(ada.id, 0, is_host=True, is_player=True)
        other_reader = ChatReader(ben.id, 1, is_host=False, is_player=True)
        for table in running_tables:
            await live.service(Chat).post(table, own_reader, "Ada", "table", "before")
            if table is running_tables[1]:
                await live.service(Chat).post(table, other_reader, "Ben", "note", "Lyon next")
            await live.service(Chat).post(table, own_reader, "Ada", "table", "after")
            await live.service(Chat).post(table, other_reader, "Ben", "table", "yes")
            for deed in ("like", "mute"):
                await live.service(Chat).act_on(table, own_reader, "table", 3, deed)
        await live.game_history.of(ada.id)
        data = json.loads(await live.person_data.export(ada))
        assert finished_table.id in {played_game["table_id"] for played_game in data["played_games"]}
        assert ben.id not in json.dumps(data)
        for rows in (data["chat_messages"], data["reactions"], data["mutes"]):
            at_tables = [
                [row | {"table_id": "", "at": 0} for row in rows if row["table_id"] == table.id]
                for table in running_tables
            ]
            assert at_tables[0] == at_tables[1] != []

    play(tmp_path, job)


def test_exports_of_one_address_do_not_delay_other_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        begins, goes_on, read = asyncio.Event(), asyncio.Event(), live.store.tables

        async def read_slowly(*statuses: str, **conditions: Any) -> tuple[StoredTable, ...]:
            if conditions.get("person") == ada.id:
                begins.set()
                await goes_on.wait()
            return await read(*statuses, **conditions)

        monkeypatch.setattr(live.store, "tables", read_slowly)
        CLIENT.set("192.0.2.1")
        exports = [asyncio.create_task(live.person_data.export(ada)) for _ in range(3)]
        await begins.wait()
        CLIENT.set("192.0.2.2")
        assert b"Ben" in await live.person_data.export(ben)
        await live.person_data.delete(ben)
        goes_on.set()
        assert all(b"Ada" in export for export in await asyncio.gather(*exports))

    play(tmp_path, job)
