"""Processes that are forked for tests come from one that is clean."""

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


def test_one_process_forks_them_all_with_neither_threads_nor_playwright() -> None:
    first, second = (run(sys.executable, "-c", TOLD).stdout for _ in range(2))
    assert first == second
    assert first.split(maxsplit=1)[1] == "1 set()\n"
