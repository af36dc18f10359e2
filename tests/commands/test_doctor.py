"""Check `spieltisch doctor`: its findings and advice, and that it does not disturb a running server."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import sys
from collections import namedtuple
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spieltisch.bots.search import native_library
from spieltisch.cli import app
from spieltisch.games import GAMES
from spieltisch.store import Store
from spieltisch.store.schema import DATABASE
from tests.async_wait import wait
from tests.commands.command_line import spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]
Disk = namedtuple("Disk", "total used free")


@pytest.fixture
def port() -> int:
    """Return a port on which no server listens."""
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        return int(free_socket.getsockname()[1])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with an empty database."""
    wait(Store(tmp_path / "data" / DATABASE).close())
    return tmp_path / "data"


def ask(data: Path, port: int) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["doctor", "--data", str(data), "--port", str(port)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def change(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as connection, connection:
        connection.execute(statement)


def test_doctor_reports_findings_beside_a_running_server(own_server: Start, port: int) -> None:
    server = own_server("--port", str(port))
    with Visitor(server) as ada:
        path = ada.table("me", "open", "open")
        result = spieltisch("doctor", "--data", server.data, "--port", str(port))
        assert ada.state(path)["status"] == "open"
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("ok    Spieltisch ")
    assert "SQLite 3." in result.stdout
    assert f"A server runs on this folder (process {server.process.pid})" in result.stdout
    assert "The database is sound: 1 table, 1 person (1 open)." in result.stdout
    assert f"Port {port} is in use, apparently by the running server." in result.stdout
    assert "are free on the disk" in result.stdout
    assert "Compiled rules in " in result.stdout
    assert result.stdout.endswith("\nNothing has to be done.\n")
    assert server.stop() == 0


def test_doctor_reports_findings_before_the_first_start_of_a_server(tmp_path: Path, port: int) -> None:
    code, output = ask(tmp_path / "new" / "data", port)
    assert code == 0
    assert "does not exist yet; the server creates it at its first start" in output
    assert f"Port {port} is free" in output
    assert not (tmp_path / "new").exists(), "it changes nothing"
    code, output = ask(tmp_path, port)
    assert code == 0
    assert "There are no tables yet" in output
    assert list(tmp_path.iterdir()) == []


def test_doctor_reports_a_data_folder_that_is_a_file(tmp_path: Path, port: int) -> None:
    (tmp_path / "data").touch()
    code, output = ask(tmp_path / "data", port)
    assert code == 1
    assert "do    " in output
    assert "is a file; name a folder with --data" in output
    assert "1 thing has to be done" in output


def test_doctor_reports_files_of_another_owner(data: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, rights, **_: Path(path).name != DATABASE)  # root may do everything
    code, output = ask(data, port)
    assert code == 1
    assert f"You may not write to {data / DATABASE}: give them to the user the server runs as" in output


def test_doctor_reports_secrets_that_others_can_read(data: Path, port: int) -> None:
    data.chmod(0o755)
    (data / DATABASE).chmod(0o640)
    code, output = ask(data, port)
    assert code == 1
    assert f"{data} (mode 755), {data / DATABASE} (mode 640): open to other users" in output
    assert f"chmod 700 {data} && chmod 600 {data / DATABASE}" in output
    wait(Store(data / DATABASE).close())
    assert ask(data, port)[0] == 0


def test_doctor_reports_a_full_disk(data: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(10**12, 10**12, 90_000_000))
    code, output = ask(data, port)
    assert code == 1
    assert "Only 90.0 MB are free on the disk: make room" in output


@pytest.mark.parametrize(
    ("statement", "expected_reason"),
    [
        ("UPDATE alembic_version SET version_num = 'r9999'", "newer Spieltisch"),
        ("DROP TABLE alembic_version", "is not a database of Spieltisch"),
        ("INSERT INTO seat_holders VALUES ('nowhere', 1, 'ada')", "refers to something that is not in tables"),
        (
            "INSERT INTO tables VALUES ('t', 'toy', '', 0, 0, 2, 'open', x'7b', NULL, NULL, NULL, 0, 0)",
            "should have 2 events and has 0",
        ),
    ],
)
def test_doctor_reports_an_unusable_database(data: Path, port: int, statement: str, expected_reason: str) -> None:
    change(data, statement)
    code, output = ask(data, port)
    assert code == 1
    assert expected_reason in output
    assert "Traceback" not in output


def test_doctor_reports_a_damaged_database(data: Path, port: int) -> None:
    whole_database = (data / DATABASE).read_bytes()
    (data / DATABASE).write_bytes(whole_database[: len(whole_database) // 2])
    code, output = ask(data, port)
    assert code == 1
    assert "restore a backup: spieltisch restore FILE" in output


def test_doctor_counts_frozen_tables(data: Path, port: int) -> None:
    change(data, "INSERT INTO tables VALUES ('t', 'toy', '', 0, 0, 1, 'frozen', x'7b7d', NULL, NULL, NULL, 0, 0)")
    change(data, "INSERT INTO events VALUES ('t', 1, 0, x'7b7d')")
    code, output = ask(data, port)
    assert code == 0
    assert "1 table is frozen" in output


def test_doctor_reports_a_port_in_use(data: Path) -> None:
    with socket.socket() as taken_socket:
        taken_socket.bind(("127.0.0.1", 0))
        taken_socket.listen()
        number = taken_socket.getsockname()[1]
        code, output = ask(data, number)
    assert code == 1
    assert f"Port {number} cannot be used" in output
    assert "choose another with --port" in output


def test_doctor_reports_an_unwritable_cache_of_compiled_rules(
    data: Path, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").touch()
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path / "cache" / "rules"))
    code, output = ask(data, port)
    assert code == 1
    assert "SPIELTISCH_CACHE" in output


@pytest.mark.build
def test_doctor_reports_that_bots_play_at_full_strength(data: Path, port: int) -> None:
    for key in GAMES:
        native_library.build(key)
    assert "What bots search with is compiled, for all games." in ask(data, port)[1]


def test_doctor_reports_that_bots_play_below_their_strength(
    data: Path, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path / "empty"))
    code, output = ask(data, port)
    assert code == 0
    assert f"What bots search with is not compiled yet: {', '.join(GAMES)}." in output
    assert not (tmp_path / "empty").exists(), "it changes nothing"
    monkeypatch.setitem(sys.modules, "numba", None)
    code, output = ask(data, port)
    assert code == 1
    assert f"The medium, hard and expert bots play weaker in {', '.join(GAMES)}: Numba cannot be used" in output
    assert "1 thing has to be done." in output


def test_doctor_counts_compiled_rules_of_other_versions(
    data: Path, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules" / "paris-connection-0123456789abcdef").mkdir(parents=True)
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    # This process may have found its cache before.
    result = spieltisch("doctor", "--data", data, "--port", str(port))
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"none yet; 0 bytes, 1 of \d+ folders from other versions", result.stdout)
