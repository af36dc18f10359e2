"""Each code of a refusal has one HTTP status, and no status stands there for a code that nobody gives."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import spieltisch
from spieltisch.web.http.statuses import STATUSES, status_of

SOURCE = Path(spieltisch.__file__).parent


def codes() -> Iterator[str]:
    """The codes in all calls that make a refusal."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TableRefusal":
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{file}:{node.lineno}: a code is written out, to be found here"
                yield str(code.value)


def test_every_code_has_a_status() -> None:
    found = set(codes())
    assert len(found) > 30
    assert found == {code for listed in STATUSES.values() for code in listed}
    assert all(400 <= status_of(code) < 600 for code in found)


def test_no_code_has_two_statuses() -> None:
    listed = Counter(code for group in STATUSES.values() for code in group)
    assert set(listed.values()) == {1}
