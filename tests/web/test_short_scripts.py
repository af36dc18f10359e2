"""Check short scripts, each on a page with the elements that it needs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.script_page import ScriptPage

pytestmark = pytest.mark.browser
RECORDS = """<!doctype html><title>Records</title><textarea id="record-text"></textarea>
<p data-target-field="record-text" hidden><input type="file"></p>
<script type="module" src="/static/js/file-to-text.js"></script>"""
PREFERENCES = """<!doctype html><title>Preferences</title><input type="checkbox" id="turn-notification">
<p id="turn-notification-hint" data-denied-text="blocked"></p>
<script type="module" src="/static/js/notification-permission.js"></script>"""
ASKED = """
window.asked = 0;
Object.defineProperty(window, 'isSecureContext', { value: true });
window.Notification = class {
  static requestPermission = async () => ['granted', 'denied'][window.asked++];
};
"""


def test_the_contents_of_a_chosen_file_are_put_into_the_text_field(script_page: ScriptPage) -> None:
    script_page.document = lambda request: RECORDS
    page = script_page.open()
    expect(page.locator("[data-target-field]")).to_be_visible()
    page.locator("input").set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": "4 × 2".encode()})
    expect(page.locator("#record-text")).to_have_value("4 × 2")


def test_notification_permission_is_requested_only_after_a_click(script_page: ScriptPage) -> None:
    script_page.document = lambda request: PREFERENCES
    script_page.page.add_init_script(ASKED)
    page = script_page.open()
    box, hint = page.locator("#turn-notification"), page.locator("#turn-notification-hint")
    assert page.evaluate("asked") == 0
    box.check()
    page.wait_for_function("asked === 1")
    expect(box).to_be_checked()
    expect(hint).to_have_text("")
    box.uncheck()
    box.click()
    expect(hint).to_have_text("blocked")
    expect(box).not_to_be_checked()
    assert page.evaluate("asked") == 2
