"""Check options of `serve` from the command line, which override the environment, which overrides a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from spieltisch.cli import app

Run = Callable[..., Mapping[str, Any]]

SETTINGS: Mapping[str, tuple[str, str]] = {
    "host": ("192.0.2.1", '"192.0.2.1"'),
    "port": ("7", "7"),
    "data": ("games", '"games"'),
    "browser": ("false", "false"),
    "public-url": ("https://games.example.org", '"https://games.example.org"'),
    "network": ("true", "true"),
    "network-address": ("192.0.2.3 192.0.2.4", '["192.0.2.3", "192.0.2.4"]'),
    "limit": ("total_tables=5 requests_per_minute=7", "{ total_tables = 5, requests_per_minute = 7 }"),
    "keep-days": ("finished_tables=730 chats=365", "{ finished_tables = 730, chats = 365 }"),
    "mail-server": ("smtp://mail.example.org", '"smtp://mail.example.org"'),
    "mail-from": ("games@example.org", '"games@example.org"'),
    "allow-private-alerts": ("true", "true"),
    "push-service": ("push.example.org", '["push.example.org"]'),
    "compile-search": ("false", "false"),
    "contact": ("games@example.org", '"games@example.org"'),
    "imprint": ("imprint.md", '"imprint.md"'),
    "metrics-token": ("secret", '"secret"'),
    "log": ("json", '"json"'),
    "workers": ("2", "2"),
    "bot": ("mine.py:Mason", '["mine.py:Mason"]'),
}
"""A value of each option: as a variable, and in TOML."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `serve` with arguments and variables, and return the arguments with which the server would start."""
    run_arguments: dict[str, Any] = {}

    def start(host: str, port: int, data: Path, **options: Any) -> None:
        run_arguments.update(options, host=host, port=port, data=data)

    def run_server(*arguments: str, variables: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        run_arguments.clear()
        answer = CliRunner().invoke(app, ["serve", *arguments], env=variables)
        return dict(run_arguments) if answer.exit_code == 0 else {"exit_code": answer.exit_code, "error": answer.output}

    monkeypatch.setattr("spieltisch.web.server.serve", start)
    return run_server


def variable(option: str) -> str:
    return f"SPIELTISCH_{option.replace('-', '_').upper()}"


def test_every_option_of_serve_has_an_environment_variable_and_a_config_key(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve_command = get_command(app).commands["serve"]  # type: ignore[attr-defined]  # a group
    monkeypatch.chdir(tmp_path)
    Path("imprint.md").write_text("Ada Lovelace, London")
    names = {parameter.opts[0].removeprefix("--") for parameter in serve_command.params}
    assert names - {"config", "database", "help"} == set(SETTINGS)
    file = tmp_path / "spieltisch.toml"
    file.write_text("".join(f"{name} = {value}\n" for name, (_, value) in SETTINGS.items()))
    by_variables = run(variables={variable(name): value for name, (value, _) in SETTINGS.items()})
    by_file = run("--config", str(file))
    assert by_variables["limits"].total_tables == 5
    assert by_variables["network_addresses"] == ["192.0.2.3", "192.0.2.4"]
    assert (by_variables["open_browser"], by_variables["private_addresses"]) == (False, True)
    assert by_file == by_variables == run(variables={"SPIELTISCH_CONFIG": str(file)})


def test_the_command_line_overrides_the_environment_which_overrides_the_config_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "spieltisch.toml"
    file.write_text("port = 1\nnetwork = true\n")
    config = ("--config", str(file))
    assert run(*config)["port"] == 1
    assert run(*config, variables={"SPIELTISCH_PORT": "2"})["port"] == 2
    by_option = run(*config, "--port", "3", variables={"SPIELTISCH_PORT": "2"})
    assert (by_option["port"], by_option["network"]) == (3, True)


@pytest.mark.parametrize(
    ("content", "expected_fault"),
    [
        ("prot = 1", "prot"),
        ("config = 'other.toml'", "config"),
        ("no-browser = true", "browser = false"),
        ("network = 1", "network"),
        ("public-url = true", "public-url"),
        ("limit = 'total_tables=5'", "limit"),
        ("bot = [1]", "bot"),
        ("port = 70000", "--port"),
        ("port = ", "spieltisch.toml"),
    ],
)
def test_errors_in_a_config_file_are_reported_with_their_cause(
    run: Run, tmp_path: Path, content: str, expected_fault: str
) -> None:
    file = tmp_path / "spieltisch.toml"
    file.write_text(content)
    answer = run("--config", str(file))
    assert answer["exit_code"] in (1, 2)
    assert expected_fault in answer["error"]


def test_every_command_reads_the_data_folder_from_the_environment(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["people", "list"], env={"SPIELTISCH_DATA": str(tmp_path / "games")})
    assert str(tmp_path / "games") in answer.output.replace("\n", "")
