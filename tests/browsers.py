"""Provide Debian's Chromium to tests: one browser for each process, which is killed when it hangs.

Under heavy load Chromium sometimes hangs while it closes, and a run would wait for it forever. A test whose browser
crashed is repeated once and reported, and so is a test whose browser hung before it had opened a page. If a page of
ours makes the browser hang, the test fails.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import threading
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from _pytest.runner import runtestprotocol

from tests.process_tree import children_of
from tests.results import REPEATED, STARTED, keep

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page

NAMES: Final = ("/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser")
"""The first draws the same pages without windows, for two thirds of the processor; Debian's script of the same name
would stay between it and who kills it. It lacks notifications and pushes.
"""
UNWANTED: Final = (
    "WebUIOmniboxPopup",  # these two: pages of the browser's own with every window, half of what a test costs
    "WebUIOmniboxAimPopup",
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    "ThirdPartyStoragePartitioning",
)
"""Features of Chromium; what Playwright does not want stands here, too, for the last list counts."""
SWITCHES: Final = (
    "--no-sandbox",
    "--font-render-hinting=none",  # as with windows: the browser without them would make letters wider
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",  # drawn by the processor anyway: a quarter less work than by a GPU's stand-in
    "--in-process-gpu",
    f"--disable-features={','.join(UNWANTED)}",
    "--optimization-guide-performance-class=1",  # or after three minutes it would try how fast a language model is
)
TO_CLOSE: Final = 30.0
"""Seconds that browsers may take to close."""
TO_TEST: Final = 300.0
"""Seconds that a test in a browser may take; where all is busy the longest takes three minutes."""
CRASH: Final = pytest.StashKey[str]()
"""The crashes of browsers and pages during a test."""
PAGE_CRASHED: Final = re.compile("(Page|Target) crashed")
START_CRASHED: Final = re.compile("BrowserType.launch: Target page, context or browser has been closed")
OPENING_CLOSED: Final = re.compile(
    r"(Browser\.new_context|BrowserContext\.new_page): Target page, context or browser has"
)
"""The text of Playwright's error if a browser was killed while it opened a context or an empty page."""


def executable(*, is_full_browser: bool = False) -> str:
    """Return the path of Debian's headless Chromium, or of the full one."""
    path = next(filter(None, map(shutil.which, NAMES[is_full_browser:])), None)
    assert path, "browser tests need Debian's chromium"
    return path


def launch(kind: BrowserType, *switches: str, is_full_browser: bool = False, **settings: Any) -> Browser:
    """Launch Debian's headless Chromium, or the full Chromium."""
    STARTED["browsers"] += 1
    return kind.launch(
        executable_path=executable(is_full_browser=is_full_browser), args=[*SWITCHES, *switches], **settings
    )


