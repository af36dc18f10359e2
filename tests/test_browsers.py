"""A browser that hangs is killed, and holds nothing up."""

import os

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browsers import at_most, children
from tests.web.conftest import CHROMIUM, executable


@pytest.mark.browser
def test_what_hangs_in_a_browser_ends_with_it() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=CHROMIUM)
        page = browser.new_page()
        assert children(os.getpid())
        with pytest.raises(Error, match="closed"), at_most(0.5):
            page.evaluate("new Promise(() => {})")
        browser.close()
