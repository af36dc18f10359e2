"""Check `spieltisch people`, which lists people and removes a person without trace while others play on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import NamedTuple

from spieltisch import game, tables
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.features import FEATURES
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable, Table
from tests.commands.command_line import json_output, spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]
ADA = 'Żaneta "Ada" O’Hara'
LATER = "Żywia"
BESIDE = "Żora"
GUESTS = {"en": "Guest", "de": "Gast", "fr": "Invité", "nl": "Gast"}


class ServerContent(NamedTuple):
    """The content of a server: people and their tokens, and tables by kind."""

    people: dict[str, Person]
    tokens: dict[str, str]
    tables: dict[str, str]


def fill_server(data: Path) -> ServerContent:
    """Fill a data folder with three people, tables of all kinds, and component files."""

    async def main() -> ServerContent:
        live = await Live.open(data / DATABASE, features=FEATURES)
        try:
            people: dict[str, Person] = {}
            tokens: dict[str, str] = {}
            for name in (ADA, "Ben", "Cid"):
                people[name], tokens[name] = await live.people.create(name)
            ada, ben, cid = people.values()
            own_components = game("paris-connection").components.text.replace('name = "', 'name = "own-', 1)
            named_components = own_components.replace(
                "title = { en = ", f"# Made by {LATER}.\ntitle = {{ en = ", 1
            ).replace("Our map", f"{LATER}: a map")
            table_ids: dict[str, str] = {}

            async def sit(table: Table, *sitters: Person) -> Table:
                for person in sitters:
                    table = await live.tables.run(table.id, tables.sit, person, by_link=True)
                return table

            async def to_the_end(table: Table) -> Table:
                while table.position is not None and table.to_decide is not None:
                    deciding_person = table.seats[table.to_decide].person
                    move = str(table.position.legal_moves[0])
                    table = await live.tables.run(table.id, tables.play, deciding_person, move, table.version)
                return table

            ending = NewTable("paris-connection", ("me", "open", "open"), {"standstill": "ends"})
            finished_table = await to_the_end(await sit(await live.tables.open(ben, ending), ada, cid))
            rematch = await live.tables.rematch(finished_table.id, ben)
            table_ids |= {"over": finished_table.id, "kept": rematch.id}
            ada = await live.people.update(ada.id, name=LATER)
            await live.components.add(ada.id, "paris-connection", own_components.replace("# ", f"# {LATER}: ", 1))
            digest = await live.components.add(ada.id, "paris-connection", named_components)
            for key, seats, sitters in (
                ("running", ("me", f"here:{BESIDE}", "open", "open"), (ben, cid)),
                ("waiting", ("me", "open", "open"), (ben,)),
                ("alone", ("me", "open", "open"), ()),
                ("watched", ("open", "open", "open"), (ben, cid)),
                ("bots", ("me", "bot:random", "bot:random"), ()),
            ):
                components = digest if key == "running" else ""
                table = await live.tables.open(ada, NewTable("paris-connection", seats, components=components))
                table_ids[key] = (await sit(table, *sitters)).id
            table_with_leaver = await sit(
                await live.tables.open(ben, NewTable("paris-connection", ("me", "open", "open"))), ada, cid
            )
            await live.tables.run(table_with_leaver.id, tables.leave, ada.id)
            await live.tables.run(table_with_leaver.id, tables.replace_with_bot, ben.id, 1, "random")
            table_ids["left"] = table_with_leaver.id
            watched_table = await live.tables.open(
                ben, NewTable("paris-connection", ("me", "bot:random", "bot:random"))
            )
            table_ids["looked"] = watched_table.id
            running_table = await live.tables.get(table_ids["running"])
            for table, player, name, room in (
                (finished_table, ChatReader(ada.id, 1, False, True), ADA, "table"),
                (running_table, ChatReader(ada.id, 0, True, True), LATER, "note"),
                (running_table, ChatReader(f"{ada.id}/2", 1, True, True), BESIDE, "table"),
                (watched_table, ChatReader(ada.id, None, False, False), LATER, "watch"),
            ):
                await live.service(Chat).post(table, player, name, room, f"I am {name}")
            await live.service(Chat).post(running_table, ChatReader(ben.id, 2, False, True), "Ben", "table", "Hallo")
            for deed in ("like", "mute"):
                await live.service(Chat).act_on(running_table, ChatReader(ada.id, 0, True, True), "table", 2, deed)
            return ServerContent(people, tokens, table_ids)
        finally:
            await live.close()

    return asyncio.run(main())


def bytes_of_files(data: Path) -> bytes:
    """Return the bytes of all files in the folder."""
    return b"".join(file.read_bytes() for file in sorted(data.iterdir()))


def test_a_removed_person_leaves_no_trace_and_the_others_play_on(own_server: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = fill_server(data)
    ada = house.people[ADA]
    words = (LATER, "Żaneta", BESIDE, ada.id)
    assert all(word.encode() in bytes_of_files(data) for word in words)

    result = spieltisch("people", "remove", ada.id, "--data", data)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{LATER} is removed; at {len(house.tables)} tables a guest has their place.\n"
    assert [word for word in words if word.encode() in bytes_of_files(data)] == []
    assert spieltisch("people", "show", ada.id, "--data", data).returncode == 1
    count = len(house.tables)
    assert f"{count} of {count} tables verified.\n" in spieltisch("verify", "--data", data).stdout

    restored_server = own_server()
    assert [word for word in words if word.encode() in bytes_of_files(data)] == []
    paths = {key: f"/table/{table}" for key, table in house.tables.items()}
    with Visitor(restored_server) as ada_again, Visitor(restored_server) as ben, Visitor(restored_server) as cid:
        ada_again.cookies.set("session", house.tokens[ADA])
        assert '/preferences" translate' not in ada_again.get("/").text, "her browser speaks for nobody"
        for visitor, name in ((ben, "Ben"), (cid, "Cid")):
            visitor.cookies.set("session", house.tokens[name])

        # No page and no record has the names, in any language; a guest stands in their place.
        for language in LANGUAGES:
            assert ben.submit("/preferences", language=language).status_code == 303
            for path in paths.values():
                for page in ("", "/log", "/replay", "/record", "/fairness", "/chat"):
                    answer = ben.get(path + page)
                    assert not any(word in answer.text for word in words), (path, page)
                    assert "\x1a" not in answer.text
                assert not any(word in json.dumps(ben.state(path), ensure_ascii=False) for word in words)
            lobby = ben.get("/").text
            assert not any(word in lobby for word in words)
            assert f"{GUESTS[language]} 1" in lobby
            assert f"{GUESTS[language]} 1" in ben.get(f"{paths['over']}/log").text
            for key, number in (("over", 1), ("running", 2)):
                assert f"{GUESTS[language]} {number}</b>" in ben.get(f"{paths[key]}/chat").text
        assert ben.submit("/preferences", language="en").status_code == 303
        record = Record.parse(ben.get(f"{paths['over']}/record").text)
        assert record.players == ("Ben", "Guest 1", "Cid")
        record.verify()

        # Ben is the host of what she opened, and goes on with a bot in her seat.
        running_state = ben.state(paths["running"])
        assert [seat["name"] for seat in running_state["seats"]] == ["Guest 1", "Guest 2", "Ben", "Cid"]
        assert [seat["kind"] for seat in running_state["seats"]] == ["left", "left", "person", "person"]
        for seat in (0, 1):
            assert ben.submit(f"{paths['running']}/replace/{seat}/random").status_code == 303
        while (seat_to_move := ben.state(paths["running"])["to_decide"]) in (0, 1):
            pass  # the bots begin
        player = {2: ben, 3: cid}[seat_to_move]
        move = player.state(paths["running"])["moves"][0]
        assert player.play(paths["running"], move).status_code == 200
        waiting_state = ben.state(paths["waiting"])
        assert [seat["kind"] for seat in waiting_state["seats"]] == ["link", "person", "open"]
        assert cid.sit(paths["waiting"], "").status_code == 303
        assert [ben.state(paths[key])["status"] for key in ("alone", "bots")] == ["aborted", "aborted"]
        assert [seat["kind"] for seat in ben.state(paths["kept"])["seats"]] == ["person", "link", "reserved"]
        watched_state = ben.state(paths["watched"])
        assert watched_state["status"] == "open"
        assert ben.submit(f"{paths['watched']}/renew/2").status_code == 303, "the host of a table that she only opened"
        assert ben.submit(f"{paths['over']}/rematch").headers["location"] == paths["kept"]
    assert restored_server.stop() == 0, restored_server.log
    with closing(sqlite3.connect(restored_server.file)) as database:
        files = dict(database.execute("SELECT game, text FROM component_sets WHERE text LIKE '%own-%'"))
    assert list(files) == ["paris-connection"], "the file that a table is played with stays; the other has gone"
    assert "Made by" not in files["paris-connection"], "remarks of the person who is gone"


def test_two_removed_people_have_distinct_names_at_a_table_and_its_rematch(tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = fill_server(data)
    ids_of_both = [house.people[name].id for name in (ADA, "Cid")]
    removed_people = json_output("people", "remove", *ids_of_both, "--data", data)["removed"]
    assert [person["id"] for person in removed_people] == ids_of_both
    assert set(removed_people[1]["tables"]) == {
        house.tables[key] for key in ("over", "kept", "running", "watched", "left")
    }
    finished_table, rematch = (
        json_output("tables", "show", house.tables[key], "--data", data)["seats"] for key in ("over", "kept")
    )
    assert [seat["name"] for seat in finished_table] == ["Ben", "Guest 1", "Guest 2"]
    assert [seat["kind"] for seat in rematch] == ["person", "link", "link"]

    async def abort() -> None:
        live = await Live.open(data / DATABASE, features=FEATURES)
        try:
            await live.tables.run(house.tables["kept"], tables.ask_abort, house.people["Ben"].id)
        finally:
            await live.close()

    asyncio.run(abort())


def test_a_component_file_that_contains_the_name_of_a_removed_person_is_reported(tmp_path: Path) -> None:
    """The removed person's name is also the name of a city."""
    data = tmp_path / "data"

    async def main() -> tuple[str, str]:
        live = await Live.open(data / DATABASE, features=FEATURES)
        try:
            lyon, _ = await live.people.create("Lyon")
            text = game("paris-connection").components.text.replace('name = "', 'name = "own-', 1)
            digest = await live.components.add(lyon.id, "paris-connection", text)
            plan = NewTable("paris-connection", ("me", "bot:random", "bot:random"), components=digest)
            await live.tables.open(lyon, plan)
            return lyon.id, digest
        finally:
            await live.close()

    person, digest = asyncio.run(main())
    result = spieltisch("people", "remove", person, "--data", data)
    assert result.returncode == 1
    assert (
        result.stderr
        == f"component file {digest[:12]} holds the name among its values, and tables are played with it\n"
    )
    assert "1 of 1 tables verified.\n" in spieltisch("verify", "--data", data).stdout
    assert json_output("people", "list", "--data", data)["people"] == []