class Browsers:
    """One browser at a time; when it has ended, another takes its place.

    Until this is closed, Playwright's event loop runs in this thread on a separate stack; `loop_aside` lets other event
    loops run.
    """

    def __init__(self) -> None:
        from playwright.sync_api import sync_playwright  # only where a browser is wanted

        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self._browser: Browser | None = None
        self._is_closed = False

    def one(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self._browser = launch(self._playwright.chromium)
        return self._browser

    def has_ended(self) -> bool:
        """Return True if the browser has ended. It is closed with the last test, whose failures are reported later."""
        if self._is_closed:
            return False
        self._playwright.request.new_context().dispose()  # when this is answered, all that happened before was told
        return self._browser is not None and not self._browser.is_connected()

    def pages(self) -> list[Page]:
        """Return the open pages."""
        contexts = self._browser.contexts if self._browser is not None and not self._is_closed else []
        return [page for context in contexts for page in context.pages]

    def tidy(self) -> None:
        """Close the contexts that a test has left open."""
        for context in self._browser.contexts if self._browser is not None else []:
            context.close()

    def close(self) -> None:
        asyncio._set_running_loop(self._loop)  # wherever the last test ran
        self._is_closed = True
        if self._browser is not None:
            self._browser.close()
        self._playwright.stop()


@contextmanager
def loop_aside() -> Iterator[None]:
    """Let other event loops run in this thread while Playwright's loop is paused."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        if loop is not None and not loop.is_closed():
            asyncio._set_running_loop(loop)


@contextmanager
def at_most(seconds: float) -> Iterator[threading.Event]:
    """Kill the browsers if the block runs longer than this time.

    Calls that wait for a browser then fail, and the test continues. The yielded event is set when the browsers have
    been killed.
    """
    was_killed = threading.Event()

    def end() -> None:
        was_killed.set()
        kill(os.getpid())

    end_timer = threading.Timer(seconds, end)
    end_timer.daemon = True
    end_timer.start()
    try:
        yield was_killed
    finally:
        end_timer.cancel()


def kill(parent: int) -> None:
    """Kill all browsers that this process has started, directly or through its child processes."""
    for child in children_of(parent):
        with suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text().startswith("chrom"):
                os.kill(child, signal.SIGKILL)
            else:
                kill(child)


# --- What pytest asks. ---


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsers]:
    """Yield the browsers of this process."""
    started_browsers = Browsers()
    yield started_browsers
    started_browsers.close()


@pytest.fixture
def chromium(browsers: Browsers) -> Iterator[Browser]:
    """Return the browser of this process, or a new browser after one that hung or crashed."""
    yield browsers.one()
    browsers.tidy()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip browser tests without Chromium, except with `SPIELTISCH_BROWSER_TESTS=required`, as in CI."""
    if os.environ.get("SPIELTISCH_BROWSER_TESTS") == "required" or any(map(shutil.which, NAMES)):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="this machine has no Chromium"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Limit the time of a browser test, and repeat a test whose browser crashed."""
    if not item.get_closest_marker("browser"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports, crash = _tried(item, nextitem)
    if crash:
        item.user_properties.append((REPEATED, crash))
        reports, _ = _tried(item, nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _tried(item: pytest.Item, nextitem: pytest.Item | None) -> tuple[list[pytest.TestReport], str]:
    """Run a test; return its reports, and what crashed or "".

    A browser that was killed counts as crashed only if it hung while it opened an empty page.
    """
    item.stash[CRASH] = ""
    with at_most(TO_TEST) as was_killed:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if not was_killed.is_set():
        return reports, item.stash[CRASH]
    is_opening = any(report.failed and OPENING_CLOSED.search(report.longreprtext) for report in reports)
    return reports, "its browser had hung as it opened a page" if is_opening else ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """After a failed test, record which browsers crashed, and keep the pages that are still open."""
    report = yield
    browsers: Browsers | None = getattr(item, "funcargs", {}).get("browsers")
    if report.failed:
        has_ended = browsers is not None and browsers.has_ended()
        kept_pages = keep(item, report, browsers.pages() if browsers is not None else [])
        if has_ended:
            item.stash[CRASH] = "its browser had crashed"
        elif START_CRASHED.search(report.longreprtext):
            item.stash[CRASH] = "its browser had crashed as it started"
        elif PAGE_CRASHED.search(report.longreprtext + kept_pages):
            item.stash[CRASH] = "its page had crashed"
    return report


@contextmanager
def _loops_of(item: pytest.Item) -> Iterator[None]:
    """Pause Playwright's event loop during tests that do not use the browser."""
    with nullcontext() if "browsers" in getattr(item, "fixturenames", ()) else loop_aside():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    with _loops_of(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    with _loops_of(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Kill a browser that hangs while closing, and report that without failing the test."""
    with _loops_of(item):
        if nextitem is not None and not item.get_closest_marker("browser"):
            return (yield)
        with at_most(TO_CLOSE) as was_killed:
            try:
                yield
            except Exception as problem:
                from playwright.sync_api import Error  # only where browsers were

                if not (was_killed.is_set() and isinstance(problem, Error)):
                    raise
    if was_killed.is_set():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(f"a browser hung while it closed after {item.nodeid}", stacklevel=1)
