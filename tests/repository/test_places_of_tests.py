"""Check that each test is below the folder named like the package or folder that it tests."""

from __future__ import annotations

import ast
import re

from tests.paths import ROOT

SOURCE = ROOT / "src" / "spieltisch"
TESTS = ROOT / "tests"
TESTED_FOLDERS = {"bench", "examples", "scripts"}
OTHERS = {"repository", "support", "written_for_0_1_0"}
"""The repository as a whole, what runs the tests, and a package that brings its own."""
FOLDERS = sorted({file.parent.relative_to(TESTS).as_posix() for file in TESTS.rglob("test_*.py")})


def is_tested(folder: str) -> bool:
    """Return True if the folder has the name of a package, or of the pages of a game, `games/GAME/web`."""
    package = re.sub(r"^(games/\w+)/web$", r"\1", folder)
    return (SOURCE / package / "__init__.py").exists() or folder in TESTED_FOLDERS | OTHERS


def test_each_folder_of_tests_has_the_name_of_a_package_or_folder() -> None:
    assert [folder for folder in FOLDERS if not is_tested(folder)] == []
    assert [folder for folder in TESTED_FOLDERS if not (ROOT / folder).is_dir()] == []


def test_folders_of_tests_without_a_package_of_their_name_are_found() -> None:
    assert [folder for folder in ("games/web", "journal", "store/journal", "web") if is_tested(folder)] == ["web"]


def test_no_test_imports_from_another_test() -> None:
    """Shared code belongs in a module beside the tests or in a fixture in `conftest.py`."""
    importing = [
        f"{file.relative_to(TESTS)}: {node.module}"
        for file in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and re.match(r"tests\.(.*\.)?test_", f"{node.module}.{node.names[0].name}")
    ]
    assert importing == []
