"""Check fallbacks for older browsers, in a Chromium without the missing features."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from spieltisch.core.words import LANGUAGES
from tests.paths import ROOT
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES
from tests.web.servers import Server
from tests.web.table_moves import Running, deciding
from tests.web.visitors import Visitor, let_in

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
  const legal = [...document.querySelectorAll('#map-drawing .is-target')];
  const shut = [...document.querySelectorAll('#map-drawing .is-blocked')];
  return shut.find((one) => legal.some((other) => away(one, other) < 1.3 * box(one).width)).dataset.place;
}"""


def opened(running: Running, server: Server, person: Person, lacking: str) -> Page:
    path, (mover, *_) = deciding(running)
    page = person(locale="en-GB", viewport={"width": 1440, "height": 900})
    let_in(page.context, mover)
    page.add_init_script(lacking)
    page.goto(server.address + path)
    expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    return page


@pytest.mark.browser
def test_a_mouse_click_without_a_pointer_type_chooses_the_hex_under_the_mouse(
    running_table: Running, server: Server, open_page: Person
) -> None:
    page = opened(running_table, server, open_page, FIREFOX_128)
    place = page.evaluate(BESIDE_LEGAL)
    page.locator(f'#map-drawing [data-place="{place}"]').click(force=True)
    expect(page.locator("#notice a.rule-link").first).to_be_visible()
    expect(page.locator("#map-drawing .is-chosen")).to_have_count(0)


@pytest.mark.browser
def test_places_can_be_chosen_in_browsers_without_check_visibility(
    running_table: Running, server: Server, open_page: Person
) -> None:
    page = opened(running_table, server, open_page, SAFARI_17_3)
    expect(page.locator("#map-drawing .is-target[tabindex='0']")).to_have_count(1)
    page.locator("#choices .choice", has_text="Build track").click()
    page.locator("#choices .choice", has_text="Ruby").click()
    expect(page.locator("#map-drawing .is-target[tabindex='0']")).to_have_count(1)
    version = int(page.locator("#live-part").get_attribute("data-version") or 0)
    page.locator("#map-drawing .is-target").first.click()
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(version + 1))


@pytest.mark.browser
def test_colours_follow_the_chosen_theme_or_the_system_and_print_on_white(server: Server, open_page: Person) -> None:
    page = open_page()
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


def use_browser_of_2022(page: Page) -> None:
    """Hide the features that browsers of 2022 lack in everything that a page loads."""

    def answer(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, body=MISSING.sub(r"x\g<0>", answered.text()))

    resource_kinds = ("document", "stylesheet", "script")
    page.route(
        "**/*", lambda route: answer(route) if route.request.resource_type in resource_kinds else route.continue_()
    )


@pytest.mark.browser
def test_without_popovers_qr_codes_open_and_close_and_the_word_tree_is_hidden(
    server: Server, open_page: Person
) -> None:
    with Visitor(server) as ada:
        waiting_table, running_table = ada.table("me", "link", "link"), ada.table("me", "bot:random", "bot:random")
        page = open_page(viewport=DESK)
        use_browser_of_2022(page)
        let_in(page.context, ada)
        page.goto(server.address + waiting_table)
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
        page.goto(server.address + running_table)
        expect(page.locator("#choices .choice").first).to_be_visible()
        expect(page.locator("#move-tree")).to_be_hidden()
        page.set_viewport_size(PHONES[0])
        expect(page.locator("#log-panel .expand-button")).to_be_visible()
        expect(page.locator("#map-drawing .is-target").first).to_have_css("fill", "rgba(0, 0, 0, 0)")


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_an_unsupported_browser_sees_a_notice(server: Server, open_page: Person, language: str) -> None:
    page = open_page(locale=language)
    page.goto(server.address)
    notice = page.locator(".old-browser-notice")
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
