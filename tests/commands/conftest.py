"""Provide a running server and a component file to tests of commands."""

from pathlib import Path

import pytest

from tests.commands.lab_command import run
from tests.web.conftest import own_server

__all__ = ["own_server"]


@pytest.fixture
def own_components(tmp_path: Path) -> Path:
    """Return the path of a component file with changed values."""
    file = tmp_path / "own.toml"
    assert run("components", "export", "paris-connection", file).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "\npenalty = 20 " in text
    file.write_text(text.replace("\npenalty = 20 ", "\npenalty = 10 "), encoding="utf-8")
    return file
