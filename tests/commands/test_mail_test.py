"""Check `spieltisch mail-test` with a real mail server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forked import run
from tests.live.fake_services import Post, mail_server
from tests.web.servers import SERVE


@pytest.fixture
def mail_server_process() -> Iterator[Post]:
    with mail_server() as mail_server_running:
        yield mail_server_running


def test_mail_test_sends_a_mail_with_the_settings_of_serve(mail_server_process: Post, tmp_path: Path) -> None:
    file = tmp_path / "spieltisch.toml"
    file.write_text("port = 8890\nmail-from = 'games@example.org'\n")
    server = ("--mail-server", f"smtp://127.0.0.1:{mail_server_process.settings.port}", "--config", file)
    answer = run(SERVE[0], "mail-test", "ada@example.org", "--json", *server)
    assert json.loads(answer.stdout) == {"ok": True, "faults": [], "address": "ada@example.org", "host": "127.0.0.1"}
    assert [mail["To"] for mail in mail_server_process.mails] == ["ada@example.org"]


@pytest.mark.parametrize(
    ("address", "options"),
    [
        ("ada@example.org", ()),
        ("ada", ("--mail-server", "smtp://127.0.0.1:1", "--mail-from", "games@example.org")),
        ("ada@example.org", ("--mail-server", "smtp://127.0.0.1:1", "--mail-from", "games@example.org")),
        ("ada@example.org", ("--mail-server", "http://127.0.0.1", "--mail-from", "games@example.org")),
    ],
)
def test_mail_test_with_faulty_settings_fails(address: str, options: tuple[str, ...]) -> None:
    answer = run(SERVE[0], "mail-test", address, "--json", *options)
    assert answer.returncode == 1
    assert json.loads(answer.stdout)["faults"]


def test_errors_of_mail_test_contain_no_part_of_the_password() -> None:
    answer = run(SERVE[0], "mail-test", "ada@example.org", "--mail-server", "smtps://ada:gAbc/42@mail.example.org")
    assert answer.returncode == 1
    assert "gAbc" not in answer.stdout + answer.stderr
