"""Check `spieltisch tables`, with which a host lists and removes tables."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from spieltisch import game
from spieltisch.live import Live
from spieltisch.store import database_check
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable
from tests.commands.command_line import json_output, spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]


def test_tables_are_listed_while_the_server_runs_and_removed_when_it_is_stopped(own_server: Start) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server, address="127.0.0.2") as stranger:
        stopped_table = ada.table("me", "bot:random", "bot:random")
        storm = [stranger.table("me", "open", "link", name="Nemo") for _ in range(3)]
        finished_table = ada.table("me", "open", "open")
        assert ada.submit(f"{finished_table}/consent/ask-abort").status_code == 303
        address = {
            f"/table/{table['id']}": table for table in json_output("tables", "list", "--data", server.data)["tables"]
        }
        assert {path: table["status"] for path, table in address.items()} == {
            stopped_table: "running", finished_table: "aborted", **dict.fromkeys(storm, "open")
        }  # fmt: skip
        sources_by_path = {address[path]["from"] for path in storm}
        assert len(sources_by_path) == 1
        (mark,) = sources_by_path
        assert address[stopped_table]["from"] not in ("", mark)
        assert address[finished_table]["from"] == "", "forgotten when it was over"
        lines = spieltisch(
            "tables", "list", "--address", mark, "--status", "open", "--data", server.data
        ).stdout.splitlines()
        assert {line.split()[0] for line in lines} == {path.rpartition("/")[2] for path in storm}
        assert all(line.endswith("Nemo, (open), (link)") for line in lines)
        table_output = json_output("tables", "show", stopped_table.rpartition("/")[2], "--data", server.data)
        assert (table_output["seats"][0]["kind"], table_output["seats"][0]["name"]) == ("person", "Ada")
        output = spieltisch("tables", "show", lines[0].split()[0], "--data", server.data).stdout.splitlines()
        assert output[1].startswith("opened by ")
        assert output[3:] == ["seat 2: open", "seat 3: link"]
        ids = [line.split()[0] for line in lines]
        refusal = spieltisch("tables", "remove", *ids, "--data", server.data)
        assert refusal.returncode == 1
        assert f"(process {server.process.pid}) is using" in refusal.stderr
        assert stranger.state(storm[0])["status"] == "open", "nothing has changed"
    assert server.stop() == 0

    refusal = spieltisch("tables", "remove", *ids, "nowhere", "--data", server.data)
    assert (refusal.returncode, "there is no table nowhere" in refusal.stderr) == (1, True)
    result = spieltisch("tables", "remove", *ids, "--data", server.data)
    assert (result.returncode, result.stdout, result.stderr) == (0, "3 tables removed.\n", "")
    content = b"".join(file.read_bytes() for file in server.data.iterdir())
    assert [content.count(key.encode()) for key in ids] == [1, 1, 1], "only the log of what administrators did has them"
    with closing(sqlite3.connect(server.file)) as database:
        assert database_check.find_damage(database) == []
    remaining_tables = json_output("tables", "list", "--data", server.data)["tables"]
    assert {f"/table/{table['id']}": table["status"] for table in remaining_tables} == {
        stopped_table: "running",
        finished_table: "aborted",
    }
    assert spieltisch("verify", "--data", server.data).stdout == "2 of 2 tables verified.\n"


def test_a_component_file_is_deleted_with_its_last_table(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def furnish() -> tuple[str, str, str, str]:
        live = await Live.open(data / DATABASE)
        try:
            ada, _ = await live.people.create("Ada")
            text = game("paris-connection").components.text.replace('name = "', 'name = "own-', 1)
            digest = await live.components.add(ada.id, "paris-connection", text)
            first, own_file = [
                await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "open"), components=components))
                for components in ("", digest)
            ]
            return ada.id, digest, first.id, own_file.id
        finally:
            await live.close()

    person, digest, first, own_file = asyncio.run(furnish())

    def files() -> set[str]:
        with closing(sqlite3.connect(data / DATABASE)) as database:
            return {digest for (digest,) in database.execute("SELECT digest FROM component_sets")}

    files_before = files()
    assert digest in files_before
    assert spieltisch("tables", "remove", own_file, "--data", data).returncode == 0
    assert files() == files_before, "it is still hers"
    assert spieltisch("people", "remove", person, "--data", data).returncode == 0
    assert files() == files_before - {digest}
    assert spieltisch("tables", "remove", first, "--data", data).returncode == 0
    assert files() == set()
