"""For all tests: compiled rules are kept in pytest's cache folder, unless `SPIELTISCH_CACHE` names another; tests in a
browser are left out where there is no Chromium."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Error, sync_playwright

from spieltisch import games
from tests.browsers import NAMES, TO_CLOSE, TO_TEST, Browsers, at_most
from tests.rules_cache import sweep

pytest_plugins = ["pytester", "tests.tiers"]
pytest.register_assert_rewrite("tests.web.game_screens")

settings.register_profile("fuzz", max_examples=500, stateful_step_count=60, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Rules are compiled once for all workers, the processes that tests start, and later runs."""
    if "SPIELTISCH_CACHE" not in os.environ:
        folder = config.rootpath / ".pytest_cache" / "compiled"
        sweep(folder)
        os.environ["SPIELTISCH_CACHE"] = str(folder)


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are processors: browsers and servers are waited for two fifths of the time."""
    return (os.cpu_count() or 1) + 2


LONG = ("whole_game", "test_kill", "test_conformance", "screens", "by_words", "test_bots_and_log", "test_live_model")
"""Of the files that take a minute or more, something of the name."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker is left alone with it in the end. Without Chromium its tests are
    left out, but not where `SPIELTISCH_BROWSER_TESTS=required`, as in CI.
    """
    items.sort(key=lambda item: not any(name in item.path.name for name in LONG))
    if os.environ.get("SPIELTISCH_BROWSER_TESTS") == "required" or any(map(shutil.which, NAMES)):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="this machine has no Chromium"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """No browser holds up the others for ever."""
    if item.get_closest_marker("browser") is None:
        return (yield)
    with at_most(TO_TEST):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """A browser that hangs while it closes is killed. No test is to blame for that, but it is told."""
    if item.get_closest_marker("browser") is None:
        return (yield)
    with at_most(TO_CLOSE) as killed:
        try:
            yield
        except Error:
            if not killed.is_set():
                raise
    if killed.is_set():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(f"a browser hung while it closed after {item.nodeid}", stacklevel=1)


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    """Browsers for the tests of one module: as long as Playwright runs, no other test can run an event loop."""
    with sync_playwright() as playwright:
        running = Browsers(playwright.chromium)
        yield running
        running.close()


@pytest.fixture
def chromium(browsers: Browsers) -> Browser:
    """The browser of the module; another one after one that hung."""
    return browsers.one()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The toy game's name, known to `spieltisch.games` for the time of one test, also to processes that the test
    starts.
    """
    yield from known(monkeypatch, "toy", "tests.toy_game")


@pytest.fixture
def lots(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same for the toy game with secret bids; the other one is known then, too."""
    yield from known(monkeypatch, "lots", "tests.toy_game,tests.toy_bids")


def known(monkeypatch: pytest.MonkeyPatch, name: str, packages: str) -> Iterator[str]:
    monkeypatch.setenv("SPIELTISCH_GAMES", packages)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent), prepend=os.pathsep)
    games.modules.cache_clear()
    yield name
    games.modules.cache_clear()
