"""Check the option `--database` and its environment variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.store import Store
from spieltisch.store.schema import DATABASE
from tests.async_wait import wait

PASSWORD = "gAbc-42"  # noqa: S105  # of a test
NOBODY = "localhost:1/games"
"""A database at a port at which nobody listens."""


@pytest.fixture(autouse=True)
def _keep_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the log of this process unchanged, since other tests read it."""
    monkeypatch.setattr("spieltisch.web.server.configure_logging", lambda log_format: None)


def serve(*arguments: str, **variables: str) -> str:
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--no-browser", *arguments], env=variables)
    assert result.exit_code == 1, result.output
    assert PASSWORD not in result.output
    return result.output


@pytest.mark.parametrize(
    "place", [f"ada:{PASSWORD}@{NOBODY}", f"ada@{NOBODY}?password={PASSWORD}", f"ada@{NOBODY}?sslpassword={PASSWORD}"]
)
def test_a_database_password_on_the_command_line_is_refused(place: str) -> None:
    assert "SPIELTISCH_DATABASE" in serve("--database", f"postgresql://{place}")


def test_a_database_password_in_the_environment_is_used_and_never_shown() -> None:
    assert NOBODY in serve(SPIELTISCH_DATABASE=f"postgresql://ada:{PASSWORD}@{NOBODY}")


def test_a_data_folder_and_a_database_url_exclude_each_other() -> None:
    assert "--data" in serve("--data", "there", SPIELTISCH_DATABASE=f"postgresql://ada:{PASSWORD}@{NOBODY}")


@pytest.mark.parametrize(
    "url", [f"ada:{PASSWORD}", f"postgresql://ada:{PASSWORD}@a@b:c/d", f"mysql://a:{PASSWORD}@b/c"]
)
def test_invalid_database_urls_are_refused(url: str) -> None:
    serve(SPIELTISCH_DATABASE=url)


@pytest.mark.parametrize("url", ["mysql://b/c", "postgresql+psycopg://b/c"])
def test_migrating_to_an_unsupported_database_url_fails_and_creates_no_folder(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wait(Store(tmp_path / DATABASE).close())
    result = CliRunner().invoke(app, ["migrate", "--from", ".", "--to", url])
    assert result.exit_code == 1, result.output
    assert not list(tmp_path.glob("*:*"))
