"""`spieltisch tables`: how the host of a server handles a flood of new tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing

from spieltisch.store import database_check
from tests.commands.test_backup import spieltisch
from tests.commands.test_people import json_output
from tests.web.conftest import Server, Visitor

Start = Callable[..., Server]


def test_tables_of_a_stranger_are_listed_while_it_runs_and_removed_when_it_stands(own_server: Start) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server, address="127.0.0.2") as stranger:
        kept = ada.table("me", "bot:random", "bot:random")
        storm = [stranger.table("me", "open", "link", name="Nemo") for _ in range(3)]
        over = ada.table("me", "open", "open")
        assert ada.submit(f"{over}/consent/ask-abort").status_code == 303
        address = {
            f"/table/{table['id']}": table for table in json_output("tables", "list", "--data", server.data)["tables"]
        }
        assert {path: table["status"] for path, table in address.items()} == {
            kept: "running", over: "aborted", **dict.fromkeys(storm, "open")
        }  # fmt: skip
        marks = {address[path]["from"] for path in storm}
        assert len(marks) == 1
        (mark,) = marks
        assert address[kept]["from"] not in ("", mark)
        assert address[over]["from"] == "", "forgotten when it was over"
        lines = spieltisch(
            "tables", "list", "--address", mark, "--status", "open", "--data", server.data
        ).stdout.splitlines()
        assert {line.split()[0] for line in lines} == {path.rpartition("/")[2] for path in storm}
        assert all(line.endswith("Nemo, (open), (link)") for line in lines)
        shown = json_output("tables", "show", kept.rpartition("/")[2], "--data", server.data)
        assert (shown["seats"][0]["kind"], shown["seats"][0]["name"]) == ("person", "Ada")
        output = spieltisch("tables", "show", lines[0].split()[0], "--data", server.data).stdout.splitlines()
        assert output[1].startswith("opened by ")
        assert output[3:] == ["seat 2: open", "seat 3: link"]
        ids = [line.split()[0] for line in lines]
        refused = spieltisch("tables", "remove", *ids, "--data", server.data)
        assert refused.returncode == 1
        assert f"(process {server.process.pid}) is using" in refused.stderr
        assert stranger.state(storm[0])["status"] == "open", "nothing has changed"
        cookies = dict(ada.cookies)
    assert server.stop() == 0

    refused = spieltisch("tables", "remove", *ids, "nowhere", "--data", server.data)
    assert (refused.returncode, "there is no table nowhere" in refused.stderr) == (1, True)
    done = spieltisch("tables", "remove", *ids, "--data", server.data)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 tables removed.\n", "")
    assert not any(key.encode() in file.read_bytes() for key in ids for file in server.data.iterdir())
    with closing(sqlite3.connect(server.file)) as database:
        assert database_check.find_damage(database) == []
    again = own_server()
    with Visitor(again) as ada:
        ada.cookies.update(cookies)
        assert ada.state(kept)["status"] == "running"
        assert ada.get(storm[0]).status_code == 404
    assert again.stop() == 0


def test_component_files_go_with_their_last_table(own_server: Start) -> None:
    server = own_server()
    where = "/games/paris-connection/components"
    with Visitor(server) as ada:
        first = ada.table("me", "open", "open")
        text = ada.get(f"{where}.toml").text.replace('name = "', 'name = "own-', 1)
        digest = ada.submit(where, text=text).headers["location"].partition("set=")[2]
        own = ada.table("me", "open", "open", components=digest)
        person = json_output("people", "list", "--data", server.data)["people"][0]["id"]
    assert server.stop() == 0

    def files() -> set[str]:
        with closing(sqlite3.connect(server.file)) as database:
            return {digest for (digest,) in database.execute("SELECT digest FROM component_sets")}

    everything = files()
    assert digest in everything
    assert spieltisch("tables", "remove", own.rpartition("/")[2], "--data", server.data).returncode == 0
    assert files() == everything, "it is still hers"
    assert spieltisch("people", "remove", person, "--data", server.data).returncode == 0
    assert files() == everything - {digest}
    assert spieltisch("tables", "remove", first.rpartition("/")[2], "--data", server.data).returncode == 0
    assert files() == set()
