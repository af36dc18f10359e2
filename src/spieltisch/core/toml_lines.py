"""On which line of a TOML text each value stands; `tomllib` reads the values but forgets where they were.

>>> lines = toml_lines("title = 'x'\\n[[cities]]\\nid = 'lyon'\\nat = [\\n  12,\\n  10,\\n]\\n")
>>> lines["cities", 0, "id"], lines["cities", 0, "at", 1], lines["cities", 0]
(3, 6, 2)
"""

from __future__ import annotations

import re
import tomllib
from typing import TypeAlias

Steps: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of tables, and indices of lists from 0."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[^\s=.\[\]{},\"'#]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")
_STRING = re.compile(r"\"\"\"(?:[^\\]|\\.)*?\"{3,5}|'''.*?'{3,5}|\"(?:[^\"\\]|\\.)*\"|'[^']*'", re.DOTALL)


def toml_lines(text: str) -> dict[Steps, int]:
    """The line, from 1, of every key, table and list item in `text`, which must be TOML that `tomllib` reads."""
    return _Scanner(text).document()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[Steps, int] = {(): 1}
        self.last: dict[Steps, int] = {}  # the index of the latest [[table]] of each array of tables

    def document(self) -> dict[Steps, int]:
        table: Steps = ()
        self._match(_SPACE)
        while self.at < len(self.text):
            table = self._header() if self.text[self.at] == "[" else self._entry(table)
            self._match(_SPACE)
        return self.lines

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        piece = found.group() if found else ""
        self.at += len(piece)
        self.line += piece.count("\n")
        return piece

    def _header(self) -> Steps:
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        line = self.line
        self.at += brackets
        keys = self._keys()
        self.at += brackets
        table: Steps = ()
        for number, key in enumerate(keys, start=1):
            table += (key,)
            self.lines.setdefault(table, line)
            if brackets == 2 and number == len(keys):
                self.last[table] = self.last.get(table, -1) + 1
            if table in self.last:
                table += (self.last[table],)
        self.lines[table] = line
        return table

    def _entry(self, table: Steps) -> Steps:
        line = self.line
        steps = table
        for key in self._keys():
            steps += (key,)
            self.lines.setdefault(steps, line)
        self.at += 1  # the equals sign
        self._value(steps)
        return table

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._match(_SPACE)
            if self.text[self.at] in "\"'":
                keys.append(_unquoted(self._match(_STRING)))
            else:
                keys.append(self._match(_BARE))
            self._match(_SPACE)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _value(self, steps: Steps) -> None:
        self._match(_SPACE)
        self.lines.setdefault(steps, self.line)
        match self.text[self.at]:
            case "[":
                self._items(steps)
            case "{":
                self._inline_table(steps)
            case '"' | "'":
                self._match(_STRING)
            case _:
                self._match(_SCALAR)

    def _items(self, steps: Steps) -> None:
        self.at += 1
        index = 0
        while self._more("]"):
            self._value((*steps, index))
            index += 1

    def _inline_table(self, steps: Steps) -> None:
        self.at += 1
        while self._more("}"):
            self._entry(steps)

    def _more(self, end: str) -> bool:
        """Passes a comma, or the end of a list or inline table; False at the end."""
        self._match(_SPACE)
        if self.text[self.at] == ",":
            self.at += 1
            self._match(_SPACE)
        if self.text[self.at] == end:
            self.at += 1
            return False
        return True


def _unquoted(key: str) -> str:
    ((_, value),) = tomllib.loads(f"key = {key}").items()
    return str(value)
