"""Check the command line itself: fast help and clear errors."""

import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.commands import data_folder
from spieltisch.commit import CHECKOUT


def test_the_printed_version_is_the_version_of_the_package_with_its_commit() -> None:
    from spieltisch import __version__

    command = ["git", "-C", str(CHECKOUT), "rev-parse", "HEAD"]
    head = subprocess.run(command, capture_output=True, text=True, check=False).stdout[:12] if which("git") else ""
    expected = f"spieltisch {__version__} ({head})\n" if head else f"spieltisch {__version__}\n"
    assert CliRunner().invoke(app, ["--version"]).output == expected


def test_the_help_option_imports_neither_the_web_nor_the_compiler() -> None:
    program = (
        "import sys; from spieltisch.cli import app; print({'litestar', 'sqlalchemy', 'numba'} & set(sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "set()\n"
    )


def test_an_unknown_option_is_named_in_the_error() -> None:
    invocation = CliRunner().invoke(app, ["serve", "--prot", "1"])
    assert invocation.exit_code == 2
    assert "--prot" in invocation.output


def test_the_data_folder_has_a_default_per_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder(None) == tmp_path / "spieltisch"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder(None) == Path.home() / ".local" / "share" / "spieltisch"
    assert data_folder(tmp_path) == tmp_path
