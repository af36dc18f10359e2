"""Check a user without a home folder, as in a container."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app
from tests.web.servers import SERVE, Server
from tests.web.visitors import Visitor

HOMELESS = [
    sys.executable,
    "-c",
    "import os, pathlib\n"
    "def home(cls): raise RuntimeError('Could not determine home directory.')\n"
    "pathlib.Path.home = classmethod(home)\n"
    "os.environ.pop('SPIELTISCH_CACHE', None); os.environ.pop('XDG_CACHE_HOME', None)\n"
    "from spieltisch.cli import app; app()",
    *SERVE[1:],
]


def test_without_a_home_folder_a_server_runs_and_doctor_names_the_variable(
    own_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = own_server(command=HOMELESS)
    with Visitor(server) as ada:
        assert ada.state(ada.table("me", "open", "open"))["status"] == "open"
    assert server.stop() == 0
    assert "Traceback" not in server.log

    def home(cls: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(home))
    for name in ("SPIELTISCH_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    doctor_result = CliRunner().invoke(app, ["doctor", "--data", str(server.data)])
    assert (doctor_result.exit_code, isinstance(doctor_result.exception, SystemExit)) == (1, True)
    assert "SPIELTISCH_CACHE" in doctor_result.output
    assert "--data" in CliRunner().invoke(app, ["doctor"]).output
