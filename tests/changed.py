"""Select the tests for `scripts/test --changed`: those that a change can affect, nearest first, for one minute.

A file is next to the files that it names: modules that it imports or names in a string, and templates, scripts, styles
and other files by their names. A file that is not Python is next to its package. The distance of a test from a change
is the number of such steps between them.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest

from tests.tiers import tier

MINUTES: Final = 1.0
NAMING: Final = {".py", ".js", ".html", ".css", ".svg", ""}
"""The kinds of files that are searched for the names of other files."""
IMPORTED: Final = re.compile(r"from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)")
MODULE: Final = re.compile(r"\b(?:spieltisch|tests|bench)(?:\.\w+)+|(?<=\bimport )spieltisch\b")
FILE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.\w+|\b(?:scripts|\.ci)/\w+")
NOT_BEGUN: Final = pytest.StashKey[int]()
FAR: Final = pytest.StashKey[dict[str, int]]()
END: Final = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--changed", action="store_true", help="only tests that the changes since --since can affect")
    parser.addoption("--since", metavar="COMMIT", help="with --changed; default: where this branch left main, or HEAD")
    parser.addoption("--minutes", type=float, default=MINUTES, help="with --changed: for so long; default: %(default)s")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[NOT_BEGUN] = 0
    if config.option.changed and config.pluginmanager.has_plugin("xdist"):
        config.option.dist, config.option.loadscopereorder = "loadfile", False  # all workers go from near to far


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep tests affected by the changes, nearest first, and of equally near tests the first tier first."""
    if not config.option.changed:
        return
    worker_input = getattr(config, "workerinput", {})
    far_tests = worker_input["far"] if worker_input else reached(config)
    places = {item: item.path.relative_to(config.rootpath).as_posix() for item in items}
    config.hook.pytest_deselected(items=[item for item in items if places[item] not in far_tests])
    selected_items = [item for item in items if places[item] in far_tests]
    items[:] = sorted(selected_items, key=lambda item: (far_tests[places[item]], tier(item) != ""))
    config.stash[END] = time.monotonic() + 60 * config.option.minutes


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Compute the distances of files once for all workers."""
    if node.config.option.changed:
        if FAR not in node.config.stash:
            node.config.stash[FAR] = reached(node.config)
        node.workerinput["far"] = node.config.stash[FAR]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Begin no test after the time limit."""
    if time.monotonic() < item.config.stash.get(END, float("inf")):
        return None
    item.config.stash[NOT_BEGUN] += 1
    if nextitem is None:
        item.session._setupstate.teardown_exact(None)
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    not_begun = session.config.stash[NOT_BEGUN]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["not_begun"] = not_begun


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[NOT_BEGUN] += getattr(node, "workeroutput", {}).get("not_begun", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash[NOT_BEGUN]:
        minutes = config.option.minutes
        terminalreporter.write_line(f"Not begun in {minutes:g} minutes: {count} tests further from the change.")


# --- What a change can affect. ---


def reached(config: pytest.Config) -> dict[str, int]:
    """Return the files that a change can affect, each with its distance."""
    root = config.rootpath
    changed_files = changes(root, config.option.since)
    return distances(changed_files, neighbours(root, {*tracked(root), *changed_files}))


def git(root: Path, *words: str) -> list[str]:
    """Return the lines that a git command prints."""
    result = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if result.returncode:
        raise pytest.UsageError(f"--changed: {result.stderr.strip()}")
    return result.stdout.splitlines()


def tracked(root: Path) -> list[str]:
    """Return all files of the checkout, including new files."""
    return git(root, "ls-files", "--cached", "--others", "--exclude-standard")


def changes(root: Path, base_commit: str | None) -> set[str]:
    """Return the files that differ from a commit, including deleted and new ones."""
    if base_commit is None:
        branches = git(root, "for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/remotes/origin/main")
        base_commit = git(root, "merge-base", "HEAD", *branches[:1])[0]
    return {
        *git(root, "diff", "--name-only", "--no-renames", base_commit),
        *git(root, "ls-files", "--others", "--exclude-standard"),
    }


def neighbours(root: Path, files: Iterable[str]) -> dict[str, set[str]]:
    """Return for each file the files that name it."""
    files = list(files)
    modules = {module(file): file for file in files if file.endswith(".py")}
    packaged = {*modules.values()}
    by_name: dict[str, set[str]] = defaultdict(set)
    for file in files:
        by_name[PurePosixPath(file).name].add(file)
        by_name[file].add(file)
    edges: dict[str, set[str]] = defaultdict(set)
    for file in files:
        path = root / file
        if path.suffix in NAMING and path.is_file():
            for named_test in names(path.read_text(encoding="utf-8", errors="replace"), modules, by_name):
                edges[named_test].add(file)
        if path.suffix != ".py":
            packages = (f"{folder}/__init__.py" for folder in PurePosixPath(file).parents)
            edges[file] |= {next((package for package in packages if package in packaged), file)}
    return edges


def names(text: str, modules: Mapping[str, str], by_name: Mapping[str, set[str]]) -> set[str]:
    """Return the files named in a text."""
    dotted = set(MODULE.findall(text))
    for package, imported_names in IMPORTED.findall(text):
        dotted |= {f"{package}.{name}" for name in re.findall(r"\w+", imported_names)}
    referenced = {modules[name] for name in (longest(name, modules) for name in dotted) if name}
    for word in set(FILE.findall(text)):
        referenced |= by_name.get(word, set())
    return referenced


def longest(name: str, modules: Mapping[str, str]) -> str:
    """Return the longest module name at the beginning of a dotted name, or ""."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def module(file: str) -> str:
    """Return the name under which a file is imported."""
    path = PurePosixPath(file.removeprefix("src/")).with_suffix("")
    return ".".join(path.parent.parts if path.name == "__init__" else path.parts)


def distances(changed_files: Iterable[str], naming: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the distance of each affected file from the changes. A word that both paths have counts twice."""
    file_distances = dict.fromkeys(changed_files, 0)
    waiting_files = list(file_distances)
    names_of_tests = [words(file) for file in file_distances]
    for file in waiting_files:
        for other_file in naming.get(file, ()):
            if other_file not in file_distances:
                file_distances[other_file] = file_distances[file] + 1
                waiting_files.append(other_file)
    return {
        file: steps - 2 * max(len(words(file) & words_of_test) for words_of_test in names_of_tests)
        for file, steps in file_distances.items()
    }


def words(file: str) -> set[str]:
    """Return the words of a path without their endings: "rules/building.py" shares one with "test_build.py"."""
    return {word[:5] for word in re.findall(r"[^\W_]+", file)} - {"src", "tests", "test", "spiel", "py"}
