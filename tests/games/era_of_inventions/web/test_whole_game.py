"""Play a whole game of Era of Inventions in Chromium by people and a bot, on boards and with words."""

from __future__ import annotations

import random
import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.record import Record
from tests.web import whole_games
from tests.web.conftest import Person
from tests.web.layout_checks import too_wide
from tests.web.servers import Server
from tests.web.whole_games import finish, moved, open_prompt, play_by_form, version

pytestmark = pytest.mark.browser
GAME = "era-of-inventions"
DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
TITLES = {"en": "Invention row", "de": "Reihe der Erfindungen"}


def joins(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.fill("#name", name)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")


def decide(page: Page, chance: random.Random) -> str:
    """Choose a move by boards or words at random, and return the text shown before its confirmation."""
    before = version(page)
    target = page.locator("#panel .is-target:visible")
    is_done = False
    if target.count() and chance.random() < 0.4:
        target.nth(chance.randrange(target.count())).click(position={"x": 8, "y": 8})
        # Where it is none of these, there is more to choose.
        is_done = page.locator(f"#choices[aria-busy], #notice:not(:empty), {moved(before)}").count() > 0
    if not is_done:
        open_prompt(page)
    while not is_done:
        choice_buttons = page.locator("#choices .choice:not(.blocked-choice)")
        count = choice_buttons.count()
        # What ends an action stands last; rather do something before.
        choice_button = choice_buttons.nth(chance.randrange(count if count < 3 or chance.random() < 0.2 else count - 1))
        is_done = "final-choice" in (choice_button.get_attribute("class") or "")
        choice_button.click()
    return finish(page, before)


def decide_or_hurry(page: Page, chance: random.Random) -> str:
    """Play every second move as a person would, and all others by the form."""
    return decide(page, chance) if chance.random() < 0.5 else play_by_form(page, chance)


def ended(pages: list[Page], seats: int) -> None:
    """Check that every page shows the scoring of the record."""
    record = Record.parse(httpx.get(f"{pages[0].url.partition('/end')[0]}/record", verify=False).text)
    scores = record.verify().scores
    for page in pages:
        expect(page.locator("#live-part.status-finished")).to_be_attached()
        page.locator("#result-link").click()
        expect(page).to_have_url(re.compile("/end(#|$)"))
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        for seat in range(seats):
            expect(page.locator(f"#total-{seat}")).to_have_text(str(scores[seat]))
        expect(page.locator("#choices")).to_have_count(0)
        assert too_wide(page) == []


@pytest.mark.whole_game
def test_two_people_and_a_bot_play_a_whole_game_in_english_and_german(quick_server: Server, open_page: Person) -> None:
    ada, grete = open_page(locale="en", **DESK), open_page(locale="de", **PHONE)
    (link,) = whole_games.opened(ada, quick_server, GAME, "Ada", "me", "link", "bot:easy")
    joins(grete, link, "Grete")
    for page, language in ((ada, "en"), (grete, "de")):
        expect(page.locator("#era-invention-row .card-frame")).to_have_count(7)
        expect(page.locator("#era-players .player-line")).to_have_count(3)
        expect(page.locator("#era-invention-row-title")).to_have_text(TITLES[language])
    chance = random.Random(1889)
    sentences = whole_games.play([ada, grete], lambda page: decide_or_hurry(page, chance))
    assert any(sentences.values())
    ended([ada, grete], 3)


def test_board_elements_that_cannot_be_chosen_show_the_reason(server: Server, open_page: Person) -> None:
    ada = open_page(locale="en", **DESK)
    whole_games.opened(ada, server, GAME, "Ada", "me", "bot:easy", "bot:easy")
    expect(ada.locator("#choices")).to_be_attached()
    ada.locator("#panel .card-frame.is-blocked").first.click()
    expect(ada.locator("#notice a.rule-link").first).to_be_visible()