def test_removing_a_person_with_a_damaged_table_names_the_table_and_changes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = fill_server(data)
    with closing(sqlite3.connect(data / DATABASE)) as database, database:
        row = (house.tables["over"],)
        database.execute("UPDATE events SET data = CAST('{' || data AS BLOB) WHERE table_id = ? AND version = 2", row)
        before = list(database.iterdump())
    refusal = spieltisch("people", "remove", house.people[ADA].id, "--data", data)
    assert refusal.returncode == 1
    assert (
        f"{house.people[ADA].id}: table {house.tables['over']} is damaged, and has to be removed first: event 2: "
        in refusal.stderr
    )
    with closing(sqlite3.connect(data / DATABASE)) as database:
        assert list(database.iterdump()) == before
    assert spieltisch("tables", "remove", house.tables["over"], "--data", data).returncode == 0
    assert spieltisch("people", "remove", house.people[ADA].id, "--data", data).returncode == 0


def test_people_are_listed_while_the_server_runs(own_server: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = fill_server(data)
    server = own_server()
    ada = house.people[ADA]
    refusal = spieltisch("people", "remove", ada.id, "--data", data)
    assert refusal.returncode == 1
    assert f"(process {server.process.pid}) is using" in refusal.stderr
    listed_people = json_output("people", "list", "--data", data)["people"]
    assert [(person["name"], person["tables"]) for person in listed_people] == [(LATER, 7), ("Ben", 7), ("Cid", 5)]
    people_found = json_output("people", "list", "--name", LATER.casefold(), "--data", data)["people"]
    assert [person["id"] for person in people_found] == [ada.id]
    people_output = json_output("people", "show", ada.id, "--data", data)
    assert (people_output["name"], people_output["devices"]) == (LATER, 1)
    assert len(people_output["files"]) == 2
    lines = spieltisch("people", "list", "--data", data).stdout.splitlines()
    assert lines[0].startswith(ada.id)
    assert lines[0].endswith(f"7 tables  {LATER}")
    lines = spieltisch("people", "show", ada.id, "--data", data).stdout.splitlines()
    assert lines[0].startswith(f"{LATER}, en, since ")
    assert lines[-1].startswith("component file ")


def test_show_and_remove_report_unknown_ids_and_missing_data_folders(tmp_path: Path) -> None:
    calls = list(product(("tables", "people"), ("show", "remove")))
    for call in calls:
        empty = spieltisch(*call, "nobody", "--data", tmp_path / "data")
        assert empty.returncode == 1
        assert "does not exist: there are no tables" in empty.stderr
        assert not (tmp_path / "data").exists()
    fill_server(tmp_path / "data")
    for call in calls:
        refusal = spieltisch(*call, "-nobody", "--data", tmp_path / "data")  # ids may begin like an option
        assert refusal.returncode == 1
        assert refusal.stderr.startswith("spieltisch: there is no ")
        assert "-nobody" in refusal.stderr
