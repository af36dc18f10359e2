"""Check that commands run by root leave only files that the user of the server can open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from spieltisch.core.file_locks import held
from spieltisch.store.schema import DATABASE
from tests.commands.command_line import spieltisch
from tests.commands.finished_games import played
from tests.web.servers import Server
from tests.web.visitors import Visitor

pytestmark = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
USER = 10001
"""The user the server runs as; it needs no entry in the list of users."""


@pytest.fixture
def data() -> Iterator[Path]:
    """Yield the path of a data folder to be created in the home folder of the server's user."""
    with TemporaryDirectory() as home:
        os.chown(home, USER, USER)
        yield Path(home, "games", "data")


def owners(folder: Path) -> dict[str, set[int]]:
    return {path.name: {path.stat().st_uid, path.stat().st_gid} for path in (folder.parent, folder, *folder.iterdir())}


def test_files_created_by_root_belong_to_the_owner_of_the_data_folder(data: Path, tmp_path: Path) -> None:
    table = played(tmp_path / "data").rpartition("/")[2]
    backup = tmp_path / "backup"
    assert spieltisch("backup", str(backup), "--data", tmp_path / "data").returncode == 0
    assert spieltisch("restore", str(backup), "--data", data).returncode == 0
    assert owners(data) == {name: {USER} for name in ("games", "data", DATABASE, f"{DATABASE}.lock")}
    for words in (("results", "rebuild"), ("tables", "remove", table)):
        result = spieltisch(*words, "--data", data)
        assert result.returncode == 0, result.stderr
    assert set(map(frozenset, owners(data).values())) == {frozenset({USER})}
    assert owners(data).keys() >= {f"{DATABASE}.versions"}
    assert backup.stat().st_uid == 0, "a backup belongs to who made it"


def test_a_server_started_by_root_leaves_files_of_the_owner_and_doctor_checks_access_as_the_owner(
    data: Path, own_server: Callable[..., Server]
) -> None:
    server = own_server("--data", str(data))
    with Visitor(server) as ada:
        ada.table("me", "open", "open")
        assert owners(data).keys() >= {f"{DATABASE}-wal", f"{DATABASE}-shm"}
        assert set(map(frozenset, owners(data).values())) == {frozenset({USER})}
    server.stop()
    assert f"read by user {USER} alone" in spieltisch("doctor", "--data", data).stdout
    os.chown(data / f"{DATABASE}.versions", 0, 0)
    doctor_result = spieltisch("doctor", "--data", data)
    assert doctor_result.returncode == 1
    assert f"User {USER}, who owns {data}, may not write to {data / DATABASE}.versions: " in doctor_result.stdout


def test_ownership_of_files_is_not_changed_through_symbolic_links(data: Path, tmp_path: Path) -> None:
    data.mkdir(parents=True)
    os.chown(data, USER, USER)
    (tmp_path / "of root").touch()
    (data / "lock").symlink_to(tmp_path / "of root")
    with held(data / "lock"):
        assert (tmp_path / "of root").stat().st_uid == 0
