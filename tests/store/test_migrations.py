"""Check that a database is created with the current schema, and that other files are refused."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import spieltisch.store
from spieltisch.store import Store, StoreDamaged, StoreError, StoreUnsupported
from spieltisch.store.database_check import database_contents, open_read_only
from spieltisch.store.migrate import MIGRATIONS, revision
from spieltisch.store.schema import HEAD, METADATA
from tests.async_wait import wait


def test_the_newest_migration_creates_the_declared_schema(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(spieltisch.store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD
    store = Store(tmp_path / "house.sqlite3")
    assert wait(store.read(revision)) == HEAD
    assert wait(store.read(lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA))) == []
    wait(store.close())


def test_a_database_of_a_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    wait(Store(path).close())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
    connection.close()
    with pytest.raises(StoreUnsupported, match="newer"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("r9999",)
        connection.execute("UPDATE alembic_version SET version_num = ?", (HEAD,))
    connection.close()
    wait(Store(path).close())


def test_a_database_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(StoreDamaged, match="recipes"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


def test_a_file_that_is_no_database_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite3"
    path.write_text("Dear Ada, " * 1000)
    with pytest.raises(StoreError, match="cannot be opened as a database"):
        Store(path)
    assert path.read_text() == "Dear Ada, " * 1000


def test_a_database_from_before_0_1_0_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    wait(Store(path).close())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0016'")
    before = path.read_bytes()
    with pytest.raises(StoreUnsupported, match=r"before Spieltisch 0\.1\.0"):
        Store(path)
    with open_read_only(path) as connection, pytest.raises(StoreUnsupported, match=r"before Spieltisch 0\.1\.0"):
        database_contents(connection, path)
    assert path.read_bytes() == before


def test_totals_of_an_earlier_kind_are_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    wait(Store(path).close())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'r6'")
        connection.execute("INSERT INTO person_totals (person, data) VALUES ('ada', '{}')")
    wait(Store(path).close())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM person_totals").fetchone() == (0,)


def test_a_migration_keeps_a_copy_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.sqlite3"
    wait(Store(path).close())
    migrations = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, migrations)
    later = (
        f"from alembic import op\nrevision, down_revision = 'r9', '{HEAD}'\n"
        "def upgrade():\n    op.execute('CREATE TABLE later (id TEXT)')\n"
    )
    (migrations / "versions" / "r9_later.py").write_text(later)
    for module in ("migrate", "sqlite_database"):
        monkeypatch.setattr(f"spieltisch.store.{module}.HEAD", "r9")
    monkeypatch.setattr("spieltisch.store.migrate.MIGRATIONS", migrations)
    store = Store(path)
    assert (store.upgraded_from, wait(store.read(revision))) == (HEAD, "r9")
    wait(store.close())
    copy = tmp_path / "house.sqlite3.before-r9"
    with open_read_only(copy) as connection:
        assert database_contents(connection, copy).revision == HEAD
    assert copy.stat().st_mode & 0o077 == 0
    again = Store(path)
    assert again.upgraded_from is None
    wait(again.close())
