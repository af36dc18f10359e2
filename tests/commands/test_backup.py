"""Check `spieltisch backup` and `spieltisch restore` as processes beside a running server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.commands.command_line import spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]


def test_a_backup_of_a_running_server_can_be_restored_elsewhere(own_server: Start, tmp_path: Path) -> None:
    server = own_server()
    copy, new_folder = tmp_path / "monday.backup", tmp_path / "new"
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        while not (moves := ada.state(path)["moves"]):
            pass  # the bots begin
        cookies = dict(ada.cookies)
        result = spieltisch("backup", copy, "--data", server.data)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == f"{copy}: 1 table, 1 person; checked.\n"
        assert ada.state(path)["moves"] == moves, "the server goes on"
    refusal = spieltisch("restore", copy, "--data", server.data)
    assert refusal.returncode == 1
    assert f"(process {server.process.pid}) is using" in refusal.stderr
    server.stop()
    refusal = spieltisch("restore", copy, "--data", server.data)
    assert refusal.returncode == 1
    assert "already exists" in refusal.stderr
    result = spieltisch("restore", copy, "--data", new_folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert "1 table, 1 person" in result.stdout
    restored_server = Server(new_folder)
    with Visitor(restored_server) as ada:
        ada.cookies.update(cookies)
        assert ada.state(path)["moves"] == moves
        assert ada.play(path, moves[0]).status_code == 200
    assert restored_server.stop() == 0, restored_server.log


def test_backup_and_restore_fail_with_a_message_if_the_source_is_no_database(tmp_path: Path) -> None:
    result = spieltisch("backup", tmp_path / "copy", "--data", tmp_path / "nothing")
    assert result.returncode == 1
    assert "does not exist: nothing to back up" in result.stderr
    letter = tmp_path / "letter"
    letter.write_text("Dear Ada, " * 500)
    result = spieltisch("restore", letter, "--data", tmp_path / "new")
    assert result.returncode == 1
    assert "letter cannot be read as a database" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "new").exists()
    assert spieltisch("restore", tmp_path / "nothing", "--data", tmp_path / "new").returncode == 2


def test_the_option_keep_deletes_all_but_the_newest_dated_backups(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    assert server.stop() == 0, server.log
    backups = tmp_path / "backups"
    backups.mkdir()
    old_backups = [backups / f"spieltisch-2026-01-0{day}T03-00-00.backup" for day in (1, 2, 3)]
    other_files = [backups / "spieltisch-before-upgrade.backup", backups / "notes"]
    for path in old_backups + other_files:
        path.touch()
    result = spieltisch("backup", backups, "--keep", "2", "--data", tmp_path / "data")
    assert (result.returncode, result.stderr) == (0, "")
    (new_backup,) = set(backups.iterdir()) - {old_backups[2], *other_files}
    assert new_backup.name > old_backups[2].name
    assert result.stdout.startswith(f"{new_backup}: ")
    assert spieltisch("restore", new_backup, "--data", tmp_path / "restored").returncode == 0


def test_a_failed_backup_deletes_no_older_backup(tmp_path: Path) -> None:
    old_backups = [tmp_path / f"spieltisch-2026-01-0{day}T03-00-00.backup" for day in (1, 2)]
    for path in old_backups:
        path.touch()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "spieltisch.sqlite3").write_text("Dear Ada, " * 500)
    assert spieltisch("backup", tmp_path, "--keep", "1", "--data", tmp_path / "data").returncode == 1
    assert all(path.exists() for path in old_backups)
