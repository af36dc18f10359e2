"""Era of Inventions in Chromium: played to its end by people and bots, by boards and by words, in four languages."""

from __future__ import annotations

import random

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.record import Record
from tests.web import whole_games
from tests.web.conftest import Person, Server
from tests.web.layout_checks import too_wide
from tests.web.whole_games import by_form, finish, moved, unroll, version

pytestmark = pytest.mark.browser
GAME = "era-of-inventions"
DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
TITLES = {
    "en": "Invention row",
    "de": "Reihe der Erfindungen",
    "fr": "Rangée des inventions",
    "nl": "Rij met uitvindingen",
}


def joins(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.fill("#name", name)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")


def decide(page: Page, chance: random.Random) -> str:
    """One move: by a place on the boards or by words, as chance has it. Answers what was said before it was
    confirmed.
    """
    before = version(page)
    target = page.locator("#panel .is-target")
    done = False
    if target.count() and chance.random() < 0.4:
        target.nth(chance.randrange(target.count())).click(position={"x": 8, "y": 8})
        # Where it is none of these, there is more to choose.
        done = page.locator(f"#choices[aria-busy], #notice:not(:empty), {moved(before)}").count() > 0
    if not done:
        unroll(page)
    while not done:
        ways = page.locator("#choices .choice:not(.blocked)")
        many = ways.count()
        # What ends an action stands last; rather do something before.
        way = ways.nth(chance.randrange(many if many < 3 or chance.random() < 0.2 else many - 1))
        done = "leaf" in (way.get_attribute("class") or "")
        way.click()
    return finish(page, before)


def decide_or_hurry(page: Page, chance: random.Random) -> str:
    """One move: every second one is chosen as a person would, the others go by the form."""
    return decide(page, chance) if chance.random() < 0.5 else by_form(page, chance)


def ended(pages: list[Page], seats: int) -> None:
    """Every page lays the scoring out, and the record agrees with it."""
    record = Record.parse(httpx.get(f"{pages[0].url.partition('/end')[0]}/record", verify=False).text)
    scores = record.verify().scores
    for page in pages:
        expect(page.locator("#live.finished")).to_be_attached()
        page.wait_for_url("**/end")
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        for seat in range(seats):
            expect(page.locator(f"#total-{seat}")).to_have_text(str(scores[seat]))
        expect(page.locator("#choices")).to_have_count(0)
        assert too_wide(page) == []


@pytest.mark.whole_game
def test_two_people_and_a_bot_in_english_and_german(quick_server: Server, person: Person) -> None:
    ada, grete = person(locale="en", **DESK), person(locale="de", **PHONE)
    (link,) = whole_games.opened(ada, quick_server, GAME, "Ada", "me", "link", "bot:easy")
    joins(grete, link, "Grete")
    for page, language in ((ada, "en"), (grete, "de")):
        expect(page.locator("#era-row .card-of")).to_have_count(7)
        expect(page.locator("#era-ledger .line-of")).to_have_count(3)
        expect(page.locator("#era-row-title")).to_have_text(TITLES[language])
    chance = random.Random(1889)
    sentences = whole_games.play([ada, grete], lambda page: decide_or_hurry(page, chance))
    assert any(sentences.values())
    ended([ada, grete], 3)


@pytest.mark.whole_game
def test_two_people_and_three_bots_in_french_and_dutch(quick_server: Server, person: Person) -> None:
    marie, daan = person(locale="fr", **DESK), person(locale="nl", **PHONE)
    (link,) = whole_games.opened(
        marie, quick_server, GAME, "Marie", "me", "link", "bot:random", "bot:easy", "bot:random"
    )
    joins(daan, link, "Daan")
    for page, language in ((marie, "fr"), (daan, "nl")):
        expect(page.locator("#era-ledger .line-of")).to_have_count(5)
        expect(page.locator("#era-row-title")).to_have_text(TITLES[language])
    chance = random.Random(1878)
    whole_games.play([marie, daan], lambda page: decide_or_hurry(page, chance))
    ended([marie, daan], 5)


def test_what_is_off_says_why(server: Server, person: Person) -> None:
    ada = person(locale="en", **DESK)
    whole_games.opened(ada, server, GAME, "Ada", "me", "bot:easy", "bot:easy")
    expect(ada.locator("#choices")).to_be_attached()
    ada.locator("#panel .card-of.is-blocked").first.click()
    expect(ada.locator("#notice a.rule").first).to_be_visible()
