"""Runs of equal lines in the Python files of two folders, for `scripts/measure_code`."""

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

MIN_LINES = 8
"""The number of equal lines from which a run is reported."""


def is_docstring(node: Any) -> bool:
    """Return True if a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class Line(NamedTuple):
    """A line of a file."""

    number: int
    text: str


def significant_lines(file: Path) -> list[Line]:
    """Return the lines of a Python file that are neither blank nor comment nor part of an import.

    A line of a docstring equals no other: two games may say the same of what their contract makes alike.
    """
    text = file.read_text(encoding="utf-8")
    left_out, documentation = set[int](), set[int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif is_docstring(node):
            documentation |= set(range(node.lineno, node.end_lineno + 1))
    comments = {
        token.start[0]: token.start[1]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    kept_lines = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = " ".join(line[: comments.get(number)].split())
        if bare and number not in left_out:
            kept_lines.append(Line(number, f"{file}:{number}" if number in documentation else bare))
    return kept_lines


class EqualRun(NamedTuple):
    """The same `count` lines in two files, with the number of the first of them in each."""

    count: int
    first: str
    second: str


def equal_runs(folders: list[Path]) -> list[EqualRun]:
    """Return every run of `MIN_LINES` or more equal lines in files of two folders, the longest first."""
    files = {file: significant_lines(file) for folder in folders for file in sorted(folder.rglob("*.py"))}
    where: dict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for file, kept in files.items():
        for at in range(len(kept) - MIN_LINES + 1):
            where[tuple(line.text for line in kept[at : at + MIN_LINES])].append((file, at))
    home = {file: folder for folder in folders for file in files if file.is_relative_to(folder)}
    starts = {
        (first, second)
        for places in where.values()
        for first, second in combinations(sorted(places), 2)
        if home[first[0]] != home[second[0]]
    }

    def place(file: Path, at: int) -> str:
        return f"{file.relative_to(home[file].parent).as_posix()}:{files[file][at].number}"

    def runs() -> Iterator[EqualRun]:
        for (first, at), (second, second_at) in starts:
            if ((first, at - 1), (second, second_at - 1)) in starts:
                continue
            windows = 1
            while ((first, at + windows), (second, second_at + windows)) in starts:
                windows += 1
            yield EqualRun(windows + MIN_LINES - 1, place(first, at), place(second, second_at))

    return sorted(runs(), key=lambda run: (-run.count, run))
