"""Check the processes that are forked for tests."""

from __future__ import annotations

import sys

import pytest

from tests.forked import run

pytestmark = pytest.mark.tools

TOLD = """
import os, sys
parent = os.getppid()
print(parent, len(os.listdir(f"/proc/{parent}/task")), {"playwright", "pytest", "numba"} & {*sys.modules})
"""


def test_all_test_processes_are_forked_from_one_process_without_threads_or_playwright() -> None:
    first, second = (run(sys.executable, "-c", TOLD).stdout for _ in range(2))
    assert first == second
    assert first.split(maxsplit=1)[1] == "1 set()\n"
