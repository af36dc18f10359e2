"""Check reference cards: the same in four languages, and one sheet of paper each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

import spieltisch
from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from tests.tiers import first_alone
from tests.web.layout_checks import DESK, cut_texts
from tests.web.servers import Server
from tests.web.visitors import Visitor


@pytest.mark.parametrize("key", game_modules())
def test_a_reference_card_has_the_same_parts_and_numbers_in_each_language(server: Server, key: str) -> None:
    shapes = set()
    for language in LANGUAGES:
        with Visitor(server, language) as visitor:
            page = visitor.get(f"/games/{key}/card").text
            rules = visitor.get(f"/games/{key}/rules").text
        card = page.partition('<div class="reference"')[2].partition("</div>")[0]
        numbered = re.findall(r'<text class="number" x="\d+" y="[\d.]+">(\d)</text>', card)
        assert set("12345") <= set(numbered)
        assert card.partition("<ol>")[2].partition("</ol>")[0].count("<li>") == 5
        shapes.add(tuple(re.findall(r"<(h2|ul|ol|li|p)\b", card)))
        assert card in rules
        assert rules.index(card) < rules.index('<article class="sheet rules-text"')
        ids = re.findall(r'id="([^"]+)"', rules)
        assert len(ids) == len(set(ids))
    assert len(shapes) == 1


def test_figures_on_a_reference_card_match_the_components() -> None:
    game = spieltisch.game("paris-connection")
    limits = [game.setup(seats).plain_params.limit for seats in game.seats]
    for language in LANGUAGES:
        card = (game.folder / "pages" / f"card.{language}.md").read_text("utf-8")
        (scoring,) = (line for line in card.splitlines() if " × " in line)
        figures = [int(number) for number in re.findall(r"\b(?:20|1\d)\b", scoring)]
        assert figures == [*limits, game.components.contents.turn.penalty]


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_a_reference_card_is_printed_on_one_sheet(server: Server, chromium: Browser, language: str) -> None:
    page = chromium.new_page(viewport=DESK, locale=language)
    for key in game_modules():
        page.goto(f"{server.address}/games/{key}/card")
        assert cut_texts(page) == []
        wrapped_texts = "(all) => all.filter((one) => one.getClientRects().length > 1).map((one) => one.textContent)"
        assert page.locator(".reference ul").evaluate_all(wrapped_texts) == [], key
        sheet = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", sheet)) == 1, key
    page.close()


@pytest.mark.browser
def test_a_reference_card_is_printed_dark_on_white_in_the_dark_theme(server: Server, chromium: Browser) -> None:
    page = chromium.new_page(viewport=DESK, locale="en", color_scheme="dark")
    page.goto(f"{server.address}/games/paris-connection/card")
    colours = """() => ['h1', 'body', '.reference-sheet'].map((part) => {
      const style = getComputedStyle(document.querySelector(part));
      return part === 'h1' ? style.color : style.backgroundColor;
    })"""
    by_night = page.evaluate(colours)
    page.emulate_media(media="print")
    ink, *papers = page.evaluate(colours)
    assert papers == ["rgba(0, 0, 0, 0)"] * 2
    assert sum(map(int, re.findall(r"\d+", ink))) < 200 < sum(map(int, re.findall(r"\d+", by_night[0])))
    assert page.evaluate("getComputedStyle(document.body).minHeight") == "0px", "Firefox would begin a second sheet"
    page.close()
