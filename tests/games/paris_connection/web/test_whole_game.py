"""A whole game in Chromium: two people, each in a browser and a language of their own, and a bot."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.core.record import Record
from tests.web import whole_games
from tests.web.conftest import SECONDS, Server
from tests.web.whole_games import finish, unroll, version

pytestmark = pytest.mark.browser
PEOPLE: list[tuple[str, dict[str, Any]]] = [
    ("Ada", {"locale": "en", "viewport": {"width": 1440, "height": 900}}),
    ("Grete", {"locale": "de", "viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}),
]


@pytest.fixture
def pages(chromium: Browser) -> Iterator[list[Page]]:
    """A browser for each person; what one of them complains about fails the test."""
    complaints: list[str] = []
    contexts = [chromium.new_context(**settings) for _, settings in PEOPLE]
    for context in contexts:
        context.set_default_timeout(SECONDS)
    opened = [context.new_page() for context in contexts]
    for page in opened:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def decide(page: Page, chance: random.Random) -> None:
    """One move, word by word as a person would choose it: rather build than trade, and confirm what ends the turn."""
    before = version(page)
    unroll(page)
    while not page.locator("#choices .leaf").count() or (
        page.locator("#choices .choice:not(.leaf):not(.blocked)").count() and chance.random() < 0.9
    ):
        ways = page.locator("#choices .choice:not(.leaf):not(.blocked)")
        many = ways.count()
        ways.nth(0 if many < 3 and chance.random() < 0.8 else chance.randrange(many)).click()
    leaves = page.locator("#choices .leaf")
    leaves.nth(chance.randrange(leaves.count())).click()
    finish(page, before)


@pytest.mark.whole_game
def test_two_people_and_a_bot_play_a_whole_game(quick_server: Server, pages: list[Page]) -> None:
    host = pages[0]
    links = whole_games.opened(host, quick_server, "paris-connection", PEOPLE[0][0], "me", "link", "bot:easy")
    for page, (name, _), link in zip(pages[1:], PEOPLE[1:], links, strict=True):
        page.goto(link)
        page.fill("#name", name)
        page.locator("form.form .primary").click()
        page.wait_for_url("**/table/*")
    for page in pages:
        expect(page.locator("#map-static svg")).to_be_visible(timeout=SECONDS)
        expect(page.locator("#panel-screen")).to_be_attached()

    chance = random.Random(1889)
    moves = whole_games.play(pages, lambda page: decide(page, chance))
    assert len(moves) > 20

    ends = []
    for page in pages:
        expect(page.locator("#live.finished")).to_be_attached(timeout=SECONDS)
        page.wait_for_url("**/end")
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        expect(page.locator(".is-uncounted")).to_have_count(0)
        rows = page.locator("#panel-end tbody tr").all()
        ends.append([(row.get_attribute("id") or "", row.locator(".total").inner_text()) for row in rows])
        expect(page.locator("#choices")).to_have_count(0)
    assert ends[0] == ends[1]
    assert len(ends[0]) == 3

    record = Record.parse(httpx.get(f"{host.url.removesuffix('/end')}/record", verify=False).text)
    record.verify()
    totals = [int(re.sub("[^0-9-]", "", total.replace("−", "-"))) for _, total in sorted(ends[0])]
    assert record.replay().scores == totals
