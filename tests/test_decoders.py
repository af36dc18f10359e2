"""msgspec 0.22 crashes the process when two threads decode a type of ours for the first time at one moment: it tells
what it found out about the type before that is complete. So each has one decoder, made when its module is imported.
"""

from __future__ import annotations

import ast
from pathlib import Path

import spieltisch

PLAIN = {"dict", "str", "float", "int", "tuple", "list", "bool", "Any"}
"""The types that need no decoder."""
LINES = {"_JSON_TYPES", "name"}
"""The fields of a record that are JSON; none is of another type than those."""
ALONE = {"Row", "kind"}
"""Rows of games, which commands read, and guides, which the server's loop reads: there is no second thread."""


WAYS = ("decode", "convert")


def late(source: str) -> list[str]:
    """The types, none of them plain, of which a decoder is made when something is decoded."""
    late_names = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WAYS:
            types = [keyword.value for keyword in call.keywords if keyword.arg == "type"] + call.args[1:]
            names = {node.id for kind in types for node in ast.walk(kind) if isinstance(node, ast.Name)}
            late_names += sorted(names - PLAIN - LINES - ALONE)
    return late_names


def test_a_decoder_that_is_made_late_is_found() -> None:
    assert late("msgspec.json.decode(data, type=Summary)") == ["Summary"]
    assert late("msgspec.json.decode(data, type=tuple[Lost, ...])") == ["Lost"]
    assert late("msgspec.convert(data, Name)") == ["Name"]
    assert late("msgspec.json.decode(data, type=dict[str, str]), SUMMARY.decode(data)") == []


def test_each_of_our_types_has_one_decoder_made_before_a_thread_can_need_it() -> None:
    folder = Path(spieltisch.__file__).parent
    names_of_files = {str(file): late(file.read_text("utf-8")) for file in folder.rglob("*.py")}
    assert {file: types for file, types in names_of_files.items() if types} == {}
