"""Check that a hanging browser is killed and replaced while the other tests continue.

A test whose browser crashed is repeated, and the summary of the run reports that.
"""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Error

from tests.browsers import Browsers, at_most
from tests.paths import ROOT
from tests.process_tree import children_of
from tests.results import MAX_REPEATED
from tests.tiers import first_alone

pytestmark = pytest.mark.tools

CONFTEST = """
import os

pytest_plugins = ["tests.tiers", "tests.results", "tests.browsers"]

def pytest_configure():
    import tests.browsers
    tests.browsers.TO_CLOSE = 0.5
    tests.browsers.TO_TEST = float(os.environ.get("TO_TEST", tests.browsers.TO_TEST))
"""
WHAT_CRASHED = ("page", "browser")
TESTS = """
import asyncio
import os
import signal

import pytest

from tests.browsers import kill
from tests.process_tree import children_of
from tests.results import SERVERS

tries = []

class Server:
    address, log, is_running = "http://127.0.0.1", "it has said so", True

@pytest.fixture
def hanging(chromium):
    page = chromium.new_page()
    yield page
    page.evaluate("new Promise(() => {})")

@pytest.mark.parametrize("word", ["one", "two"])
def test_what_ends_badly(hanging, word):
    hanging.set_content(word)
    assert hanging.inner_text("body") == word

@pytest.mark.parametrize("number", range(3))
def test_that_crashes_once(chromium, number):
    page = chromium.new_page()
    tries.append(number)
    if tries.count(number) == 1:
        if number:
            kill(os.getpid())
        else:
            page.goto("chrome://crash")
    page.set_content("there")
    assert page.inner_text("body") == "there"

@pytest.mark.parametrize("opens", ["a context", "a page", "nothing"])
def test_that_hangs_once(chromium, opens):
    context = chromium.new_context()
    page = context.new_page()
    tries.append(opens)
    if tries.count(opens) == 1:
        if opens == "nothing":
            page.evaluate("new Promise(() => {})")
        for child in children_of(os.getpid()):  # Playwright's own process, whose child the browser is
            for browser in children_of(child):
                os.kill(browser, signal.SIGSTOP)
        if opens == "a context":
            chromium.new_context()
        context.new_page()

async def waited():
    await asyncio.sleep(0)
    return asyncio.get_running_loop().is_running()

def test_beside_it():
    assert asyncio.run(waited())

def test_that_fails(chromium):
    page = chromium.new_page()
    SERVERS.append(Server())
    tries.append("fails")
    assert tries.count("fails") == 2
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_it=TESTS)
    pytester.makeini("[pytest]\nmarkers = browser\nfilterwarnings = error\naddopts = -p no:cacheprovider\n")
    return pytester


@pytest.mark.browser
def test_a_hanging_test_is_ended_with_its_browser(browsers: Browsers) -> None:
    page = browsers.one().new_page()
    assert children_of(os.getpid())
    with pytest.raises(Error, match="closed"), at_most(0.5) as was_killed:
        page.evaluate("new Promise(() => {})")
    assert was_killed.is_set()
    assert browsers.has_ended()
    assert browsers.one().new_page().evaluate("1 + 1") == 2


@pytest.mark.browser
def test_a_browser_that_hangs_while_closing_is_reported(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("--all", "-n0", "-k", "ends_badly")
    result.assert_outcomes(passed=2, warnings=2)
    result.stdout.fnmatch_lines(["*a browser hung while it closed after *test_what_ends_badly?one?"])


@pytest.mark.browser
@pytest.mark.parametrize(
    ("crashes", "code"), first_alone((MAX_REPEATED + 1, 1), [(MAX_REPEATED, 0), (MAX_REPEATED + 1, 1)], "crash")
)
def test_a_test_whose_browser_crashed_is_repeated_once_and_reported(
    suite: pytest.Pytester, crashes: int, code: int
) -> None:
    expected_repeats = " or ".join(f"once and {number}" for number in range(crashes))
    result = suite.runpytest_subprocess("--all", "-n1", "-k", expected_repeats)
    assert result.parseoutcomes()["passed"] == crashes
    assert result.ret == code
    lines = [
        f"Repeated once, for its {crashed_part} had crashed: test_it.py::*[[]{n}[]]"
        for n, crashed_part in enumerate(WHAT_CRASHED)
    ]
    result.stdout.fnmatch_lines(lines)
    assert ("The run has failed" in result.stdout.str()) == bool(code)


@pytest.mark.browser
def test_a_browser_that_hangs_while_opening_a_page_is_replaced(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TO_TEST", "4")
    result = suite.runpytest_subprocess("--all", "-n0", "-k", "hangs_once")
    result.assert_outcomes(passed=2, failed=1)
    opened_pages = ("a context", "a page")
    result.stdout.fnmatch_lines(
        [f"Repeated once, for its browser had hung *: test_it.py::*[[]{opened_part}[]]" for opened_part in opened_pages]
    )
    assert result.stdout.str().count("Repeated once") == len(opened_pages)


@pytest.mark.browser
def test_a_failed_browser_test_is_not_repeated_and_shows_its_pages(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("--all", "-n0", "-k", "fails")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["about:blank: *.0.png", "http://127.0.0.1: *.0.log"])
    folder = suite.path / "screenshots" / "failed"
    assert [file.read_text() for file in folder.glob("*.log")] == ["it has said so"]
    assert [file.read_bytes()[:4] for file in folder.glob("*.png")] == [b"\x89PNG"]


@pytest.mark.browser
@pytest.mark.crash
def test_event_loops_run_beside_the_browser(suite: pytest.Pytester) -> None:
    """Other event loops must run, even while the last test closes the browser."""
    suite.runpytest_subprocess("--all", "-n0", "-k", "once and 0 or beside").assert_outcomes(passed=2)
