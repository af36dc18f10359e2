"""Play a whole game of Legendary Inventors in Chromium in four languages, by cards and by words."""

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
from tests.sentences import template_after
from tests.web import whole_games
from tests.web.conftest import SECONDS, Person
from tests.web.layout_checks import too_wide
from tests.web.servers import Server
from tests.web.whole_games import finish, open_prompt, play_by_form, version

pytestmark = pytest.mark.browser
DESK = {"locale": "en", "viewport": {"width": 1440, "height": 900}}
PHONE = {"locale": "de", "viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
TABLET = {"locale": "fr", "viewport": {"width": 1024, "height": 768}}
NIGHT = {"locale": "nl", "viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
NAMES = {"en": "Ada", "de": "Grete", "fr": "Marie", "nl": "Wil"}
SHOWN = {
    "en": {"#panel-inventions-title": "Inventions", "#panel-teams-title": "Teams"},
    "de": {"#panel-inventions-title": "Erfindungen", "#panel-teams-title": "Teams"},
    "fr": {"#panel-inventions-title": "Inventions", "#panel-teams-title": "Équipes"},
    "nl": {"#panel-inventions-title": "Uitvindingen", "#panel-teams-title": "Teams"},
}
LOG_TITLE = template_after("web/templates/table_live.html", 'id="log-title"').fill({})
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
    """Check the titles that the page shows in its language."""
    titles = {**SHOWN[language(page)], "#log-title": Words(language(page)).say(LOG_TITLE)}
    for place, title in titles.items():
        expect(page.locator(place)).to_have_text(title)


def choose_team(page: Page, chance: random.Random) -> None:
    """Let each player choose a team by its card before the first age (S7)."""
    cards = page.locator("#panel-team-choice .team.is-target")
    expect(cards.first).to_be_visible(timeout=SECONDS)
    before = version(page)
    cards.nth(chance.randrange(cards.count())).click(position={"x": 12, "y": 12})
    finish(page, before)


def decide(page: Page, chance: random.Random) -> str:
    """Choose a move by cards or, on a phone, by words, and return the text shown before its confirmation."""
    before, phone = version(page), page.viewport_size == PHONE["viewport"]
    send_moves = page.locator('#move-tree > ul > li[data-word-text="send"] > details > ul > li')
    if send_moves.count() and not phone:
        inventor = send_moves.nth(chance.randrange(send_moves.count()))
        inventions = inventor.locator("> details > ul > li")
        invention = inventions.nth(chance.randrange(inventions.count())).get_attribute("data-place")
        for place in (inventor.get_attribute("data-place"), invention):
            card = page.locator(f'#panel [data-place="{place}"]')
            expect(card).to_have_class(re.compile(r"\bis-target\b"))
            card.click(position={"x": 12, "y": 12})
    elif page.locator('#move-tree > ul > li[data-word-text="done"] > button').count():
        open_prompt(page)
        page.locator("#choices .final-choice").last.click()
    else:
        open_prompt(page)
        while not page.locator("#choices .final-choice").count():
            page.locator("#choices .choice:not(.blocked-choice)").first.click()
        page.locator("#choices .final-choice").first.click()
    return finish(page, before)


def play(pages: list[Page], seats: int, chance: random.Random) -> dict[int, str]:
    """Play the whole game, every second move by the form, and return the texts before confirmations by move."""
    before = 2 + seats  # the table was opened, all sat down, the game began

    def choose_and_play(page: Page) -> str:
        return decide(page, chance) if chance.random() < 0.5 else play_by_form(page, chance)

    return {
        seen_version - before: sentence for seen_version, sentence in whole_games.play(pages, choose_and_play).items()
    }


def ended(pages: list[Page], seats: int) -> Record:
    """Check that every page shows the scoring of the record in its language."""
    record = Record.parse(httpx.get(f"{pages[0].url.partition('/end')[0]}/record", verify=False).text)
    record.verify()
    scores = record.replay().scores
    for page in pages:
        expect(page.locator("#live-part.status-finished")).to_be_attached(timeout=SECONDS)
        page.locator("#result-link").click()
        expect(page).to_have_url(re.compile("/end(#|$)"))
        expect(page.locator("#panel-end .is-winner").first).to_be_visible()
        assert tuple(page.locator("#panel-end thead th").all_text_contents()) == SCORED[language(page)]
        for seat in range(seats):
            expect(page.locator(f"#end-{seat} .total-points")).to_have_text(str(scores[seat]))
        expect(page.locator("#choices")).to_have_count(0)
        assert too_wide(page) == []
    return record


def foretold(record: Record, sentences: Mapping[int, str], seats: Mapping[int, str]) -> int:
    """Check that players were told the order of rewards before they completed an invention, and count these moves."""
    game, count = spieltisch.game(record.game), 0
    position = next(record.positions())
    for number, move in enumerate(record.moves):
        log_lines = game.log(position.setup, position.play(move.move, move.drew, collect_events=True).events, None)
        own_moves = log_lines[1:2]  # what follows of itself may complete another
        if move.seat in seats and own_moves and "completes {invention}" in own_moves[0].text:
            words = Words(seats[move.seat], game.folder / "locale")
            order = " ".join(words.say(own_moves[0], record.players or ()).split())
            assert order in " ".join(sentences[number].split()), number
            count += 1
    return count


def joined(pages: list[Page], server: Server) -> None:
    """Open a table of these people in order, all with their teams."""
    seats = ["me", *["link"] * (len(pages) - 1)]
    links = whole_games.opened(pages[0], server, "legendary-inventors", NAMES[spoken(pages[0])], *seats)
    for page, link in zip(pages[1:], links, strict=True):
        page.goto(link)
        page.fill("#name", NAMES[spoken(page)])
        page.locator("form.form .primary").click()
    expect(pages[0].locator("#panel-team-choice .team")).to_have_count(5)
    for page in pages:
        choose_team(page, random.Random(1643))
    for page in pages:
        expect(page.locator("#panel-own-team .team, #panel-teams .team")).to_have_count(len(seats))
        check_titles(page)


def looks_on(page: Page, address: str) -> Page:
    """Yield the page of a spectator of this table, in the language of the browser."""
    page.goto(address)
    switch = page.locator(f'.language-and-theme button[value="{spoken(page)}"]')
    switch.dispatch_event("click")  # workers tell no language of the test's; a phone shows it among the preferences
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#panel-teams .inventor")).to_have_count(8)
    check_titles(page)
    return page


@pytest.mark.whole_game
def test_two_players_and_two_spectators_see_a_whole_game_in_four_languages(
    quick_server: Server, open_page: Person
) -> None:
    """The players use a phone and a tablet, the spectators two desktops."""
    pages = [open_page(**settings) for settings in (PHONE, TABLET)]
    joined(pages, quick_server)
    for page in pages:
        expect(page.locator("#panel-own-team .inventor")).to_have_count(4)
        expect(page.locator("#panel-own-team .inventor, #panel-teams .inventor")).to_have_count(8)
        assert not page.locator("#map").count()
    other_pages = [looks_on(open_page(**settings), pages[0].url) for settings in (NIGHT, DESK)]
    sentences = play(pages, 2, random.Random(1519))
    assert foretold(ended([*pages, *other_pages], 2), sentences, {0: "de", 1: "fr"}) > 3


def test_a_card_that_cannot_be_chosen_shows_the_reason(server: Server, open_page: Person) -> None:
    ada = open_page(**DESK)
    whole_games.opened(ada, server, "legendary-inventors", NAMES[spoken(ada)], "me", "bot:random")
    choose_team(ada, random.Random(1644))
    expect(ada.locator("#choices")).to_be_attached(timeout=SECONDS)
    ada.locator("#panel .team:not(.is-own) .inventor.is-blocked").first.click()
    expect(ada.locator("#notice a.rule-link").first).to_be_visible()


@pytest.mark.parametrize("settings", [DESK, PHONE], ids=["desk", "phone"])
def test_many_choices_that_are_not_allowed_are_collapsed_and_show_their_reasons(
    server: Server, open_page: Person, settings: Mapping[str, Any]
) -> None:
    page = open_page(**settings)
    whole_games.opened(page, server, "legendary-inventors", NAMES[spoken(page)], "me", "bot:random")
    choose_team(page, random.Random(1644))
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#expand-prompt").is_visible():
        page.locator("#expand-prompt").click()
    behind = page.locator("#choices .blocked-choices")
    number = behind.locator(".blocked-choice").count()
    assert number > 6
    expect(behind.locator("summary")).to_contain_text(f"({number})")
    expect(page.locator("#choices .blocked-choice:visible")).to_have_count(0)
    expect(page.locator("#prompt")).to_be_in_viewport(ratio=1)
    behind.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choices .blocked-choice:visible")).to_have_count(number)
    behind.locator(".blocked-choice").first.click()
    expect(page.locator("#notice a.rule-link").first).to_be_visible()
