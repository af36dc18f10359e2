"""The command line itself: quick to ask for help, clear about what is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.commands import data_folder


def test_the_version_is_that_of_the_package() -> None:
    from spieltisch import __version__

    assert CliRunner().invoke(app, ["--version"]).output == f"spieltisch {__version__}\n"


def test_help_loads_neither_the_web_nor_the_compiler() -> None:
    asked = "import sys; from spieltisch.cli import app; print({'litestar', 'sqlalchemy', 'numba'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_an_unknown_option_is_named() -> None:
    asked = CliRunner().invoke(app, ["serve", "--prot", "1"])
    assert asked.exit_code == 2
    assert "--prot" in asked.output


def test_the_data_have_a_place_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder(None) == tmp_path / "spieltisch"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder(None) == Path.home() / ".local" / "share" / "spieltisch"
    assert data_folder(tmp_path) == tmp_path
