"""Check the journal of versions beside a database, which detects lost events."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import event
from structlog.testing import capture_logs

from spieltisch.store import Store, StoreLost, journal
from spieltisch.store.backup import back_up, restore
from spieltisch.store.journal import Journal, journal_of, read_journal
from spieltisch.store.removal import remove_table
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.paths import ROOT
from tests.store import append_process

SUMMARY = TableSummary("open", (SeatSummary("open"),), host="ada")


def append_events(path: Path, events: int, table: str = "north") -> None:
    """Start a server, append this number of events, and stop the server."""
    store = Store(path)
    version = next((stored_table.version for stored_table in wait(store.tables()) if stored_table.id == table), 0)
    if not version:
        version = wait(store.create(table, "toy", bytes(32), [(1.0, b"{}")], SUMMARY))
    wait(store.append(table, version, [(1.0, b"{}")] * events, SUMMARY))
    wait(store.close())


def find_lost(path: Path) -> dict[str, tuple[int, int]]:
    """Return the losses that a start finds: the recorded and the stored version by table."""
    store = Store(path)
    losses = {loss.table: (loss.recorded, loss.stored) for loss in wait(store.lost_events())}
    wait(store.close())
    return losses


def without_lines(path: Path, *line_ends: str) -> None:
    for end in line_ends:
        path.with_name(path.name + end).unlink(missing_ok=True)


@pytest.mark.parametrize("grown", [False, True])
def test_a_write_ahead_log_deleted_after_a_kill_is_detected(tmp_path: Path, grown: bool) -> None:
    path = tmp_path / "house.sqlite3"
    if grown:
        append_events(path, 3)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.append_process", str(path)], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    acknowledged_versions = {table.decode(): int(version) for table, version in (line.split() for line in lines)}
    without_lines(path, "-wal", "-shm")
    with capture_logs() as log_entries:
        losses = find_lost(path)
    assert losses.keys() == set(append_process.TABLES)
    for table, (noted_, stored_version) in losses.items():
        assert acknowledged_versions[table] <= noted_ <= acknowledged_versions[table] + 1, "all that anybody was told"
        assert stored_version == (4 if grown and table == "north" else 0)
    output = [line["event"] for line in log_entries]
    assert sum("a table has lost its newest events" in event for event in output) == 4
    assert any("the database is older than it was" in event for event in output)
    with capture_logs() as log_entries:
        assert find_lost(path) == losses, "kept for whoever asks"
    assert not any("older" in line["event"] for line in log_entries), "and said once"


def test_a_restored_older_backup_is_not_reported_as_a_loss(tmp_path: Path) -> None:
    path, backup = tmp_path / "house.sqlite3", tmp_path / "monday.backup"
    append_events(path, 3)
    back_up(path, backup)
    append_events(path, 5)
    without_lines(path, "", "-wal", "-shm")
    assert read_journal(path) == {"north": 9}
    restore(backup, path)
    assert find_lost(path) == {}
    assert read_journal(path) == {"north": 4}


def test_the_journal_is_rewritten_at_a_start_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    append_events(path, 3)
    append_events(path, 2)
    assert journal_of(path).read_bytes() == b"north 4\nnorth 6\n"
    assert stat.S_IMODE(journal_of(path).stat().st_mode) == 0o600
    journal_of(path).unlink()
    assert find_lost(path) == {}, "a database from before there was one"
    assert journal_of(path).read_bytes() == b"north 6\n"


def test_incomplete_journal_lines_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    append_events(path, 3)
    with journal_of(path).open("ab") as open_file:
        open_file.write(b"\0\0\0\nnorth x\neast 7 8\nnorth 5000")
    assert read_journal(path) == {"north": 4}
    assert find_lost(path) == {}


def test_compacting_a_long_journal_drops_removed_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_JOURNAL_BYTES", 100)
    path = tmp_path / "house.sqlite3"
    notes = Journal(path, {"north": 1, "east": 2})
    for version in range(2, 60):
        notes.note([("north", version)])
        assert journal_of(path).stat().st_size < 120
    notes.note([("east", 0)])
    assert b"east" not in journal_of(path).read_bytes()
    notes.close()
    assert read_journal(path) == {"north": 59}
    assert journal.find_losses(read_journal(path), {"north": 59}, 0.0) == []


def test_a_removed_table_leaves_the_journal_before_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    store = Store(path)
    wait(store.create("t", "toy", bytes(32), [(1.0, b"{}")], TableSummary("finished", ())))
    assert read_journal(path) == {"t": 1}
    at_commit: list[dict[str, int]] = []
    event.listen(store.database.writing, "commit", lambda _: at_commit.append(read_journal(path)))
    wait(remove_table(store, "t"))
    wait(store.close())
    assert at_commit == [{}], "or the next start would miss it"


def test_an_unwritable_journal_does_not_stop_tables(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    append_events(path, 1)
    journal_of(path).unlink()
    journal_of(path).with_name(journal_of(path).name + ".part").mkdir()
    with capture_logs() as log_entries:
        store = Store(path)
        wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
        wait(store.append("north", 3, [(1.0, b"{}")], SUMMARY))
    assert sum("versions cannot be noted" in line["event"] for line in log_entries) == 1
    journal_of(path).with_name(journal_of(path).name + ".part").rmdir()
    wait(store.append("north", 4, [(1.0, b"{}")], SUMMARY))
    wait(store.close())
    assert read_journal(path) == {"north": 5}


@pytest.mark.parametrize("end", ["", "-wal", ".lock"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_missing_database_file_or_lock_is_detected_before_a_write_is_acknowledged(
    tmp_path: Path, end: str, is_replaced: bool
) -> None:
    path = tmp_path / "house.sqlite3"
    append_events(path, 1)
    store = Store(path)
    wait(store.check())
    removed_file = path.with_name(path.name + end)
    removed_file.rename(tmp_path / "aside")
    if is_replaced:
        removed_file.write_bytes((tmp_path / "aside").read_bytes())
    with pytest.raises(StoreLost):
        wait(store.check())
    with pytest.raises(StoreLost):
        wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
    removed_file.unlink(missing_ok=True)
    (tmp_path / "aside").rename(removed_file)
    wait(store.check())
    wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
    wait(store.close())
    assert read_journal(path) == {"north": 3}
