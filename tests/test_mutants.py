"""`scripts/mutants`: a broken rule is noticed by the tests that name it. All rules of a game take minutes, so a few."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "mutants"


@pytest.mark.parametrize("only", [["--only", "L22"], ["--only", "L9 ", "--statements"]])
def test_the_tests_of_a_rule_notice_that_it_is_broken(only: list[str]) -> None:
    command = [sys.executable, str(SCRIPT), "legendary-inventors", *only]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    *lines, last = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert lines
    assert all(line.startswith("noticed ") for line in lines)
    assert last == f"{len(lines)} mutants, 0 of them survived"
