"""Check that the data folder and its files are readable only by their owner."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from spieltisch.store.database_files import make_private, readable_by_others
from spieltisch.store.schema import DATABASE
from tests.web.servers import Server
from tests.web.visitors import Visitor

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files")


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


def test_files_of_a_server_become_readable_only_by_their_owner(own_server: Callable[..., Server]) -> None:
    before = os.umask(0)
    try:
        server = own_server()
    finally:
        os.umask(before)
    with Visitor(server) as ada:
        path = ada.table("me", "open", "open")
        modes_of_files = modes(server.data)
        cookies = dict(ada.cookies)
    assert modes_of_files.pop("data") == 0o700
    assert set(modes_of_files) >= {DATABASE, f"{DATABASE}-wal", f"{DATABASE}.lock"}
    assert set(modes_of_files.values()) == {0o600}, modes_of_files

    server.stop(9)  # which leaves the log of the database behind
    server.data.chmod(0o755)
    for file in server.data.iterdir():
        file.chmod(0o644)
    server = own_server()
    assert server.data.stat().st_mode & 0o777 == 0o700
    assert {mode for name, mode in modes(server.data).items() if name != "data"} == {0o600}
    with Visitor(server) as ada:
        ada.cookies.update(cookies)
        assert ada.state(path)["seat"] == 0
    assert server.stop() == 0


def test_permissions_of_a_shared_folder_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "for-all"
    folder.mkdir()
    folder.chmod(0o1777)
    (folder / "letter").write_text("of somebody else", encoding="utf-8")
    (folder / "letter").chmod(0o644)
    with capture_logs() as log_entries:
        make_private(folder / DATABASE)
    assert modes(folder) == {"for-all": 0o777 | stat.S_ISVTX, "letter": 0o644, DATABASE: 0o600}
    assert list(readable_by_others(folder / DATABASE)) == [folder]
    assert ["others can read what they should not" in line["event"] for line in log_entries] == [True]
