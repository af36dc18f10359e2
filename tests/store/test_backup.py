"""Check backups of a database: complete, checked, and never written over another file."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from spieltisch.store import Store, StoreDamaged, StoreError, StoreExists, StoreInUse, StoreUnsupported, WriteFailed
from spieltisch.store.backup import back_up, restore, snapshot
from spieltisch.store.database_check import DatabaseContents, database_contents, find_damage, open_read_only
from spieltisch.store.schema import HEAD
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.paths import ROOT
from tests.store import append_process

OPEN = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with one table of two events."""
    path = tmp_path / "data" / "house.sqlite3"
    store = Store(path)
    wait(store.create("t", "toy", bytes(32), [(1.0, b"1"), (2.0, b"2")], OPEN))
    wait(store.close())
    return path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_backups_taken_while_a_server_writes_are_complete(tmp_path: Path) -> None:
    path = tmp_path / "data" / "house.sqlite3"
    command = [sys.executable, "-m", "tests.store.append_process", str(path)]
    last_versions: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for number in range(10):
            for _ in range(20):
                table, version = process.stdout.readline().split()
                last_versions[table] = int(version)
            copy = tmp_path / f"{number}.backup"
            assert back_up(path, copy) == DatabaseContents(HEAD, 0, {"open": len(append_process.TABLES)})
            with open_read_only(copy, "ro") as connection:
                versions = dict(connection.execute("SELECT table_id, max(version) FROM events GROUP BY table_id"))
                assert find_damage(connection) == []
            assert all(versions[table] >= version for table, version in last_versions.items()), (
                "what was acknowledged is in it"
            )
        assert process.poll() is None, "the server was not disturbed"
        process.kill()
    assert not [name for name in names(tmp_path) if "part" in name or "-wal" in name or "-journal" in name]


