"""Legendary Inventors in Chromium: without a map, played to its end by people and bots, by cards and by words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.core.record import Record
from tests.web.conftest import Server

pytestmark = pytest.mark.browser
SECONDS = 30_000
DESK = {"locale": "en", "viewport": {"width": 1440, "height": 900}}
PHONE = {"locale": "de", "viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
Person = Callable[[Mapping[str, Any]], Page]


@pytest.fixture
def person(chromium: Browser) -> Iterator[Person]:
    """Opens a browser for one more person; what one of them complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def start(settings: Mapping[str, Any]) -> Page:
        context = chromium.new_context(**settings)
        context.set_default_timeout(SECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


def opened(host: Page, server: Server, *seats: str) -> list[str]:
    """Set up a table by hand; answers the links to its open seats."""
    host.goto(f"{server.address}/new/legendary-inventors")
    host.fill("#name", "Ada")
    for number, kind in enumerate(seats):
        host.select_option(f"#seat-{number}", kind)
    host.locator("form.form .prime").click()
    host.wait_for_url("**/table/*")
    return [server.address + (link.get_attribute("href") or "") for link in host.locator(".invite a").all()]


def version(page: Page) -> str:
    return page.locator("#live").get_attribute("data-version") or ""


def decide(page: Page, chance: random.Random) -> str:
    """One move: an inventor and an invention by their cards, all else by words. Answers what was said before it was
    confirmed.
    """
    before = version(page)
    send = page.locator('#tree > ul > li[data-text="send"] > details > ul > li')
    if send.count():
        inventor = send.nth(chance.randrange(send.count()))
        inventions = inventor.locator("> details > ul > li")
        invention = inventions.nth(chance.randrange(inventions.count())).get_attribute("data-place")
        for place in (inventor.get_attribute("data-place"), invention):
            card = page.locator(f'#panel [data-place="{place}"]')
            expect(card).to_have_class(re.compile(r"\bis-target\b"))
            card.click(position={"x": 12, "y": 12})
        if page.locator("#panel .is-chosen").count() == 2:  # there are several ways: with fewer cubes, with genius
            page.locator("#choices .leaf").first.click()
    elif page.locator('#tree > ul > li[data-text="done"] > button').count():
        page.locator("#choices .leaf").last.click()
    else:
        while not page.locator("#choices .leaf").count():
            page.locator("#choices .choice:not(.off)").first.click()
        page.locator("#choices .leaf").first.click()
    return finish(page, before)


def finish(page: Page, before: str) -> str:
    """Confirm what ends the turn."""
    confirm, moved = page.locator("#confirm"), page.locator(f'#live:not([data-version="{before}"])')
    expect(confirm.or_(moved).first).to_be_attached(timeout=SECONDS)
    said = ""
    if confirm.count():
        said = page.locator("#notice").inner_text()
        confirm.click()
    expect(moved).to_be_attached(timeout=SECONDS)
    return said


def play(pages: list[Page], chance: random.Random) -> list[str]:
    """The whole game; `pages` are the people's, by seat. Answers all that was said before a move was confirmed."""
    host = pages[0]
    said: list[str] = []
    while True:
        seen = version(host)
        deciding = host.locator("#live.finished, #people .deciding").first.get_attribute("id") or ""
        if deciding == "live":
            return said
        seat = int(deciding.removeprefix("seat-"))
        if seat < len(pages):
            expect(pages[seat].locator("#choices")).to_be_attached(timeout=SECONDS)
            said.append(decide(pages[seat], chance))
        expect(host.locator(f'#live:not([data-version="{seen}"])')).to_be_attached(timeout=SECONDS)


def ended(pages: list[Page], seats: int) -> None:
    """Every page lays the scoring out, and the record agrees with it."""
    record = Record.parse(httpx.get(f"{pages[0].url}/record").text)
    record.verify()
    scores = record.replay().scores
    for page in pages:
        expect(page.locator("#live.finished")).to_be_attached(timeout=SECONDS)
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        for seat in range(seats):
            expect(page.locator(f"#end-{seat} .total")).to_have_text(str(scores[seat]))
        expect(page.locator("#choices")).to_have_count(0)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "the page must not scroll sideways"


def test_one_against_a_bot_with_the_order_of_rewards_before_each_completing_move(
    server: Server, person: Person
) -> None:
    ada = person(DESK)
    opened(ada, server, "me", "bot:random")
    expect(ada.locator("#panel-teams .team.is-own .inventor")).to_have_count(4, timeout=SECONDS)
    assert not ada.locator("#map").count()
    said = play([ada], random.Random(1519))
    completing = [text for text in said if "is complete" in text]
    assert completing
    assert all("has Leonardo" in text and "eward" in text for text in completing)
    ended([ada], 2)


def test_two_people_and_three_bots(server: Server, person: Person) -> None:
    ada, grete = person(DESK), person(PHONE)
    (link,) = opened(ada, server, "me", "link", "bot:random", "bot:greedy", "bot:random")
    grete.goto(link)
    grete.fill("#name", "Grete")
    grete.locator("form.form .prime").click()
    for page in (ada, grete):
        expect(page.locator("#panel .invention")).to_have_count(8, timeout=SECONDS)
        expect(page.locator("#panel-teams .team")).to_have_count(5)
    expect(grete.locator("#panel-inventions-title")).to_have_text("Erfindungen")
    play([ada, grete], random.Random(1452))
    ended([ada, grete], 5)


def test_a_card_that_is_off_says_why(server: Server, person: Person) -> None:
    ada = person(DESK)
    opened(ada, server, "me", "bot:random")
    expect(ada.locator("#choices")).to_be_attached(timeout=SECONDS)
    ada.locator("#panel .team:not(.is-own) .inventor.is-off").first.click()
    expect(ada.locator("#notice a.rule").first).to_be_visible()


@pytest.mark.parametrize("settings", [DESK, PHONE], ids=["desk", "phone"])
def test_many_words_that_are_off_stand_back_and_say_why(
    server: Server, person: Person, settings: Mapping[str, Any]
) -> None:
    page = person(settings)
    opened(page, server, "me", "bot:random")
    expect(page.locator("#choices .choice").first).to_be_visible()
    behind = page.locator("#choices .standing-back")
    number = behind.locator(".off").count()
    assert number > 6
    expect(behind.locator("summary")).to_contain_text(f"({number})")
    expect(page.locator("#choices .off:visible")).to_have_count(0)
    expect(page.locator("#prompt")).to_be_in_viewport(ratio=1)
    behind.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choices .off:visible")).to_have_count(number)
    behind.locator(".off").first.click()
    expect(page.locator("#notice a.rule").first).to_be_visible()
