"""Check the service worker in Chromium: pushes, notifications, the offline page, and the badge."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import TO_CLOSE, at_most, launch
from tests.web.conftest import SECONDS, wait_for_true
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in, trade_on

pytestmark = pytest.mark.browser

BADGES = """
    self.badges = [];
    navigator.setAppBadge = async (count) => { self.badges.push(count); };
    navigator.clearAppBadge = async () => { self.badges.push(0); };
"""

COUNT = """() => {
  const show = registration.showNotification.bind(registration);
  self.asked = 0;
  registration.showNotification = (...told) => { asked += 1; return show(...told); };
}"""
"""In the worker: count how often it asks for something to be shown."""

ASKED = """async (times) => {
  const end = performance.now() + 60000;
  while (asked < times && performance.now() < end) await new Promise((so) => setTimeout(so, 15));
  return asked;
}"""
"""A script that waits until it has asked this many times, and returns the number."""

NOTIFICATIONS = """async () => {
  const [ready, end] = [await navigator.serviceWorker.ready, performance.now() + 10000];
  let found = [];
  while (!found.length && performance.now() < end) {
    found = await ready.getNotifications();
    await new Promise((so) => setTimeout(so, 15));
  }
  return found.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
"""Returns the notifications that are shown. A Chromium that was just started on a busy machine has been seen to forget
at once, and for ever, what it had been told to show: the next push comes through.
"""


@pytest.fixture
def whole_chromium(chromium: Browser) -> Iterator[Browser]:
    started_browser = launch(chromium.browser_type, is_full_browser=True)
    yield started_browser
    with at_most(TO_CLOSE):
        started_browser.close()


def wait_for_offline_page(page: Page, word: str, *, expected: bool) -> None:
    """Wait until the offline page contains a word, or no longer contains it."""
    offline_text = "((await (await caches.match('/offline'))?.text()) ?? '')"
    wait_for_true(page, f"async ([word, expected]) => {offline_text}.includes(word) === expected", [word, expected])


def test_a_push_shows_a_notification_and_the_offline_page_lists_tables(
    own_server: Callable[..., Server], whole_chromium: Browser
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        path = ada.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        trade_on([ada, grace, mary], path, 0)
        context = whole_chromium.new_context(locale="en")
        context.set_default_timeout(SECONDS)
        context.grant_permissions(["notifications"], origin=server.address)
        context.add_init_script(BADGES)
        let_in(context, ada)
        page = context.new_page()
        line = context.new_cdp_session(page)
        registered: list[str] = []
        line.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registered.extend(registration["registrationId"] for registration in event["registrations"]),
        )
        line.send("ServiceWorker.enable")

        page.goto(f"{server.address}/me/alerts")
        expect(page.locator("#push-button")).to_be_visible()
        page.evaluate("navigator.serviceWorker.ready")
        wait_for_offline_page(page, "Grace", expected=True)
        page.goto(server.address)
        assert page.evaluate("badges") == [1]

        notification = {
            "id": "1",
            "title": "It is your turn",
            "body": "Mary trades.",
            "url": path,
            "turns": 3,
            "language": "en",
        }
        push_message = {"origin": server.address, "registrationId": registered[-1], "data": json.dumps(notification)}
        worker = context.service_workers[0]
        worker.evaluate(COUNT)
        for pushes in (1, 2, 3):
            line.send("ServiceWorker.deliverPushMessage", push_message)
            assert worker.evaluate(ASKED, pushes) == pushes
            if shown_notification := page.evaluate(NOTIFICATIONS):
                break
        assert shown_notification == [
            {"title": "It is your turn", "body": "Mary trades.", "tag": path, "data": {"url": path}}
        ]
        has_opened = worker.evaluate(
            """async () => {
              const opened = [];
              clients.openWindow = async (url) => { opened.push(url); };
              const [notification] = await registration.getNotifications();
              dispatchEvent(new NotificationEvent('notificationclick', { notification }));
              while (!opened.length) await new Promise((so) => setTimeout(so));
              return opened;
            }"""
        )
        assert has_opened == [path]

        server.stop()
        page.goto(f"{server.address}{path}")
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("Grace")
        expect(page.get_by_text("Your turn")).to_be_visible()

        replacing_server = own_server("--port", server.address.rpartition(":")[2])
        context.clear_cookies()
        page.goto(replacing_server.address)
        wait_for_offline_page(page, "Grace", expected=False)
        context.close()
