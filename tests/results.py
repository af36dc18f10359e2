"""Report in the closing lines what a run cost and where its time went.

For a failed browser test, pictures of its pages and logs of its servers are kept in `screenshots/failed`.
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
    """A server with its log so far."""

    address: str

    @property
    def log(self) -> str: ...

    @property
    def is_running(self) -> bool: ...


SERVERS: Final[list[Logging]] = []
"""Those of the test that runs."""


class Spent:
    """The resources used by a run, where `started` includes what the workers have started."""

    def __init__(self) -> None:
        self.begun = time.time()
        self.seconds: dict[str, float] = defaultdict(float)
        self.kinds: dict[str, str] = {}
        self.repeated: dict[str, str] = {}
        self.started: Counter[str] = Counter()

    def add(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        self.kinds[report.nodeid] = next((name for name in (*SECOND, "browser") if name in report.keywords), "other")
        if repeat_reason := dict(report.user_properties).get(REPEATED):
            self.repeated[report.nodeid] = str(repeat_reason)

    def by(self, group: dict[str, str]) -> Iterable[tuple[str, int, float]]:
        """Return each group of tests with their number and seconds, the longest first."""
        total: dict[str, float] = defaultdict(float)
        for test, seconds in self.seconds.items():
            total[group[test]] += seconds
        count = Counter(group[test] for test in self.seconds)
        return ((name, count[name], total[name]) for name in sorted(total, key=total.__getitem__, reverse=True))


SPENT: Final = pytest.StashKey[Spent]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SPENT] = Spent()
    config.pluginmanager.register(_Reports(config.stash[SPENT]), "spent")


class _Reports:
    """The sums of all reports, from this process and workers."""

    def __init__(self, spent_time: Spent) -> None:
        self.spent = spent_time

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.spent.add(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.spent.started += Counter(getattr(node, "workeroutput", {}).get("started", {}))


@pytest.fixture(scope="session", autouse=True)
def own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Count the rules that tests compile into separate cache folders."""
    yield
    STARTED["compiles"] += compiled_since(0.0, tmp_path_factory.getbasetemp())


def compiled_since(begun: float, folder: Path) -> int:
    """Return the number of compiled files in a folder that are newer than `begun`."""
    count = 0
    for file in (file for ending in COMPILED for file in folder.rglob(ending)):
        with suppress(FileNotFoundError):
            count += file.stat().st_mtime >= begun
    return count


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report from a worker what it has started, and fail after too many browser crashes."""
    spent_time = session.config.stash[SPENT]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["started"] = dict(STARTED)
        return
    spent_time.started += STARTED
    if len(spent_time.repeated) > MAX_REPEATED and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    spent_time, write_line = config.stash[SPENT], terminalreporter.write_line
    for test, repeat_reason in spent_time.repeated.items():
        write_line(f"Repeated once, for {repeat_reason}: {test}")
    if len(spent_time.repeated) > MAX_REPEATED:
        write_line(
            f"The run has failed: {len(spent_time.repeated)} tests were repeated, {MAX_REPEATED} may be.", red=True
        )
    if not spent_time.seconds:
        return
    if config.get_verbosity() >= 0:
        terminalreporter.write_sep("=", "where the time went")
        folders = {test: "/".join(test.partition("::")[0].split("/")[:2]) for test in spent_time.seconds}
        for group in (spent_time.kinds, folders):
            for name, count, seconds in spent_time.by(group):
                write_line(f"{seconds / 60:7.1f} min  {count:5} {'test ' if count == 1 else 'tests'}  {name}")
        for test, _, seconds in list(spent_time.by({test: test for test in spent_time.seconds}))[:SLOWEST]:
            write_line(f"{seconds:7.1f} s    {test}")
    servers, browsers = spent_time.started["servers"], spent_time.started["browsers"]
    compiles = spent_time.started["compiles"] + compiled_since(spent_time.begun, cache_root())
    minutes = (time.time() - spent_time.begun) / 60
    tests = len(spent_time.seconds)
    write_line(f"{tests} tests, {minutes:.1f} minutes, {servers} servers, {browsers} browsers, {compiles} compiles.")


def pytest_runtest_logfinish() -> None:
    SERVERS[:] = [server for server in SERVERS if server.is_running]


def keep(item: pytest.Item, report: pytest.TestReport, pages: Iterable[Any]) -> str:
    """Store pictures of the pages and logs of the servers of a failed test, and report their path."""
    name = re.sub(r"[^\w.]+", "-", item.nodeid.removeprefix("tests/"))[-150:]
    folder = item.config.rootpath / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    report_lines = []
    for number, page in enumerate(pages):
        file = folder / f"{name}.{number}.png"
        try:
            page.screenshot(path=file, timeout=5_000)
            report_lines.append(f"{page.url}: {file}")
        except Exception as problem:  # another failure would hide the first
            report_lines.append(f"no screenshot of {page.url}: {problem}")
    for number, server in enumerate(SERVERS):
        file = folder / f"{name}.{number}.log"
        file.write_text(server.log, encoding="utf-8")
        report_lines.append(f"{server.address}: {file}")
    if report_lines:
        report.sections.append(("what is kept of it", "\n".join(report_lines)))
    return "\n".join(report_lines)
