"""The examples in docstrings run as they stand."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import spieltisch

PACKAGE = Path(spieltisch.__file__).parent
WITH_EXAMPLES = sorted(file for file in PACKAGE.rglob("*.py") if ">>> " in file.read_text("utf-8"))


def module_of(file: Path) -> str:
    """The name under which a file is imported.

    >>> module_of(PACKAGE / "web" / "http" / "stream.py")
    'spieltisch.web.http.stream'
    """
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("name", [__name__, *map(module_of, WITH_EXAMPLES)])
def test_the_examples_of_a_module_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0
