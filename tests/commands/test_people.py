"""`spieltisch people`: lists the people of a server; a removed person leaves no trace, and the others play on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from spieltisch import game, tables
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable, Table
from spieltisch.tables.chat import ChatReader
from tests.commands.test_backup import spieltisch
from tests.web.conftest import Server, Visitor

Start = Callable[..., Server]
ADA = 'Żaneta "Ada" O’Hara'
LATER = "Żywia"
BESIDE = "Żora"
GUESTS = {"en": "Guest", "de": "Gast", "fr": "Invité", "nl": "Gast"}


class House(NamedTuple):
    """The content of a server: people and their tokens, and tables by kind."""

    people: dict[str, Person]
    tokens: dict[str, str]
    tables: dict[str, str]


def furnish(data: Path) -> House:
    """Ada, under two names and with a friend beside her, at tables of all kinds; her component files; Ben and Cid."""

    async def main() -> House:
        live = await Live.open(data / DATABASE)
        try:
            people: dict[str, Person] = {}
            tokens: dict[str, str] = {}
            for name in (ADA, "Ben", "Cid"):
                people[name], tokens[name] = await live.people.create(name)
            ada, ben, cid = people.values()
            own = game("paris-connection").components.text.replace('name = "', 'name = "own-', 1)
            named = own.replace("title = { en = ", f"# Made by {LATER}.\ntitle = {{ en = ", 1).replace(
                "Our map", f"{LATER}: a map"
            )
            table_ids: dict[str, str] = {}

            async def sit(table: Table, *sitters: Person) -> Table:
                for person in sitters:
                    table = await live.tables.run(table.id, tables.sit, person, by_link=True)
                return table

            async def to_the_end(table: Table) -> Table:
                while table.position is not None and table.to_decide is not None:
                    decides = table.seats[table.to_decide].person
                    move = str(table.position.legal_moves[0])
                    table = await live.tables.run(table.id, tables.play, decides, move, table.version)
                return table

            ending = NewTable("paris-connection", ("me", "open", "open"), {"standstill": "ends"})
            over = await to_the_end(await sit(await live.tables.open(ben, ending), ada, cid))
            again = await live.tables.rematch(over.id, ben)
            table_ids |= {"over": over.id, "kept": again.id}
            ada = await live.people.update(ada.id, name=LATER)
            await live.components.add(ada.id, "paris-connection", own.replace("# ", f"# {LATER}: ", 1))
            digest = await live.components.add(ada.id, "paris-connection", named)
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
            left = await sit(
                await live.tables.open(ben, NewTable("paris-connection", ("me", "open", "open"))), ada, cid
            )
            await live.tables.run(left.id, tables.leave, ada.id)
            await live.tables.run(left.id, tables.replace_with_bot, ben.id, 1, "random")
            table_ids["left"] = left.id
            looked = await live.tables.open(ben, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
            table_ids["looked"] = looked.id
            running = await live.tables.get(table_ids["running"])
            for table, player, name, room in (
                (over, ChatReader(ada.id, 1, False, True), ADA, "table"),
                (running, ChatReader(ada.id, 0, True, True), LATER, "note"),
                (running, ChatReader(f"{ada.id}/2", 1, True, True), BESIDE, "table"),
                (looked, ChatReader(ada.id, None, False, False), LATER, "watch"),
            ):
                await live.chat.post(table, player, name, room, f"I am {name}")
            await live.chat.post(running, ChatReader(ben.id, 2, False, True), "Ben", "table", "Hallo")
            for deed in ("like", "mute"):
                await live.chat.act_on(running, ChatReader(ada.id, 0, True, True), "table", 2, deed)
            return House(people, tokens, table_ids)
        finally:
            await live.close()

    return asyncio.run(main())


def everything(data: Path) -> bytes:
    """Return the bytes of all files in the folder."""
    return b"".join(file.read_bytes() for file in sorted(data.iterdir()))


def json_output(*words: object) -> dict[str, Any]:
    answer = spieltisch(*map(str, words), "--json")
    assert answer.returncode == 0, answer.stderr
    output = json.loads(answer.stdout)
    assert isinstance(output, dict)
    return output


def test_a_person_is_nowhere_any_more_and_the_others_play_on(own_server: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = furnish(data)
    ada = house.people[ADA]
    words = (LATER, "Żaneta", BESIDE, ada.id)
    assert all(word.encode() in everything(data) for word in words)

    server = own_server()
    refused = spieltisch("people", "remove", ada.id, "--data", data)
    assert refused.returncode == 1
    assert f"(process {server.process.pid}) is using" in refused.stderr
    assert server.stop() == 0

    done = spieltisch("people", "remove", ada.id, "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{LATER} is removed; at {len(house.tables)} tables a guest has their place.\n"
    assert [word for word in words if word.encode() in everything(data)] == []
    assert spieltisch("people", "show", ada.id, "--data", data).returncode == 1
    many = len(house.tables)
    assert f"{many} of {many} tables verified.\n" in spieltisch("verify", "--data", data).stdout

    again = own_server()
    assert [word for word in words if word.encode() in everything(data)] == []
    paths = {key: f"/table/{table}" for key, table in house.tables.items()}
    with Visitor(again) as ada_again, Visitor(again) as ben, Visitor(again) as cid:
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
        running = ben.state(paths["running"])
        assert [seat["name"] for seat in running["seats"]] == ["Guest 1", "Guest 2", "Ben", "Cid"]
        assert [seat["kind"] for seat in running["seats"]] == ["left", "left", "person", "person"]
        for seat in (0, 1):
            assert ben.submit(f"{paths['running']}/replace/{seat}/random").status_code == 303
        while (decides := ben.state(paths["running"])["to_decide"]) in (0, 1):
            pass  # the bots begin
        player = {2: ben, 3: cid}[decides]
        move = player.state(paths["running"])["moves"][0]
        assert player.play(paths["running"], move).status_code == 200
        waiting = ben.state(paths["waiting"])
        assert [seat["kind"] for seat in waiting["seats"]] == ["link", "person", "open"]
        assert cid.sit(paths["waiting"], "").status_code == 303
        assert [ben.state(paths[key])["status"] for key in ("alone", "bots")] == ["aborted", "aborted"]
        assert [seat["kind"] for seat in ben.state(paths["kept"])["seats"]] == ["person", "link", "reserved"]
        watched = ben.state(paths["watched"])
        assert watched["status"] == "open"
        assert ben.submit(f"{paths['watched']}/renew/2").status_code == 303, "the host of a table that she only opened"
        assert ben.submit(f"{paths['over']}/rematch").headers["location"] == paths["kept"]
    assert again.stop() == 0, again.log
    with closing(sqlite3.connect(again.file)) as database:
        files = dict(database.execute("SELECT game, text FROM component_sets WHERE text LIKE '%own-%'"))
    assert list(files) == ["paris-connection"], "the file that a table is played with stays; the other has gone"
    assert "Made by N. N." in files["paris-connection"]


def test_two_who_are_removed_stay_apart_also_for_a_rematch(own_server: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = furnish(data)
    both = [house.people[name].id for name in (ADA, "Cid")]
    removed = json_output("people", "remove", *both, "--data", data)["removed"]
    assert [person["id"] for person in removed] == both
    assert set(removed[1]["tables"]) == {house.tables[key] for key in ("over", "kept", "running", "watched", "left")}
    server = own_server()
    with Visitor(server) as ben:
        ben.cookies.set("session", house.tokens["Ben"])
        path = f"/table/{house.tables['over']}"
        assert [seat["name"] for seat in ben.state(path)["seats"]] == ["Ben", "Guest 1", "Guest 2"]
        again = f"/table/{house.tables['kept']}"
        assert [seat["kind"] for seat in ben.state(again)["seats"]] == ["person", "link", "link"]
        assert ben.submit(f"{again}/consent/ask-abort").status_code == 303
    assert server.stop() == 0


def test_a_file_that_cannot_do_without_the_name_is_reported(tmp_path: Path) -> None:
    """A person has the name of a city on the map: files that contain the city are not changed, and the host is told."""
    data = tmp_path / "data"

    async def main() -> tuple[str, str]:
        live = await Live.open(data / DATABASE)
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
    done = spieltisch("people", "remove", person, "--data", data)
    assert done.returncode == 1
    assert (
        done.stderr == f"component file {digest[:12]} holds the name among its values, and tables are played with it\n"
    )
    assert "1 of 1 tables verified.\n" in spieltisch("verify", "--data", data).stdout
    assert json_output("people", "list", "--data", data)["people"] == []


def test_a_damaged_table_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = furnish(data)
    with closing(sqlite3.connect(data / DATABASE)) as database, database:
        row = (house.tables["over"],)
        database.execute("UPDATE events SET data = CAST('{' || data AS BLOB) WHERE table_id = ? AND version = 2", row)
        before = list(database.iterdump())
    refused = spieltisch("people", "remove", house.people[ADA].id, "--data", data)
    assert refused.returncode == 1
    assert (
        f"{house.people[ADA].id}: table {house.tables['over']} is damaged, and has to be removed first: event 2: "
        in refused.stderr
    )
    with closing(sqlite3.connect(data / DATABASE)) as database:
        assert list(database.iterdump()) == before
    assert spieltisch("tables", "remove", house.tables["over"], "--data", data).returncode == 0
    assert spieltisch("people", "remove", house.people[ADA].id, "--data", data).returncode == 0


def test_who_is_there_is_listed_also_while_the_server_runs(own_server: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = furnish(data)
    own_server()
    ada = house.people[ADA]
    listed = json_output("people", "list", "--data", data)["people"]
    assert [(person["name"], person["tables"]) for person in listed] == [(LATER, 7), ("Ben", 7), ("Cid", 5)]
    people_found = json_output("people", "list", "--name", LATER.casefold(), "--data", data)["people"]
    assert [person["id"] for person in people_found] == [ada.id]
    shown = json_output("people", "show", ada.id, "--data", data)
    assert (shown["name"], shown["devices"]) == (LATER, 1)
    assert len(shown["files"]) == 2
    lines = spieltisch("people", "list", "--data", data).stdout.splitlines()
    assert lines[0].startswith(ada.id)
    assert lines[0].endswith(f"7 tables  {LATER}")
    lines = spieltisch("people", "show", ada.id, "--data", data).stdout.splitlines()
    assert lines[0].startswith(f"{LATER}, en, since ")
    assert lines[-1].startswith("component file ")


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    calls = list(product(("tables", "people"), ("show", "remove")))
    for call in calls:
        empty = spieltisch(*call, "nobody", "--data", tmp_path / "data")
        assert empty.returncode == 1
        assert "does not exist: there are no tables" in empty.stderr
        assert not (tmp_path / "data").exists()
    furnish(tmp_path / "data")
    for call in calls:
        refused = spieltisch(*call, "-nobody", "--data", tmp_path / "data")  # ids may begin like an option
        assert refused.returncode == 1
        assert refused.stderr.startswith("spieltisch: there is no ")
        assert "-nobody" in refused.stderr
