"""Check which tests `--changed` selects, their order, and the time limit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not shutil.which("git"), reason="this machine has no git"),
]

FILES = {
    "src/spieltisch/__init__.py": "",
    "src/spieltisch/web/__init__.py": "",
    "src/spieltisch/web/pages.py": "from spieltisch.web import (\n    forms,\n)\nNAME = 'lobby.html'\n",
    "src/spieltisch/web/forms.py": "import spieltisch.stones\n",
    "src/spieltisch/web/lobby.html": "{% include 'seat.html' %}",
    "src/spieltisch/web/seat.html": "",
    "src/spieltisch/stones.py": "",
    "src/spieltisch/words.toml": "",
    "tests/test_pages.py": "from spieltisch.web import pages\n",
    "tests/test_served.py": "PAGES = 'spieltisch.web.pages:app'\n",
    "tests/test_stones.py": "from spieltisch.stones import *\n",
    "tests/test_package.py": "import spieltisch\n",
    "tests/test_other.py": "",
}
for file in [file for file in FILES if file.startswith("tests/")]:
    FILES[file] = f'"""{FILES[file]}"""\ndef test_it(): pass\n'  # what is named counts, imported or not


@pytest.fixture
def checkout(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Return a small checkout without uncommitted changes."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for file, text in FILES.items():
        path = pytester.path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    pytester.makeini("[pytest]\naddopts = -p tests.tiers -p tests.changed -p no:cacheprovider -v\n")
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "All"]):
        subprocess.run([*git, *words], cwd=pytester.path, check=True)
    return pytester


def run(checkout: pytest.Pytester, *words: str) -> list[str]:
    """Return the files of the tests that ran, in order."""
    result = checkout.runpytest_subprocess("--changed", *words)
    return [Path(line.partition("::")[0]).stem for line in result.outlines if line.endswith("%]") and "PASSED" in line]


@pytest.mark.parametrize(
    ("file", "affected"),
    [
        ("src/spieltisch/stones.py", ["test_stones", "test_pages", "test_served"]),
        ("src/spieltisch/web/pages.py", ["test_pages", "test_served"]),
        ("src/spieltisch/web/seat.html", ["test_pages", "test_served"]),
        ("src/spieltisch/words.toml", ["test_package"]),
        ("tests/test_other.py", ["test_other"]),
        ("README.md", []),
    ],
)
def test_tests_selected_for_a_change_are_ordered_nearest_first(
    checkout: pytest.Pytester, file: str, affected: list[str]
) -> None:
    path = checkout.path / file
    path.write_text(FILES.get(file, "") + "\n")
    assert run(checkout, "-n0") == affected


def test_tests_of_files_that_name_a_deleted_file_are_selected(checkout: pytest.Pytester) -> None:
    (checkout.path / "src/spieltisch/web/lobby.html").unlink()
    assert run(checkout, "-n0") == ["test_pages", "test_served"]


def test_changes_in_commits_of_a_branch_are_selected_in_every_worker(checkout: pytest.Pytester) -> None:
    subprocess.run(["git", "switch", "-q", "-c", "branch"], cwd=checkout.path, check=True)
    (checkout.path / "tests/test_other.py").write_text("def test_it(): pass")
    commit = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-a", "-m", "One"]
    subprocess.run(commit, cwd=checkout.path, check=True)
    result = checkout.runpytest_subprocess("--changed", "-n1")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["Left out: 4 tests (4 other): not selected."])
    assert run(checkout, "-n0", "--since", "HEAD") == []


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_no_test_begins_after_the_reported_time_limit(checkout: pytest.Pytester, workers: str) -> None:
    (checkout.path / "src/spieltisch/stones.py").write_text("\n\n")
    result = checkout.runpytest_subprocess("--changed", "--minutes", "0", workers)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["Not begun in 0 minutes: 3 tests further from the change."])
