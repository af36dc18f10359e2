"""Fallbacks for older browsers, tried in a Chromium without what those browsers lack."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from spieltisch.core.words import LANGUAGES
from tests.tiers import first_alone
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES
from tests.web.test_move_animation import Running, deciding

ROOT = Path(__file__).parents[2]
FIREFOX_128 = """
const { get } = Object.getOwnPropertyDescriptor(PointerEvent.prototype, 'pointerType');
Object.defineProperty(PointerEvent.prototype, 'pointerType', {
  get() { return this.type === 'click' ? undefined : get.call(this); },
});
"""
"""Simulates browsers whose click events are not PointerEvents."""
SAFARI_17_3 = "delete Element.prototype.checkVisibility;"
BESIDE_LEGAL = """() => {
  const box = (shape) => shape.getBoundingClientRect();
  const away = (one, other) => Math.hypot(box(one).left - box(other).left, box(one).top - box(other).top);
  const legal = [...document.querySelectorAll('#map-static .is-target')];
  const shut = [...document.querySelectorAll('#map-static .is-blocked')];
  return shut.find((one) => legal.some((other) => away(one, other) < 1.3 * box(one).width)).dataset.place;
}"""


def opened(running: Running, server: Server, person: Person, lacking: str) -> Page:
    path, (mover, *_) = deciding(running)
    page = person(locale="en-GB", viewport={"width": 1440, "height": 900})
    let_in(page.context, mover)
    page.add_init_script(lacking)
    page.goto(server.address + path)
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    return page


@pytest.mark.browser
def test_a_mouse_chooses_the_hex_it_clicks_where_clicks_have_no_pointer_type(
    running: Running, server: Server, person: Person
) -> None:
    page = opened(running, server, person, FIREFOX_128)
    place = page.evaluate(BESIDE_LEGAL)
    page.locator(f'#map-static [data-place="{place}"]').click(force=True)
    expect(page.locator("#notice a.rule").first).to_be_visible()
    expect(page.locator("#map-static .is-chosen")).to_have_count(0)


@pytest.mark.browser
def test_places_can_be_chosen_where_visibility_cannot_be_asked_for(
    running: Running, server: Server, person: Person
) -> None:
    page = opened(running, server, person, SAFARI_17_3)
    expect(page.locator("#map-static .is-target[tabindex='0']")).to_have_count(1)
    page.locator("#choices .choice", has_text="Build track").click()
    page.locator("#choices .choice", has_text="Ruby").click()
    expect(page.locator("#map-static .is-target[tabindex='0']")).to_have_count(1)
    version = int(page.locator("#live").get_attribute("data-version") or 0)
    page.locator("#map-static .is-target").first.click()
    expect(page.locator("#live")).to_have_attribute("data-version", str(version + 1))


@pytest.mark.browser
def test_colours_follow_the_choice_or_else_the_system_and_print_on_white(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.address}/games/paris-connection/card")
    paper, night = "rgb(244, 236, 216)", "rgb(23, 21, 18)"
    body, root = page.locator("body"), page.locator("html")
    for choice, light, dark in (("system", paper, night), ("light", paper, paper), ("dark", night, night)):
        root.evaluate("(root, choice) => { root.dataset.theme = choice; }", choice)
        page.emulate_media(color_scheme="light")
        expect(body).to_have_css("background-color", light)
        page.emulate_media(color_scheme="dark")
        expect(body).to_have_css("background-color", dark)
        page.emulate_media(media="print")
        expect(body).to_have_css("background-color", "rgba(0, 0, 0, 0)")
        page.emulate_media(media="screen")


MISSING = re.compile(r"\bpopover(?!s?\.js)|(?<=:)has\(|color-mix|(?<=\()scripting:")
"""The features that browsers of 2022 lack: each gets another name, which this browser does not know."""


def of_2022(page: Page) -> None:
    """Have a browser without all of this, whatever it loads."""

    def answer(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, body=MISSING.sub(r"x\g<0>", answered.text()))

    wanted = ("document", "stylesheet", "script")
    page.route("**/*", lambda route: answer(route) if route.request.resource_type in wanted else route.continue_())


@pytest.mark.browser
def test_a_browser_of_2022_opens_and_shuts_codes_and_shows_no_word_tree(server: Server, person: Person) -> None:
    with Visitor(server) as ada:
        waiting, running = ada.table("me", "link", "link"), ada.table("me", "bot:random", "bot:random")
        page = person(viewport=DESK)
        of_2022(page)
        let_in(page.context, ada)
        page.goto(server.address + waiting)
        page.locator("#seat-links summary").click()
        sheet = page.locator("#qr-1[xpopover]")
        opener = page.locator('[xpopovertarget="qr-1"]').first
        expect(sheet).to_be_hidden()
        opener.click()
        expect(sheet).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        opener.click()
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()
        page.goto(server.address + running)
        expect(page.locator("#choices .choice").first).to_be_visible()
        expect(page.locator("#tree")).to_be_hidden()
        page.set_viewport_size(PHONES[0])
        expect(page.locator("#story .unfold")).to_be_visible()
        expect(page.locator("#map-static .is-target").first).to_have_css("fill", "rgba(0, 0, 0, 0)")


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_a_browser_below_the_oldest_supported_ones_is_told_so(server: Server, person: Person, language: str) -> None:
    page = person(locale=language)
    page.goto(server.address)
    notice = page.locator(".too-old")
    expect(notice).to_be_hidden()
    oldest = json.loads((ROOT / "scripts" / "newer_features.json").read_text("utf-8"))["oldest"]
    for name in ("chrome", "firefox", "safari"):
        expect(notice).to_contain_text(f"{name.capitalize()} {oldest[name]}")

    def without_ranges(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, body=answered.text().replace("(width >=", "(unknown >="))

    page.route("**/base.css", without_ranges)
    page.reload()
    expect(notice).to_be_visible()
