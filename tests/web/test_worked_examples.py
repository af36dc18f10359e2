"""Check worked examples: addresses of steps, without a script, by keys, and on a phone."""

from __future__ import annotations

import html
import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import spieltisch
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from spieltisch.guides import examples, play_lesson
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, findings, too_wide
from tests.web.servers import Server
from tests.web.visitors import Visitor


def link(page: str, name: str) -> str:
    """Return the target of the link with this id, or "" if there is none."""
    match = re.search(rf'id="{name}"(?: data-lesson-link)? href="([^"]+)"', page)
    return match.group(1) if match else ""


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_links_lead_from_the_rules_through_all_example_steps_to_the_numbered_rules(
    server: Server, key: str, language: str
) -> None:
    game = spieltisch.game(key)
    root, steps = f"/games/{key}", 0
    with Visitor(server, language) as visitor:
        rules = visitor.get(f"{root}/rules").text
        address = f"{root}/examples/{next(iter(examples(game)))}"
        assert rules.index(f'href="{address}"') < rules.index('<article class="sheet rules-text"')
        for name, example in examples(game).items():
            for number in range(1, len(example.steps) + 1):
                assert address == (f"{root}/examples/{name}?at={number}" if number > 1 else f"{root}/examples/{name}")
                page = visitor.get(address).text
                text = play_lesson(game, example, number).text.text(language)
                assert f'<p class="words">{text}</p>' in html.unescape(page)
                for rule in example.steps[number - 1].rules:
                    assert f'href="{root}/rules#{rule}"' in page
                assert link(page, "previous-step") == (f"{root}/examples/{name}?at={number - 1}" if number > 1 else "")
                address, steps = link(page, "next-step"), steps + 1
        assert address == f"{root}/rules#the-rules"
    assert steps == sum(len(example.steps) for example in examples(game).values())


@pytest.mark.parametrize(
    ("place", "status"),
    [("?at=0", 404), ("?at=6", 404), ("?at=x", 400), ("?at=01", 400), ("?at=-1", 400), ("-too", 404), ("%00", 404)],
)
def test_a_missing_example_or_step_is_refused(ada: Visitor, place: str, status: int) -> None:
    assert ada.get(f"/games/paris-connection/examples/shares{place}").status_code == status


def step_through(page: Page, language: str) -> list[str]:
    """Press Enter on the link to the next step until the example ends; return the layout problems of all steps."""
    example = examples(spieltisch.game("paris-connection"))["shares"]
    problems = []
    page.locator("#next-step").focus()
    for number in range(1, len(example.steps) + 1):
        if number > 1:
            page.keyboard.press("Enter")
            page.wait_for_url(f"**/examples/shares?at={number}")
        text = play_lesson(spieltisch.game("paris-connection"), example, number).text.text(language)
        expect(page.locator(".lesson .words")).to_have_text(text)
        expect(page.locator("#next-step")).to_be_focused()
        problems += too_wide(page)
    return problems


@pytest.mark.browser
@pytest.mark.parametrize(
    ("screen", "language"), [pytest.param(DESK, "en", marks=[pytest.mark.screens]), (PHONES[0], "de")]
)
def test_a_worked_example_is_stepped_through_by_keyboard(
    server: Server, open_page: Person, screen: ViewportSize, language: str
) -> None:
    page = open_page(locale=language, viewport=screen, bypass_csp=True)
    page.goto(f"{server.address}/games/paris-connection/examples/shares")
    assert step_through(page, language) == []
    expect(page.locator("#live-part")).to_have_attribute("data-announcement", re.compile("Gustave"))
    assert findings(page) == []
    page.go_back()
    expect(page.locator("[aria-current=step]")).to_have_text("4")
    page.locator("#previous-step").click()
    page.wait_for_url("**?at=3")
    page.goto(f"{server.address}/games/paris-connection/examples/the-end?at=5")
    expect(page.locator("#game-result")).to_contain_text("Hertha")
    box = page.locator("#map").bounding_box()
    assert box is not None
    assert box["width"] > screen["width"] / 3  # the end has room of its own
    assert too_wide(page) == []
