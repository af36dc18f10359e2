"""`scripts/test --changed`: tests that a change can affect, the nearest first, until a minute has passed.

A file stands next to those it names: modules that it imports or has in a string, templates, scripts, styles and other
files by their name; and a file that is no Python next to its package. How far a test is from a change is the number of
steps on this way.
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
    """Keep what can be reached from the changes, the nearest first, and of the equally near the first tier."""
    if not config.option.changed:
        return
    given = getattr(config, "workerinput", {})
    far = given["far"] if given else reached(config)
    places = {item: item.path.relative_to(config.rootpath).as_posix() for item in items}
    config.hook.pytest_deselected(items=[item for item in items if places[item] not in far])
    kept = [item for item in items if places[item] in far]
    items[:] = sorted(kept, key=lambda item: (far[places[item]], tier(item) != ""))
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
    """Begin no test when the time is over."""
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
    if many := config.stash[NOT_BEGUN]:
        minutes = config.option.minutes
        terminalreporter.write_line(f"Not begun in {minutes:g} minutes: {many} tests further from the change.")


# --- What a change can affect. ---


def reached(config: pytest.Config) -> dict[str, int]:
    """Return the files that a change can affect, each with its distance."""
    root = config.rootpath
    changed = changes(root, config.option.since)
    return distances(changed, neighbours(root, {*tracked(root), *changed}))


def git(root: Path, *words: str) -> list[str]:
    """The lines that git answers."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise pytest.UsageError(f"--changed: {done.stderr.strip()}")
    return done.stdout.splitlines()


def tracked(root: Path) -> list[str]:
    """All files of the checkout, new ones too."""
    return git(root, "ls-files", "--cached", "--others", "--exclude-standard")


def changes(root: Path, since: str | None) -> set[str]:
    """Return the files that differ from a commit, including deleted and new ones."""
    if since is None:
        branches = git(root, "for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/remotes/origin/main")
        since = git(root, "merge-base", "HEAD", *branches[:1])[0]
    return {
        *git(root, "diff", "--name-only", "--no-renames", since),
        *git(root, "ls-files", "--others", "--exclude-standard"),
    }


def neighbours(root: Path, files: Iterable[str]) -> dict[str, set[str]]:
    """Return for each file those that name it."""
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
            for named in names(path.read_text(encoding="utf-8", errors="replace"), modules, by_name):
                edges[named].add(file)
        if path.suffix != ".py":
            packages = (f"{folder}/__init__.py" for folder in PurePosixPath(file).parents)
            edges[file] |= {next((package for package in packages if package in packaged), file)}
    return edges


def names(text: str, modules: Mapping[str, str], by_name: Mapping[str, set[str]]) -> set[str]:
    """The files that a text names."""
    dotted = set(MODULE.findall(text))
    for package, imported in IMPORTED.findall(text):
        dotted |= {f"{package}.{name}" for name in re.findall(r"\w+", imported)}
    referenced = {modules[name] for name in (longest(name, modules) for name in dotted) if name}
    for word in set(FILE.findall(text)):
        referenced |= by_name.get(word, set())
    return referenced


def longest(name: str, modules: Mapping[str, str]) -> str:
    """The module that a dotted name begins with, "" for none."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def module(file: str) -> str:
    """Return the name under which a file is imported."""
    path = PurePosixPath(file.removeprefix("src/")).with_suffix("")
    return ".".join(path.parent.parts if path.name == "__init__" else path.parts)


def distances(changed: Iterable[str], naming: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the distance of each affected file from the changes. A word that both paths have counts twice."""
    far = dict.fromkeys(changed, 0)
    waiting = list(far)
    known = [words(file) for file in far]
    for file in waiting:
        for other in naming.get(file, ()):
            if other not in far:
                far[other] = far[file] + 1
                waiting.append(other)
    return {file: steps - 2 * max(len(words(file) & some) for some in known) for file, steps in far.items()}


def words(file: str) -> set[str]:
    """The words of a path, as far as endings do not count: "rules/building.py" has one of "test_build.py"."""
    return {word[:5] for word in re.findall(r"[^\W_]+", file)} - {"src", "tests", "test", "spiel", "py"}
