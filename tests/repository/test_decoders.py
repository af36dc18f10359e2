"""Check that each decoded type has one decoder, created when its module is imported.

msgspec 0.22 crashes the process when two threads decode one of our types for the first time at the same moment, since
it publishes what it has learnt about the type before that is complete.
"""

from __future__ import annotations

import ast
from pathlib import Path

import spieltisch

PLAIN = {"dict", "str", "float", "int", "tuple", "list", "bool", "Any"}
"""The types that need no decoder."""
LINES = {"_JSON_TYPES", "name"}
"""The fields of a record that are JSON; none is of another type than those."""
ALONE = {"MoveRow", "Row", "kind"}
"""Rows of games, which commands read, and guides, which the server's loop reads: there is no second thread."""


WAYS = ("decode", "convert")


def late(source: str) -> list[str]:
    """Return the types, except plain ones, whose decoder is created only when something is decoded."""
    late_names = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WAYS:
            types = [keyword.value for keyword in call.keywords if keyword.arg == "type"] + call.args[1:]
            names = {node.id for kind in types for node in ast.walk(kind) if isinstance(node, ast.Name)}
            late_names += sorted(names - PLAIN - LINES - ALONE)
    return late_names


def test_the_check_finds_a_decoder_created_only_when_used() -> None:
    assert late("msgspec.json.decode(data, type=Summary)") == ["Summary"]
    assert late("msgspec.json.decode(data, type=tuple[Lost, ...])") == ["Lost"]
    assert late("msgspec.convert(data, Name)") == ["Name"]
    assert late("msgspec.json.decode(data, type=dict[str, str]), SUMMARY.decode(data)") == []


def test_each_decoded_type_has_one_decoder_created_at_import() -> None:
    folder = Path(spieltisch.__file__).parent
    names_of_files = {str(file): late(file.read_text("utf-8")) for file in folder.rglob("*.py")}
    assert {file: types for file, types in names_of_files.items() if types} == {}