def test_only_the_owner_of_a_backup_can_read_it(database: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        back_up(database, tmp_path / "copy")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert stat.S_IMODE(database.parent.stat().st_mode) == 0o700


def test_a_backup_never_overwrites_a_file(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter"
    target.write_text("Dear Ada")
    with pytest.raises(StoreExists, match="letter already exists"):
        back_up(database, target)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(StoreExists):
        back_up(database, tmp_path / "dangling")
    with pytest.raises(StoreExists):
        back_up(database, tmp_path)
    with pytest.raises(StoreExists):
        back_up(database, database)
    assert target.read_text() == "Dear Ada"
    assert names(tmp_path) == {"data", "letter", "dangling"}


def test_a_backup_does_not_overwrite_a_file_created_meanwhile(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy"

    def slow_check(connection: sqlite3.Connection, path: Path) -> DatabaseContents:
        target.write_text("somebody else's")
        return database_contents(connection, path)

    monkeypatch.setattr("spieltisch.store.backup.database_contents", slow_check)
    with pytest.raises(StoreExists):
        back_up(database, target)
    assert target.read_text() == "somebody else's"
    assert names(tmp_path) == {"data", "copy"}


def test_backing_up_a_damaged_database_fails(database: Path, tmp_path: Path) -> None:
    change(database, "DELETE FROM events WHERE version = 1")
    with pytest.raises(StoreDamaged, match="table t should have 2 events and has 1"):
        back_up(database, tmp_path / "copy")
    assert names(tmp_path) == {"data"}


def test_a_full_disk_leaves_no_partial_backup(database: Path, tmp_path: Path) -> None:
    store = Store(database)
    wait(store.append("t", 2, [(3.0, bytes(200_000))], OPEN))
    wait(store.close())
    # The limit is that of a process: the copy is made in one of its own.
    limited = """
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from spieltisch.store import WriteFailed
from spieltisch.store.backup import back_up
try:
    back_up(Path(sys.argv[1]), Path(sys.argv[2]))
except WriteFailed as problem:
    print(problem)
"""
    command = [sys.executable, "-c", limited, str(database), str(tmp_path / "copy")]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert "could not be copied" in result.stdout
    assert names(tmp_path) == {"data"}
    assert issubclass(WriteFailed, StoreError)


def test_a_restored_backup_has_the_events_of_its_database(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy")
    (tmp_path / "copy").chmod(0o400)
    new_backup = tmp_path / "new" / "house.sqlite3"
    assert restore(tmp_path / "copy", new_backup) == DatabaseContents(HEAD, 0, {"open": 1})
    assert names(tmp_path) == {"data", "copy", "new"}
    store = Store(new_backup)
    assert [event.data for event in wait(store.events("t"))] == [b"1", b"2"]
    assert wait(store.secret("t")) == bytes(32)
    assert wait(store.append("t", 2, [(3.0, b"3")], OPEN)) == 3
    wait(store.close())


def test_only_a_restored_database_gets_a_new_epoch(database: Path, tmp_path: Path) -> None:
    def epoch(path: Path) -> str:
        store = Store(path)
        wait(store.close())
        return store.epoch

    first, backup = epoch(database), tmp_path / "monday.backup"
    back_up(database, backup)
    assert epoch(database) == first
    restored = tmp_path / "new" / "house.sqlite3"
    restore(backup, restored)
    assert epoch(restored) == epoch(restored) != first


def test_a_backup_is_not_restored_over_existing_tables(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy")
    before = database.read_bytes()
    with pytest.raises(StoreExists):
        restore(tmp_path / "copy", database)
    store = Store(tmp_path / "new" / "house.sqlite3")
    with pytest.raises(StoreInUse):
        restore(tmp_path / "copy", Path(store.database.name))
    wait(store.close())
    assert database.read_bytes() == before
    existing_backup = tmp_path / "left" / "house.sqlite3"
    existing_backup.parent.mkdir()
    existing_backup.with_name(existing_backup.name + "-wal").write_bytes(b"what a crashed server wrote last")
    with pytest.raises(StoreExists, match="-wal"):
        restore(tmp_path / "copy", existing_backup)


def test_restoring_an_unusable_backup_changes_nothing(database: Path, tmp_path: Path) -> None:
    new_backup = tmp_path / "new" / "house.sqlite3"

    def expect_refusal(name: str, error: type[StoreError], why: str) -> None:
        with pytest.raises(error, match=why):
            restore(tmp_path / name, new_backup)
        assert not new_backup.parent.exists()

    (tmp_path / "letter").write_text("Dear Ada, " * 500)
    (tmp_path / "empty").touch()
    for name in ("newer", "torn", "orphans"):
        back_up(database, tmp_path / name)
    change(tmp_path / "newer", "UPDATE alembic_version SET version_num = 'r9999'")
    change(tmp_path / "orphans", "INSERT INTO events VALUES ('nowhere', 1, 1.0, x'31')")
    torn_backup = (tmp_path / "torn").read_bytes()
    (tmp_path / "torn").write_bytes(torn_backup[: len(torn_backup) // 2])
    change(tmp_path / "others", "CREATE TABLE recipes (name TEXT)")
    expect_refusal("letter", StoreDamaged, "letter cannot be read as a database")
    expect_refusal("empty", StoreDamaged, "empty is not a database of Spieltisch")
    expect_refusal("others", StoreDamaged, "others is not a database of Spieltisch")
    expect_refusal("newer", StoreUnsupported, "newer Spieltisch")
    expect_refusal("torn", StoreDamaged, "torn")
    expect_refusal("orphans", StoreDamaged, "refers to something that is not in tables")


def test_a_snapshot_of_a_database_is_deleted_after_use(database: Path) -> None:
    with snapshot(database) as copy:
        assert copy.name == database.name
        store = Store(copy)
        assert len(wait(store.events("t"))) == 2
        wait(store.close())
    assert not copy.parent.exists()


def test_checking_a_database_leaves_all_files_unchanged(database: Path) -> None:
    before = names(database.parent)
    with open_read_only(database) as connection:
        assert database_contents(connection, database) == DatabaseContents(HEAD, 0, {"open": 1})
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM events")
    assert names(database.parent) == before


def test_the_contents_of_a_database_are_described_in_words() -> None:
    assert str(DatabaseContents("0001", 1, {"open": 1})) == "1 table, 1 person"
    assert str(DatabaseContents("0001", 2, {"open": 1, "running": 2})) == "3 tables, 2 people"
