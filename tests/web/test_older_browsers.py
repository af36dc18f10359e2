"""Fallbacks for older browsers, tried in a Chromium without what those browsers lack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import spieltisch
from tests.web.conftest import Person, Server, let_in
from tests.web.test_move_animation import Running, deciding

FIREFOX_128 = """
const { get } = Object.getOwnPropertyDescriptor(PointerEvent.prototype, 'pointerType');
Object.defineProperty(PointerEvent.prototype, 'pointerType', {
  get() { return this.type === 'click' ? undefined : get.call(this); },
});
"""
"""A click is no PointerEvent."""
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
        expect(body).to_have_css("background-color", paper)
        page.emulate_media(media="screen")


def test_every_colour_of_both_themes_is_a_pair_of_custom_properties() -> None:
    package = Path(spieltisch.__file__).parent
    sheets = [sheet.read_text("utf-8") for sheet in package.rglob("*.css")]
    assert sum(sheet.count("var(--light, ") for sheet in sheets) > 40
    assert not any(re.search(r"light-dark\((?!\))", sheet) for sheet in sheets)
