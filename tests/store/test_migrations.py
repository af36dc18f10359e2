"""The shape of the file: made, found again, refused when it is not ours."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import spieltisch.store
from spieltisch.store import Store, StoreDamaged, StoreError, StoreTooNew
from spieltisch.store.migrate import revision
from spieltisch.store.schema import HEAD, METADATA
from tests.async_wait import wait
from tests.web.conftest import Server, Visitor


def test_the_newest_migration_makes_the_schema(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(spieltisch.store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD
    store = Store(tmp_path / "house.sqlite3")
    assert wait(store.read(revision)) == HEAD
    assert wait(store.read(lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA))) == []
    wait(store.close())


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    wait(Store(path).close())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreTooNew, match="newer"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
        connection.execute("UPDATE alembic_version SET version_num = ?", (HEAD,))
    connection.close()
    wait(Store(path).close())


def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(StoreDamaged, match="recipes"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite3"
    path.write_text("Dear Ada, " * 1000)
    with pytest.raises(StoreError, match="cannot be opened as a database"):
        Store(path)
    assert path.read_text() == "Dear Ada, " * 1000


def test_a_database_of_before_goes_on(own_server: Callable[..., Server]) -> None:
    """One without origins, as the first version made it: its tables are there, and new ones count."""
    server = own_server()
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        waits = ada.table("me", "open", "open")
        ada.table("me", "link", "link")
        cookies = dict(ada.cookies)
    assert server.stop() == 0
    with closing(sqlite3.connect(server.file)) as connection, connection:
        for table in ("tables", "component_owners"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN origin")
        for name in (
            "outbox",
            "ways",
            "uploads",
            "analyses",
            "words",
            "reactions",
            "mutes",
            "results",
            "recovery_codes",
            "passkeys",
            "plans",
            "lobby_entries",
            "confirmation_requests",
            *("played_games", "person_totals", "ladders", "ratings"),
        ):
            connection.execute(f"DROP TABLE {name}")
        for name in ("without_host", "uncounted"):
            connection.execute(f"DROP INDEX tables_{name}")
        connection.execute("ALTER TABLE tables DROP COLUMN uncounted")
        for name in ("due", "deal", "free"):
            connection.execute(f"DROP INDEX tables_by_{name}")
            connection.execute(f"ALTER TABLE tables DROP COLUMN {name}")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    again = own_server("--limit", "tables_per_address=1")
    with Visitor(again) as ada:
        ada.cookies.update(cookies)
        while not (moves := ada.state(path)["moves"]):
            pass  # the bots begin
        assert ada.play(path, moves[0]).status_code == 200
        assert ada.state(waits)["status"] == "open"
        with Visitor(again) as grace:
            assert re.findall(r'href="(/table/[^"]*)"', grace.get("/").text) == [waits]
        ada.table("me", "open", "open")
        assert ada.submit("/new/paris-connection", **{f"seat-{n}": "open" for n in range(3)}).status_code == 409
    with closing(sqlite3.connect(server.file)) as connection:
        assert connection.execute("SELECT count(*), count(origin) FROM tables").fetchone() == (4, 1)
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (HEAD,)
    assert again.stop() == 0
