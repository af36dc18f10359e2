"""Legendary Inventors in Chromium: without a map, played to its end by people and bots in four languages, by cards and
by words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

import spieltisch
from spieltisch.core.record import Record
from spieltisch.core.words import Words
from tests.web import whole_games
from tests.web.conftest import SECONDS, Person, Server
from tests.web.layout_checks import too_wide
from tests.web.whole_games import by_form, finish, unroll, version

pytestmark = pytest.mark.browser
DESK = {"locale": "en", "viewport": {"width": 1440, "height": 900}}
PHONE = {"locale": "de", "viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
TABLET = {"locale": "fr", "viewport": {"width": 1024, "height": 768}}
NIGHT = {"locale": "nl", "viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
NAMES = {"en": "Ada", "de": "Grete", "fr": "Marie", "nl": "Wil"}
SHOWN = {
    "en": {"#panel-inventions-title": "Inventions", "#panel-teams-title": "Teams", "#story-title": "Chat & log"},
    "de": {"#panel-inventions-title": "Erfindungen", "#panel-teams-title": "Teams", "#story-title": "Chat & Verlauf"},
    "fr": {"#panel-inventions-title": "Inventions", "#panel-teams-title": "Équipes", "#story-title": "Chat et journal"},
    "nl": {"#panel-inventions-title": "Uitvindingen", "#panel-teams-title": "Teams", "#story-title": "Chat en logboek"},
}
SCORED = {
    "en": ("Player", "Points", "Patents", "Runs", "Tokens", "Goals"),
    "de": ("Spieler", "Punkte", "Patente", "Reihen", "Plättchen", "Ziele"),
    "fr": ("Joueur", "Points", "Brevets", "Suites", "Jetons", "Objectifs"),
    "nl": ("Speler", "Punten", "Patenten", "Reeksen", "Fiches", "Doelen"),
}


def spoken(page: Page) -> str:
    """Return the language of the player with this browser, also before a page is open in it."""
    return str(page.evaluate("navigator.language"))[:2]


def language(page: Page) -> str:
    return (page.locator("html").get_attribute("lang") or "")[:2]


def check_titles(page: Page) -> None:
    """Return all titles on the page."""
    for place, title in SHOWN[language(page)].items():
        expect(page.locator(place)).to_have_text(title)


def choose_team(page: Page, chance: random.Random) -> None:
    """Before the first age, each in their turn, a team by its card (S7)."""
    cards = page.locator("#panel-choice .team.is-target")
    expect(cards.first).to_be_visible(timeout=SECONDS)
    before = version(page)
    cards.nth(chance.randrange(cards.count())).click(position={"x": 12, "y": 12})
    finish(page, before)


def decide(page: Page, chance: random.Random) -> str:
    """One move: an inventor and an invention by their cards, all else, and all on a phone, by words. Answers what was
    said before it was confirmed.
    """
    before, phone = version(page), page.viewport_size == PHONE["viewport"]
    send = page.locator('#tree > ul > li[data-text="send"] > details > ul > li')
    if send.count() and not phone:
        inventor = send.nth(chance.randrange(send.count()))
        inventions = inventor.locator("> details > ul > li")
        invention = inventions.nth(chance.randrange(inventions.count())).get_attribute("data-place")
        for place in (inventor.get_attribute("data-place"), invention):
            card = page.locator(f'#panel [data-place="{place}"]')
            expect(card).to_have_class(re.compile(r"\bis-target\b"))
            card.click(position={"x": 12, "y": 12})
    elif page.locator('#tree > ul > li[data-text="done"] > button').count():
        unroll(page)
        page.locator("#choices .leaf").last.click()
    else:
        unroll(page)
        while not page.locator("#choices .leaf").count():
            page.locator("#choices .choice:not(.blocked)").first.click()
        page.locator("#choices .leaf").first.click()
    return finish(page, before)


def play(pages: list[Page], seats: int, chance: random.Random) -> dict[int, str]:
    """The whole game; every second move is chosen as a person would, the others go by the form. Answers what was said
    before moves were confirmed, by the moves' numbers.
    """
    before = 2 + seats  # the table was opened, all sat down, the game began

    def choose_and_play(page: Page) -> str:
        return decide(page, chance) if chance.random() < 0.5 else by_form(page, chance)

    return {seen - before: sentence for seen, sentence in whole_games.play(pages, choose_and_play).items()}


def ended(pages: list[Page], seats: int) -> Record:
    """Every page lays the scoring out in its language, and the record agrees with it."""
    record = Record.parse(httpx.get(f"{pages[0].url.partition('/end')[0]}/record", verify=False).text)
    record.verify()
    scores = record.replay().scores
    for page in pages:
        expect(page.locator("#live.finished")).to_be_attached(timeout=SECONDS)
        page.wait_for_url("**/end")
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        assert tuple(page.locator("#panel-end thead th").all_text_contents()) == SCORED[language(page)]
        for seat in range(seats):
            expect(page.locator(f"#end-{seat} .total")).to_have_text(str(scores[seat]))
        expect(page.locator("#choices")).to_have_count(0)
        assert too_wide(page) == []
    return record


def foretold(record: Record, sentences: Mapping[int, str], seats: Mapping[int, str]) -> int:
    """Before each move by which one of the seats completed an invention, they were told the order of rewards, in their
    language. Answers how many of these there were.
    """
    game, count = spieltisch.game(record.game), 0
    position = next(record.positions())
    for number, move in enumerate(record.moves):
        log_lines = game.log(position.setup, position.play(move.move, move.drew, collect_events=True).events, None)
        own = log_lines[1:2]  # what follows of itself may complete another
        if move.seat in seats and own and "completes {invention}" in own[0].text:
            words = Words(seats[move.seat], game.folder / "locale")
            order = " ".join(words.say(own[0], record.players or ()).split())
            assert order in " ".join(sentences[number].split()), number
            count += 1
    return count


def joined(pages: list[Page], server: Server, *bots: str) -> None:
    """A table of these people, in their order, and bots, all with their teams."""
    seats = ["me", *["link"] * (len(pages) - 1), *bots]
    links = whole_games.opened(pages[0], server, "legendary-inventors", NAMES[spoken(pages[0])], *seats)
    for page, link in zip(pages[1:], links, strict=True):
        page.goto(link)
        page.fill("#name", NAMES[spoken(page)])
        page.locator("form.form .primary").click()
    expect(pages[0].locator("#panel-choice .team")).to_have_count(5)
    for page in pages:
        choose_team(page, random.Random(1643))
    for page in pages:
        expect(page.locator("#panel-own .team, #panel-teams .team")).to_have_count(len(seats))
        check_titles(page)


def looks_on(page: Page, address: str) -> Page:
    """Yield the page of a spectator of this table, in the language of the browser."""
    page.goto(address)
    switch = page.locator(f'.switches button[value="{spoken(page)}"]')
    switch.dispatch_event("click")  # workers tell no language of the test's; a phone shows it among the preferences
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#panel-teams .inventor")).to_have_count(8)
    check_titles(page)
    return page


@pytest.mark.whole_game
def test_two_people_in_english_and_dutch_and_two_look_on(quick_server: Server, person: Person) -> None:
    pages = [person(**settings) for settings in (NIGHT, DESK)]
    joined(pages, quick_server)
    for page in pages:
        expect(page.locator("#panel-own .inventor")).to_have_count(4)
        expect(page.locator("#panel-own .inventor, #panel-teams .inventor")).to_have_count(8)
        assert not page.locator("#map").count()
    others = [looks_on(person(**settings), pages[0].url) for settings in (PHONE, TABLET)]
    sentences = play(pages, 2, random.Random(1519))
    assert foretold(ended([*pages, *others], 2), sentences, {0: "nl", 1: "en"}) > 3


@pytest.mark.whole_game
def test_two_people_in_german_and_french_and_three_bots(quick_server: Server, person: Person) -> None:
    """One game, and another where the server's chance let these two complete fewer than four: so it does in one of
    eight.
    """
    chance, count = random.Random(1452), 0
    for _ in range(4):
        pages = [person(**settings) for settings in (PHONE, TABLET)]
        joined(pages, quick_server, "bot:easy", "bot:random", "bot:easy")
        for page in pages:
            expect(page.locator("#panel .invention")).to_have_count(8)
        sentences = play(pages, 5, chance)
        count += foretold(ended(pages, 5), sentences, {0: "de", 1: "fr"})
        if count > 3:
            break
    assert count > 3


def test_a_card_that_is_off_says_why(server: Server, person: Person) -> None:
    ada = person(**DESK)
    whole_games.opened(ada, server, "legendary-inventors", NAMES[spoken(ada)], "me", "bot:random")
    choose_team(ada, random.Random(1644))
    expect(ada.locator("#choices")).to_be_attached(timeout=SECONDS)
    ada.locator("#panel .team:not(.is-own) .inventor.is-blocked").first.click()
    expect(ada.locator("#notice a.rule").first).to_be_visible()


@pytest.mark.parametrize("settings", [DESK, PHONE], ids=["desk", "phone"])
def test_many_words_that_are_off_stand_back_and_say_why(
    server: Server, person: Person, settings: Mapping[str, Any]
) -> None:
    page = person(**settings)
    whole_games.opened(page, server, "legendary-inventors", NAMES[spoken(page)], "me", "bot:random")
    choose_team(page, random.Random(1644))
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#unroll").is_visible():
        page.locator("#unroll").click()
    behind = page.locator("#choices .standing-back")
    number = behind.locator(".blocked").count()
    assert number > 6
    expect(behind.locator("summary")).to_contain_text(f"({number})")
    expect(page.locator("#choices .blocked:visible")).to_have_count(0)
    expect(page.locator("#prompt")).to_be_in_viewport(ratio=1)
    behind.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choices .blocked:visible")).to_have_count(number)
    behind.locator(".blocked").first.click()
    expect(page.locator("#notice a.rule").first).to_be_visible()
