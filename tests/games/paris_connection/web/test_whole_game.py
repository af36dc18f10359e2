"""Play a whole game in Chromium by two people in two languages and a bot."""

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
from tests.web.conftest import SECONDS
from tests.web.servers import Server
from tests.web.whole_games import finish, open_prompt, version

pytestmark = pytest.mark.browser
PEOPLE: list[tuple[str, dict[str, Any]]] = [
    ("Ada", {"locale": "en", "viewport": {"width": 1440, "height": 900}}),
    ("Grete", {"locale": "de", "viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}),
]


@pytest.fixture
def pages(chromium: Browser) -> Iterator[list[Page]]:
    """Yield a page for each person; errors of a page fail the test."""
    complaints: list[str] = []
    contexts = [chromium.new_context(**settings) for _, settings in PEOPLE]
    for context in contexts:
        context.set_default_timeout(SECONDS)
    open_pages = [context.new_page() for context in contexts]
    for page in open_pages:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield open_pages
    for context in contexts:
        context.close()
    assert complaints == []


def decide(page: Page, chance: random.Random) -> None:
    """Choose one move word by word, building rather than trading, and confirm the end of the turn."""
    before = version(page)
    open_prompt(page)
    while not page.locator("#choices .final-choice").count() or (
        page.locator("#choices .choice:not(.final-choice):not(.blocked-choice)").count() and chance.random() < 0.9
    ):
        choice_buttons = page.locator("#choices .choice:not(.final-choice):not(.blocked-choice)")
        count = choice_buttons.count()
        choice_buttons.nth(0 if count < 3 and chance.random() < 0.8 else chance.randrange(count)).click()
    end_turn_button = page.locator("#choices .final-choice")
    end_turn_button.nth(chance.randrange(end_turn_button.count())).click()
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
        expect(page.locator("#map-drawing svg")).to_be_visible(timeout=SECONDS)
        expect(page.locator("#panel-screen")).to_be_attached()

    chance = random.Random(1889)
    moves = whole_games.play(pages, lambda page: decide(page, chance))
    assert len(moves) > 20

    final_pages = []
    for page in pages:
        expect(page.locator("#live-part.status-finished")).to_be_attached(timeout=SECONDS)
        page.locator("#result-link").click()
        expect(page).to_have_url(re.compile("/end(#|$)"))
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        expect(page.locator(".is-uncounted")).to_have_count(0)
        rows = page.locator("#panel-end tbody tr").all()
        # Also while they are counted.
        totals_shown = [row.locator(".total-points").text_content() or "" for row in rows]
        final_pages.append(
            [(row.get_attribute("id") or "", total) for row, total in zip(rows, totals_shown, strict=True)]
        )
        expect(page.locator("#choices")).to_have_count(0)
    assert final_pages[0] == final_pages[1]
    assert len(final_pages[0]) == 3

    record = Record.parse(httpx.get(f"{host.url.removesuffix('/end')}/record", verify=False).text)
    record.verify()
    totals = [int(re.sub("[^0-9-]", "", total.replace("−", "-"))) for _, total in sorted(final_pages[0])]
    assert record.replay().scores == totals
