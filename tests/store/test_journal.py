"""The versions noted beside a database: what it has lost is noticed, and nothing else."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from spieltisch.store import Store, StoreLost, journal
from spieltisch.store.backup import back_up, restore
from spieltisch.store.journal import Journal, journal_of, read_journal
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait
from tests.store import append_process

ROOT = Path(__file__).parents[2]
SUMMARY = TableSummary("open", (SeatSummary("open"),), host="ada")


def grow(path: Path, events: int, table: str = "north") -> None:
    """A server that starts, appends so many events, and stops."""
    store = Store(path)
    version = next((stored.version for stored in wait(store.tables()) if stored.id == table), 0)
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


def without(path: Path, *ends: str) -> None:
    for end in ends:
        path.with_name(path.name + end).unlink(missing_ok=True)


@pytest.mark.parametrize("grown", [False, True])
def test_a_log_deleted_after_a_kill_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str], grown: bool) -> None:
    path = tmp_path / "house.sqlite3"
    if grown:
        grow(path, 3)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.append_process", str(path)], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    acknowledged = {table.decode(): int(version) for table, version in (line.split() for line in lines)}
    without(path, "-wal", "-shm")
    losses = find_lost(path)
    assert losses.keys() == set(append_process.TABLES)
    for table, (noted_, stored) in losses.items():
        assert acknowledged[table] <= noted_ <= acknowledged[table] + 1, "all that anybody was told"
        assert stored == (4 if grown and table == "north" else 0)
    output = capsys.readouterr().out
    assert output.count("a table has lost its newest events") == 4
    assert "the database is older than it was" in output
    assert find_lost(path) == losses, "kept for whoever asks"
    assert "older" not in capsys.readouterr().out, "and said once"


def test_an_older_backup_brought_back_is_no_loss(tmp_path: Path) -> None:
    path, backup = tmp_path / "house.sqlite3", tmp_path / "monday.backup"
    grow(path, 3)
    back_up(path, backup)
    grow(path, 5)
    without(path, "", "-wal", "-shm")
    assert read_journal(path) == {"north": 9}
    restore(backup, path)
    assert find_lost(path) == {}
    assert read_journal(path) == {"north": 4}


def test_it_is_written_anew_at_a_start_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    grow(path, 3)
    grow(path, 2)
    assert journal_of(path).read_bytes() == b"north 4\nnorth 6\n"
    assert stat.S_IMODE(journal_of(path).stat().st_mode) == 0o600
    journal_of(path).unlink()
    assert find_lost(path) == {}, "a database from before there was one"
    assert journal_of(path).read_bytes() == b"north 6\n"


def test_lines_that_are_not_whole_tell_nothing(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    grow(path, 3)
    with journal_of(path).open("ab") as opened:
        opened.write(b"\0\0\0\nnorth x\neast 7 8\nnorth 5000")
    assert read_journal(path) == {"north": 4}
    assert find_lost(path) == {}


def test_a_long_one_is_shortened_and_what_was_removed_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_where_it_cannot_be_written_tables_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "house.sqlite3"
    grow(path, 1)
    journal_of(path).unlink()
    journal_of(path).with_name(journal_of(path).name + ".part").mkdir()
    store = Store(path)
    wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
    wait(store.append("north", 3, [(1.0, b"{}")], SUMMARY))
    assert capsys.readouterr().out.count("versions cannot be noted") == 1
    journal_of(path).with_name(journal_of(path).name + ".part").rmdir()
    wait(store.append("north", 4, [(1.0, b"{}")], SUMMARY))
    wait(store.close())
    assert read_journal(path) == {"north": 5}


@pytest.mark.parametrize("end", ["", "-wal", ".lock"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_or_lock_that_is_gone_is_noticed_before_a_write_is_acknowledged(
    tmp_path: Path, end: str, replaced: bool
) -> None:
    path = tmp_path / "house.sqlite3"
    grow(path, 1)
    store = Store(path)
    wait(store.check())
    gone = path.with_name(path.name + end)
    gone.rename(tmp_path / "aside")
    if replaced:
        gone.write_bytes((tmp_path / "aside").read_bytes())
    with pytest.raises(StoreLost):
        wait(store.check())
    with pytest.raises(StoreLost):
        wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
    gone.unlink(missing_ok=True)
    (tmp_path / "aside").rename(gone)
    wait(store.check())
    wait(store.append("north", 2, [(1.0, b"{}")], SUMMARY))
    wait(store.close())
    assert read_journal(path) == {"north": 3}
