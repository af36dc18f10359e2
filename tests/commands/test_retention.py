"""Check `spieltisch retention`, which lists old data and removes it on request."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from spieltisch.store import database_check
from tests.commands.command_line import json_output, spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]
DAY: Final = 86_400.0
EVE: Final = "Euphrosyne"
KEEP: Final = ("--keep-days", "unbegun_tables=700", "--keep-days", "chats=30")
LONG_AGO: Final = {
    "tables": ("changed",),
    "chat_messages": ("at",),
    "people": ("created", "seen"),
    "admin_log": ("at",),
}


def age(file: Path, days: int) -> None:
    """Make all stored data older by this number of days."""
    with closing(sqlite3.connect(file)) as database, database:
        for table, columns in LONG_AGO.items():
            for column in columns:
                database.execute(f"UPDATE {table} SET {column} = {column} - {days * DAY}")  # noqa: S608  # our own names


def test_retention_lists_old_data_of_a_running_server_and_removes_it_from_a_stopped_server(
    own_server: Start, tmp_path: Path
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as eve:
        over, running = ada.table("me", "open", "open"), ada.table("me", "bot:random", "bot:random")
        ada.submit(f"{over}/chat", text="Good game", room="table")
        assert ada.submit(f"{over}/consent/ask-abort").status_code == 303
        over_id, removed_id = (path.rpartition("/")[2] for path in (over, eve.table("me", "open", "open", name=EVE)))
        assert server.stop() == 0
    spieltisch("tables", "remove", removed_id, "--data", server.data)
    people = {person["name"]: person["id"] for person in json_output("people", "list", "--data", server.data)["people"]}
    nothing = {"tables": [], "chats": [], "people": [], "admin_log": 0}
    assert json_output("retention", *KEEP, "--data", server.data) == {
        "ok": True,
        "faults": [],
        "removed": False,
        **nothing,
    }
    age(server.file, 100)
    server = own_server()
    old = json_output("retention", *KEEP, "--data", server.data)
    assert old == {**old, "tables": [], "chats": [{"id": over_id}], "people": [{"id": people[EVE]}], "admin_log": 0}
    by_default = json_output("retention", "--data", server.data)
    assert (by_default["tables"], by_default["chats"]) == ([{"id": over_id}], []), "no game began there"
    refusal = spieltisch("retention", *KEEP, "--remove", "--data", server.data)
    assert (refusal.returncode, "is using" in refusal.stderr) == (1, True)
    assert server.stop() == 0
    age(server.file, 700)
    old = json_output("retention", *KEEP, "--data", server.data)
    assert (old["tables"], old["chats"], old["admin_log"]) == ([{"id": over_id}], [], 1)
    removed = json_output("retention", *KEEP, "--remove", "--data", server.data)
    assert removed == {**old, "removed": True}
    assert json_output("retention", *KEEP, "--data", server.data) == {**old, **nothing}
    content = b"".join(file.read_bytes() for file in server.data.iterdir())
    assert [content.count(word.encode()) for word in (people[EVE], EVE, "Good game")] == [0, 0, 0]
    with closing(sqlite3.connect(server.file)) as database:
        assert database_check.find_damage(database) == []
    remaining = json_output("tables", "list", "--data", server.data)["tables"]
    assert [(f"/table/{table['id']}", table["status"]) for table in remaining] == [(running, "running")]
    acts = json_output("admin-log", "--data", server.data)["acts"]
    assert [(act["act"], act["subject"]) for act in acts] == [("table-remove", over_id), ("person-remove", "")]
    assert spieltisch("verify", "--data", server.data).stdout == "1 of 1 tables verified.\n"


def test_an_unknown_kind_of_data_is_refused_with_the_known_kinds(tmp_path: Path) -> None:
    result = spieltisch("retention", "--keep-days", "speed=3", "--data", tmp_path)
    names = "admin_log, chats, finished_tables, unbegun_tables, unused_people"
    assert (result.returncode, f"choose from {names}" in result.stderr) == (1, True)
