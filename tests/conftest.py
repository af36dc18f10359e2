"""What tests of all folders share: the browser, and leaving its tests out where there is none."""

import os
import shutil

import pytest

REQUIRED = os.environ.get("SPIELTISCH_BROWSER_TESTS") == "required"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium its tests are left out, but not where `SPIELTISCH_BROWSER_TESTS=required`, as in CI."""
    if CHROMIUM or REQUIRED:
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="this machine has no Chromium"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the system's Chromium is."""
    assert CHROMIUM, "install Chromium (Debian: apt install chromium)"
    return CHROMIUM
