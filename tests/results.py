"""What a run has cost and where its time went, in the closing lines; and of a failed test in a browser what its pages
looked like and what its servers had written, in `screenshots/failed`.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import pytest

from spieltisch.core.compiled import cache_root
from tests.tiers import SECOND

STARTED: Final[Counter[str]] = Counter()
"""The number of servers and browsers that this process has started, and of compilations into folders of its own."""
FOLDER: Final = Path("screenshots", "failed")
SLOWEST: Final = 10
REPEATED: Final = "repeated"
"""The property of a test that was repeated after its browser had crashed."""
MAX_REPEATED: Final = 2
COMPILED: Final = ("*.nbc", "libraries/*.so", "libraries/*.bc")
"""Rules and searches, once compiled."""


class Logging(Protocol):
    """A server, with what it has written so far."""

    address: str

    @property
    def log(self) -> str: ...

    @property
    def is_running(self) -> bool: ...


SERVERS: Final[list[Logging]] = []
"""Those of the test that runs."""


class Spent:
    """The time spent by a run. `started` includes what the workers have started."""

    def __init__(self) -> None:
        self.begun = time.time()
        self.seconds: dict[str, float] = defaultdict(float)
        self.kinds: dict[str, str] = {}
        self.repeated: dict[str, str] = {}
        self.started: Counter[str] = Counter()

    def add(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        self.kinds[report.nodeid] = next((name for name in (*SECOND, "browser") if name in report.keywords), "other")
        if why := dict(report.user_properties).get(REPEATED):
            self.repeated[report.nodeid] = str(why)

    def by(self, group: dict[str, str]) -> Iterable[tuple[str, int, float]]:
        """Each group of tests with how many there are and their seconds, the longest first."""
        total: dict[str, float] = defaultdict(float)
        for test, seconds in self.seconds.items():
            total[group[test]] += seconds
        many = Counter(group[test] for test in self.seconds)
        return ((name, many[name], total[name]) for name in sorted(total, key=total.__getitem__, reverse=True))


SPENT: Final = pytest.StashKey[Spent]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SPENT] = Spent()
    config.pluginmanager.register(_Reports(config.stash[SPENT]), "spent")


class _Reports:
    """Adds up what is reported, here or by workers."""

    def __init__(self, spent: Spent) -> None:
        self.spent = spent

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.spent.add(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.spent.started += Counter(getattr(node, "workeroutput", {}).get("started", {}))


@pytest.fixture(scope="session", autouse=True)
def own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Count what tests compile into folders of their own."""
    yield
    STARTED["compiles"] += compiled_since(0.0, tmp_path_factory.getbasetemp())


def compiled_since(begun: float, folder: Path) -> int:
    """Return the number of files that were compiled in a folder since then."""
    count = 0
    for file in (file for ending in COMPILED for file in folder.rglob(ending)):
        with suppress(FileNotFoundError):
            count += file.stat().st_mtime >= begun
    return count


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells what it has started. Too many crashes are a fault of ours."""
    spent = session.config.stash[SPENT]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["started"] = dict(STARTED)
        return
    spent.started += STARTED
    if len(spent.repeated) > MAX_REPEATED and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    spent, say = config.stash[SPENT], terminalreporter.write_line
    for test, why in spent.repeated.items():
        say(f"Repeated once, for {why}: {test}")
    if len(spent.repeated) > MAX_REPEATED:
        say(f"The run has failed: {len(spent.repeated)} tests were repeated, {MAX_REPEATED} may be.", red=True)
    if not spent.seconds:
        return
    if config.get_verbosity() >= 0:
        terminalreporter.write_sep("=", "where the time went")
        folders = {test: "/".join(test.partition("::")[0].split("/")[:2]) for test in spent.seconds}
        for group in (spent.kinds, folders):
            for name, many, seconds in spent.by(group):
                say(f"{seconds / 60:7.1f} min  {many:5} {'test ' if many == 1 else 'tests'}  {name}")
        for test, _, seconds in list(spent.by({test: test for test in spent.seconds}))[:SLOWEST]:
            say(f"{seconds:7.1f} s    {test}")
    servers, browsers = spent.started["servers"], spent.started["browsers"]
    compiles = spent.started["compiles"] + compiled_since(spent.begun, cache_root())
    minutes = (time.time() - spent.begun) / 60
    tests = len(spent.seconds)
    say(f"{tests} tests, {minutes:.1f} minutes, {servers} servers, {browsers} browsers, {compiles} compiles.")


def pytest_runtest_logfinish() -> None:
    SERVERS[:] = [server for server in SERVERS if server.is_running]


def keep(item: pytest.Item, report: pytest.TestReport, pages: Iterable[Any]) -> str:
    """Keep what the pages of a failed test look like, and what its servers have written; the report tells where, and so
    does this.
    """
    name = re.sub(r"[^\w.]+", "-", item.nodeid.removeprefix("tests/"))[-150:]
    folder = item.config.rootpath / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for number, page in enumerate(pages):
        file = folder / f"{name}.{number}.png"
        try:
            page.screenshot(path=file, timeout=5_000)
            kept.append(f"{page.url}: {file}")
        except Exception as problem:  # another failure would hide the first
            kept.append(f"no screenshot of {page.url}: {problem}")
    for number, server in enumerate(SERVERS):
        file = folder / f"{name}.{number}.log"
        file.write_text(server.log, encoding="utf-8")
        kept.append(f"{server.address}: {file}")
    if kept:
        report.sections.append(("what is kept of it", "\n".join(kept)))
    return "\n".join(kept)
