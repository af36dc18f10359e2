"""Check that files and functions named in CONTRIBUTING exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.tiers import SECOND
from tests.web.representatives import MOST

SOURCE = ROOT / "src" / "spieltisch"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILE = r"[\w./*-]*\w\.(?:py|js|html|svg|toml|md|lock)"
TRAVELS = TEXT.partition("## How things travel")[2].partition("\n## ")[0]
FLOWS = dict(re.findall(r"^\*\*([^*]+)\*\*\n\n((?:.+\n)+)", TRAVELS, re.M))


@cache
def defined(file: Path) -> frozenset[str]:
    """Return the names that a file defines: functions, classes, constants, and `Class.member`."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        return frozenset(re.findall(r"(?:function|const|let|class) (\w+)", text))

    def names(body: list[ast.stmt], prefix: str = "") -> set[str]:
        defined_names = set()
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                defined_names.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    defined_names |= names(node.body, f"{node.name}.")
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                if isinstance(target, ast.Name):
                    defined_names.add(prefix + target.id)
        return defined_names

    return frozenset(names(ast.parse(text).body))


@cache
def python_words() -> frozenset[str]:
    """Return every name that occurs in the sources and tests."""
    files = [*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


def exists(path: str) -> bool:
    """Return True if a path exists below the root, the package, the tests, or the folder of a game."""
    pattern = re.sub(r"\b[A-Z]+\b", "*", path)
    folders = [ROOT, SOURCE, ROOT / "tests", *(ROOT / "tests" / "games").iterdir(), *(SOURCE / "games").iterdir()]
    return any(next(folder.glob(pattern), None) is not None for folder in folders if folder.is_dir())


@pytest.mark.parametrize("file", sorted(SOURCE.glob("*/__init__.py")), ids=lambda file: file.parent.name)
def test_every_package_docstring_says_in_at_most_three_lines_what_belongs_there(file: Path) -> None:
    documented = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    paragraphs = [part for part in documented.split("\n\n") if part.startswith("Belongs here: ")]
    assert len(paragraphs) == 1
    assert len(paragraphs[0].splitlines()) <= 3
    does_not_belong = re.search(r" Does\snot\sbelong\shere: (.+)\.$", paragraphs[0].replace("\n", " "))
    assert does_not_belong
    for name in re.findall(r"`(\w+)`", does_not_belong[1]):
        assert (SOURCE / name).is_dir() or (ROOT / name).is_dir(), name


@pytest.mark.parametrize("flow", FLOWS)
def test_every_function_in_a_flow_of_contributing_is_defined_in_the_file_named_there(flow: str) -> None:
    steps = FLOWS[flow]
    pairs = re.findall(rf"`({FILE})` \(((?:`[\w.]+`(?:, )?)+)\)", steps)
    assert pairs
    missing = [
        f"{path}: {name}"
        for path, names in pairs
        for name in re.findall(r"`([\w.]+)`", names)
        if not (SOURCE / path).is_file() or name not in defined(SOURCE / path)
    ]
    assert missing == []
    assert [path for path in re.findall(rf"`({FILE})`", steps) if not (SOURCE / path).is_file()] == []


@pytest.mark.parametrize("flow", FLOWS)
def test_a_flow_of_steps_in_contributing_has_at_most_ten_steps(flow: str) -> None:
    assert 1 < len(FLOWS[flow].splitlines()) <= 10


def test_every_file_named_in_contributing_exists() -> None:
    named_files = re.findall(rf"`({FILE}|[\w.-]+/[\w./-]*)`", TEXT)
    generated_paths = {"screenshots/failed", ".pytest_cache/compiled", "dist/site"}
    assert [path for path in named_files if path not in generated_paths and not exists(path.rstrip("/"))] == []


def test_every_code_name_in_contributing_exists() -> None:
    named_codes = re.findall(r"`([A-Z]\w*(?:\.\w+)?|[a-z_]+_[a-z_]+|spieltisch(?:\.\w+)+)`", TEXT)
    unknown_names = [name for name in named_codes if not set(name.split(".")) <= python_words()]
    assert unknown_names == []


def test_contributing_describes_the_test_tiers() -> None:
    tiers = TEXT.partition("- **First tier.**")[2].partition("- **Servers**")[0]
    named_tiers = set(re.findall(r"`(\w+)`", tiers))
    assert sorted(SECOND.keys() - {"browser_detail"} - named_tiers) == [], "markers that are not explained"
    assert int(re.findall(r"at most (\d+)", tiers)[0]) == MOST
