"""For all tests: compiled rules are kept in a folder of this run, unless `SPIELTISCH_CACHE` names one; browser tests
are left out where there is no Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from spieltisch import games

settings.register_profile("fuzz", max_examples=500, stateful_step_count=60, deadline=None)

CHROMIUM = ("chromium", "chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium its tests are left out, but not where `SPIELTISCH_BROWSER_TESTS=required`, as in CI."""
    if os.environ.get("SPIELTISCH_BROWSER_TESTS") == "required" or any(map(shutil.which, CHROMIUM)):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="this machine has no Chromium"))


@pytest.fixture(scope="session", autouse=True)
def compiled_rules(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile once a run, not once a test; never read what another version of the rules left in the user's cache."""
    os.environ.setdefault("SPIELTISCH_CACHE", str(tmp_path_factory.mktemp("compiled")))


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
