"""Earlier names of commands and options do what the present ones do, with a warning."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app


@pytest.mark.parametrize(
    ("earlier", "present", "words"),
    [
        ("history", "results", ["history", "rebuild", "--check", "--data", "nowhere"]),
        ("--closely", "--deep-checks", ["fuzz", "paris-connection", "--closely=-1"]),
        ("--number", "--count", ["puzzles", "make", "paris-connection", "--number", "0"]),
        ("--no-compile", "--no-compile-search", ["serve", "--no-compile", "--port", "70000"]),
    ],
)
def test_an_earlier_name_is_accepted_with_a_warning(earlier: str, present: str, words: list[str]) -> None:
    ended = CliRunner().invoke(app, words)
    warning = f"Warning: {earlier} is now called {present}; the old name will be removed in the next version.\n"
    assert ended.stderr.startswith(warning)
    now = CliRunner().invoke(app, [word.replace(earlier, present, 1) for word in words])
    assert (ended.exit_code, ended.stderr.removeprefix(warning)) == (now.exit_code, now.stderr)


def test_an_earlier_name_means_nothing_where_the_present_one_is_unknown() -> None:
    ended = CliRunner().invoke(app, ["doctor", "--number", "1"])
    assert ended.exit_code == 2
    assert "Warning" not in ended.stderr
