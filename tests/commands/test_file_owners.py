"""What root runs leaves nothing that the user of the server cannot open, and `doctor` looks as that user."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from spieltisch.core.file_locks import held
from spieltisch.store.schema import DATABASE
from tests.commands.test_backup import spieltisch
from tests.web.conftest import Server, Visitor

pytestmark = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
USER = 10001
"""The user the server runs as; it needs no entry in the list of users."""


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder of the user of the server, to be made where that user gets to."""
    with TemporaryDirectory() as home:
        os.chown(home, USER, USER)
        yield Path(home, "games", "data")


def owners(folder: Path) -> dict[str, set[int]]:
    return {path.name: {path.stat().st_uid, path.stat().st_gid} for path in (folder.parent, folder, *folder.iterdir())}


def test_all_that_root_makes_in_a_folder_belongs_to_its_owner(
    data: Path, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    with Visitor(server) as ada:
        table = ada.table("me", "open", "open").rpartition("/")[2]
    assert server.stop() == 0
    backup = tmp_path / "backup"
    assert spieltisch("backup", str(backup), "--data", server.data).returncode == 0
    assert spieltisch("restore", str(backup), "--data", data).returncode == 0
    assert owners(data) == {name: {USER} for name in ("games", "data", DATABASE, f"{DATABASE}.lock")}
    for words in (("results", "rebuild"), ("tables", "remove", table)):
        done = spieltisch(*words, "--data", data)
        assert done.returncode == 0, done.stderr
    assert set(map(frozenset, owners(data).values())) == {frozenset({USER})}
    assert owners(data).keys() >= {f"{DATABASE}.versions"}
    assert backup.stat().st_uid == 0, "a backup belongs to who made it"


def test_a_server_that_root_started_leaves_nothing_of_its_own(data: Path, own_server: Callable[..., Server]) -> None:
    server = own_server("--data", str(data))
    with Visitor(server) as ada:
        ada.table("me", "open", "open")
        assert owners(data).keys() >= {f"{DATABASE}-wal", f"{DATABASE}-shm"}
        assert set(map(frozenset, owners(data).values())) == {frozenset({USER})}


def test_a_link_gives_nothing_away(data: Path, tmp_path: Path) -> None:
    data.mkdir(parents=True)
    os.chown(data, USER, USER)
    (tmp_path / "of root").touch()
    (data / "lock").symlink_to(tmp_path / "of root")
    with held(data / "lock"):
        assert (tmp_path / "of root").stat().st_uid == 0


def test_doctor_looks_as_the_owner_of_the_folder(data: Path, own_server: Callable[..., Server]) -> None:
    own_server("--data", str(data)).stop()
    assert f"read by user {USER} alone" in spieltisch("doctor", "--data", data).stdout
    os.chown(data / f"{DATABASE}.versions", 0, 0)
    found = spieltisch("doctor", "--data", data)
    assert found.returncode == 1
    assert f"User {USER}, who owns {data}, may not write to {data / DATABASE}.versions: " in found.stdout
