"""A browser that hangs is killed, holds nothing up, and another takes its place."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browsers import Browsers, at_most, children

CONFTEST = """
import tests.conftest
from tests.conftest import browsers, chromium, pytest_runtest_protocol, pytest_runtest_teardown

tests.conftest.TO_CLOSE = 0.5
"""
TESTS = """
import pytest

@pytest.fixture
def page(chromium):
    page = chromium.new_page()
    yield page
    page.evaluate("new Promise(() => {})")

@pytest.mark.browser
@pytest.mark.parametrize("word", ["one", "two"])
def test_what_ends_badly(page, word):
    page.set_content(word)
    assert page.inner_text("body") == word
"""


@pytest.mark.browser
def test_what_hangs_in_a_browser_ends_with_it(browsers: Browsers) -> None:
    page = browsers.one().new_page()
    assert children(os.getpid())
    with pytest.raises(Error, match="closed"), at_most(0.5) as killed:
        page.evaluate("new Promise(() => {})")
    assert killed.is_set()
    assert browsers.one().new_page().evaluate("1 + 1") == 2


@pytest.mark.browser
def test_a_browser_that_hangs_in_the_end_is_told_of(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    pytester.makeini("[pytest]\nmarkers = browser\nfilterwarnings = error\n")
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    done.assert_outcomes(passed=2, warnings=2)
    done.stdout.fnmatch_lines(["*a browser hung while it closed after *test_what_ends_badly?one?"])
