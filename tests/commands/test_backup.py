"""`spieltisch backup` and `spieltisch restore`, as processes, with a server that runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.forked import run
from tests.web.conftest import SERVE, Server, Visitor

Start = Callable[..., Server]


def spieltisch(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(SERVE[0], *words)


def test_from_a_running_server_to_another_folder(own_server: Start, tmp_path: Path) -> None:
    server = own_server()
    copy, new = tmp_path / "monday.backup", tmp_path / "new"
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        while not (moves := ada.state(path)["moves"]):
            pass  # the bots begin
        cookies = dict(ada.cookies)
        completed = spieltisch("backup", copy, "--data", server.data)
        assert (completed.returncode, completed.stderr) == (0, "")
        assert completed.stdout == f"{copy}: 1 table, 1 person; checked.\n"
        assert ada.state(path)["moves"] == moves, "the server goes on"
    refused = spieltisch("restore", copy, "--data", server.data)
    assert refused.returncode == 1
    assert f"(process {server.process.pid}) is using" in refused.stderr
    server.stop()
    refused = spieltisch("restore", copy, "--data", server.data)
    assert refused.returncode == 1
    assert "already exists" in refused.stderr
    completed = spieltisch("restore", copy, "--data", new)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert "1 table, 1 person" in completed.stdout
    again = Server(new)
    with Visitor(again) as ada:
        ada.cookies.update(cookies)
        assert ada.state(path)["moves"] == moves
        assert ada.play(path, moves[0]).status_code == 200
    assert again.stop() == 0, again.log


def test_what_cannot_be_done_is_said_in_words(tmp_path: Path) -> None:
    completed = spieltisch("backup", tmp_path / "copy", "--data", tmp_path / "nothing")
    assert completed.returncode == 1
    assert "does not exist: nothing to back up" in completed.stderr
    letter = tmp_path / "letter"
    letter.write_text("Dear Ada, " * 500)
    completed = spieltisch("restore", letter, "--data", tmp_path / "new")
    assert completed.returncode == 1
    assert "letter cannot be read as a database" in completed.stderr
    assert "Traceback" not in completed.stderr
    assert not (tmp_path / "new").exists()
    assert spieltisch("restore", tmp_path / "nothing", "--data", tmp_path / "new").returncode == 2
