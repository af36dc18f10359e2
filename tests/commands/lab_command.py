"""Run the commands for simulation and component files in this process."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from spieltisch.cli import app


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])
