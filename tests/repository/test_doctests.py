"""Check that the examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import spieltisch

PACKAGE = Path(spieltisch.__file__).parent
WITH_EXAMPLES = sorted(file for file in PACKAGE.rglob("*.py") if ">>> " in file.read_text("utf-8"))


def module_of(file: Path) -> str:
    """Return the name under which a file is imported.

    >>> module_of(PACKAGE / "web" / "http" / "stream.py")
    'spieltisch.web.http.stream'
    """
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


COMPILING = ("spieltisch.lab.saved_game", "spieltisch.lab.vector")
"""The modules whose examples compile something."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.build if name in COMPILING else ())
        for name in (__name__, *map(module_of, WITH_EXAMPLES))
    ],
)
def test_the_examples_in_docstrings_of_a_module_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0
