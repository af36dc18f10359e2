"""Check commands on PostgreSQL, and migrations from a data folder to PostgreSQL and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Row, Table, select
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.features import FEATURES
from spieltisch.store import Store, StoreUnsupported, people
from spieltisch.store.backup import back_up
from spieltisch.store.copying import copy_rows
from spieltisch.store.people import Preferences
from spieltisch.store.schema import DATABASE, EPOCH_KEY, METADATA, SETTINGS
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.postgres import Server

pytestmark = pytest.mark.postgresql
SUMMARY = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
EVENTS = [(1.0, b"%d" % number) for number in range(1, 2501)]
"""More than are copied at once."""


def run(*arguments: str | Path, **variables: str) -> dict[str, Any]:
    """Run a command, check that it succeeds, and return its JSON."""
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"], env=variables)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def refused(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 1, result.output
    return result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with a person and two tables."""
    store = Store(tmp_path / "data" / DATABASE, FEATURES)
    wait(people.add(store, "Ada", "de", Preferences(), 1.0))
    for table in ("t", "u"):
        wait(store.create(table, "toy", bytes(range(32)), EVENTS, SUMMARY))
    wait(store.close())
    return tmp_path / "data"


def all_rows(connection: Connection, table: Table) -> Sequence[Row[*tuple[Any, ...]]]:
    return connection.execute(select(table)).all()


def rows(place: Path | str, *, epoch: bool = True) -> dict[str, list[Any]]:
    """Return all rows of a database except those that belong to one server."""
    store = Store(place, FEATURES)
    own_settings = ("server",) if epoch else ("server", EPOCH_KEY)
    try:
        return {
            table.name: [
                tuple(row)
                for row in wait(store.read(partial(all_rows, table=table)))
                if table is not SETTINGS or row.name not in own_settings
            ]
            for table in METADATA.sorted_tables
        }
    finally:
        wait(store.close())


def test_data_are_unchanged_after_migrating_to_postgresql_and_back(
    folder: Path, tmp_path: Path, postgres: Server
) -> None:
    url = postgres.schema()
    before = rows(folder / DATABASE)
    assert run("migrate", "--from", folder, "--to", url)["rows"] > 5000
    assert rows(url) == before
    assert "not empty" in refused("migrate", "--from", folder, "--to", url)
    run("migrate", "--from", url, "--to", tmp_path / "back")
    assert rows(tmp_path / "back" / DATABASE) == before


def test_an_interrupted_migration_opens_on_no_server_and_can_be_resumed(folder: Path, postgres: Server) -> None:
    url = postgres.schema()
    before = rows(folder / DATABASE)
    steps = copy_rows(folder / DATABASE, url, FEATURES, is_stopped=True)
    while next(steps)[0] != 1000:
        pass
    next(steps)
    steps.close()
    with pytest.raises(StoreUnsupported):
        Store(url, FEATURES)
    run("migrate", "--from", folder, "--to", url)
    assert rows(url) == before


def test_a_migration_whose_source_has_changed_fails_and_opens_on_no_server(folder: Path, postgres: Server) -> None:
    url = postgres.schema()
    steps = copy_rows(folder / DATABASE, url, FEATURES, is_stopped=True)
    while next(steps)[0] != 1000:
        pass
    steps.close()
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute("UPDATE events SET data = x'00' WHERE table_id = 't' AND version = 7")
        connection.commit()
    assert "events" in refused("migrate", "--from", folder, "--to", url)
    with pytest.raises(StoreUnsupported):
        Store(url, FEATURES)


def test_migrating_a_database_in_use_by_a_server_is_refused(folder: Path, tmp_path: Path, postgres: Server) -> None:
    url = postgres.schema()
    store = Store(url, FEATURES)
    for old, new in ((folder, url), (url, tmp_path / "new")):
        assert "using" in refused("migrate", "--from", old, "--to", new)
    wait(store.close())


def test_a_backup_of_a_running_server_is_restored_to_sqlite_and_postgresql(
    folder: Path, tmp_path: Path, postgres: Server
) -> None:
    url, other_schema = postgres.schema(), postgres.schema()
    run("migrate", "--from", folder, "--to", url)
    store = Store(url, FEATURES)
    backup = tmp_path / "monday.backup"
    assert run("backup", backup, "--database", url)["contents"]["tables"] == {"open": 2}
    assert [person["name"] for person in run("people", "list", "--database", url)["people"]] == ["Ada"]
    assert "exists" in refused("backup", backup, "--database", url)
    wait(store.close())
    run("restore", backup, SPIELTISCH_DATABASE=other_schema)
    run("restore", backup, "--data", tmp_path / "new")
    before = rows(url, epoch=False)
    assert before.pop("admin_log") == []
    for place in (other_schema, tmp_path / "new" / DATABASE):
        restored = rows(place, epoch=False)
        assert [entry[-2:] for entry in restored.pop("admin_log")] == [("restore", "monday.backup")]
        assert restored == before
    assert "not empty" in refused("restore", backup, "--database", url)
    back_up(other_schema, tmp_path / "again", FEATURES)


def test_tables_in_postgresql_are_listed_and_removed(folder: Path, postgres: Server) -> None:
    url = postgres.schema()
    run("migrate", "--from", folder, "--to", url)
    assert [table["id"] for table in run("tables", "list", "--database", url)["tables"]] == ["t", "u"]
    run("tables", "remove", "t", "--database", url)
    assert run("tables", "show", "u", "--database", url)["events"] == 2500
    refused("tables", "show", "t", "--database", url)
    assert run("results", "rebuild", "--database", url)["tables"] == 0


def test_doctor_reports_on_a_postgresql_database(folder: Path, postgres: Server) -> None:
    url = postgres.schema()

    def findings() -> dict[str, str]:
        result = CliRunner().invoke(app, ["doctor", "--port", "1", "--database", url, "--json"])
        return {finding["text"]: finding["grade"] for finding in json.loads(result.stdout)["findings"]}

    assert any("no tables yet" in text for text in findings())
    run("migrate", "--from", folder, "--to", url)
    assert any("2 tables, 1 person" in text for text in findings())
    store = Store(url, FEATURES)
    assert any("A server runs" in text for text in findings())
    wait(store.close())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM events WHERE table_id = 't' AND version = 7")
    assert any("table t" in text and grade == "do" for text, grade in findings().items())
