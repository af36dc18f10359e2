"""Check Paris Connection on all screens with three to six players and names of the maximum length."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.games.paris_connection.moments import (
    choose_at_random_to_the_end,
    choose_until_all_traded,
    layout_at,
    stop_at_start,
)
from tests.tiers import first_alone
from tests.web.conftest import PreparedTables
from tests.web.game_screens import Open, Screens
from tests.web.layout_checks import DESK, PHONES, SCREENS, cut_parts, on_screens, too_small
from tests.web.prepared_tables import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAYOUTS = {
    **{
        f"{seats} {moment}": layout_at(seats, choose_move)
        for seats in (3, 4, 5, 6)
        for moment, choose_move in {"start": stop_at_start, "traded": choose_until_all_traded}.items()
    },
    "4 over": layout_at(4, choose_at_random_to_the_end, standstill="ends"),
    "6 over": layout_at(6, choose_at_random_to_the_end, standstill="ends"),
}

LONG = {
    "3 start": 1899,
    "3 traded": 2329,
    "4 start": 1931,
    "4 traded": 2329,
    "5 start": 2033,
    "5 traded": 2398,
    "6 start": 2100,
    "6 traded": 2433,
    "4 over": 2073,
    "6 over": 2160,
}
"""The height of the page on a phone before it folded, see `Screens.long`."""


class TestScreens(Screens):
    game = "paris-connection"
    desk = ("3 traded", "4 traded", "5 traded", "6 traded")
    longest = "3 traded"
    small = ("3 traded", "6 traded")
    laptop = ("6 start", "6 traded")
    phone = desk
    long = LONG
    over = "4 over"
    axe = ("6 traded",)
    board = "#map-frame"

    def wait_for_boards(self, page: Page, name: str) -> None:
        expect(page.locator("#panel-screen .share")).to_have_count(6)
        expect(page.locator("#panel-players tbody tr")).to_have_count(int(name[0]))
        expect(page.locator("#map-drawing svg")).to_be_visible()

    @pytest.mark.screens
    def test_on_a_phone_choices_that_are_not_on_the_map_are_first_in_the_prompt(
        self, device: Open, prepared: PreparedTables
    ) -> None:
        prepared.speak("de")
        page = device(viewport=PHONES[1], has_touch=True, is_mobile=True, locale="de")
        self.open_table(page, prepared, "3 traded", "de")
        stop_button = page.get_by_role("button", name="Bau beenden", exact=True)
        expect(stop_button).to_be_in_viewport(ratio=1)
        assert (
            page.evaluate("[...document.querySelectorAll('#choices .final-choice')].at(-1).innerText.trim()")
            == "Bau beenden"
        )


FULLEST = """() => {
  for (const least of document.querySelectorAll("#panel-players .known-shares b")) least.textContent = "20";
  document.querySelector("#panel-players .expand-button[aria-expanded=false]")?.click();
  document.getElementById("panel-players").scrollIntoView();
  return [...document.querySelectorAll("#panel-players td.known-shares .known-holding")].filter((one) => {
    const box = one.parentElement.getBoundingClientRect();
    const [bar, text] = [".known-shares-bar", "b"].map((part) => one.querySelector(part).getBoundingClientRect());
    return bar.width < 9 || bar.left < box.left - 1 || bar.right > text.left + 1 || text.right > box.right + 0.5;
  }).length;
}"""
"""Writes into the players' table what may stand there at the end, in every column; how many cells are too small."""

HIDDEN = """() => {
  const boxes = [...document.querySelectorAll("#map svg text")].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()]).filter(([, box]) => box.width);
  const sheet = document.querySelector("#map-drawing .map-border:last-of-type").getBoundingClientRect();
  const frame = document.getElementById("map-frame").getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".zoom-buttons button")].map((one) => one.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const beyond = ([, box]) => box.left < sheet.left || box.right > sheet.right
    || box.top < sheet.top || box.bottom > sheet.bottom;
  // A line's box is taller than its letters.
  const letters = boxes.map(([text, { left, right, top, bottom, height }]) =>
    [text, { left, right, top: top + 0.24 * height, bottom: bottom - 0.24 * height }]);
  const over = letters.flatMap(([text, box], n) =>
    letters.slice(n + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${text} over ${other}`));
  const legend = document.querySelector("#map .cartouche-line").getBoundingClientRect();
  const outside = ({ left, right }) => left < legend.left || right > legend.right;
  const texts = [...document.querySelectorAll("#map .map-legend text")];
  const out = texts.filter((one) => outside(one.getBoundingClientRect()));
  return [
    ...buttons.filter((box) => meet(box, frame)).map(() => "a button lies over the map"),
    ...letters.filter(beyond).map(([text]) => `beyond the map: ${text}`),
    ...over,
    ...out.map((one) => `out of the legend: ${one.textContent}`),
  ];
}"""
"""A script that returns the parts of the map that are not visible."""


@pytest.mark.parametrize("screen", [DESK, *PHONES], ids=["desk", "phone", "narrow"])
def test_the_columns_of_the_memory_aid_fit_the_largest_numbers(
    device: Open, prepared: PreparedTables, screen: ViewportSize
) -> None:
    prepared.speak("de")
    page = device(viewport=screen, locale="de")
    page.goto(f"{prepared.addresses['6 traded']}?me=0")
    expect(page.locator("#panel-players tbody tr")).to_have_count(6)
    assert page.evaluate(FULLEST) == 0
    assert cut_parts(page) == []


def test_on_a_laptop_the_sixth_player_is_fully_visible_and_a_bar_has_a_name(
    device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("de")
    page = device(viewport={"width": 1366, "height": 650}, locale="de")
    page.goto(f"{prepared.addresses['6 traded']}?me=0")
    last_row = page.locator("#panel-players tbody tr").last
    expect(last_row).to_be_visible()
    fits_screen = """(row) => {
      const room = document.getElementById("panel").getBoundingClientRect();
      return [row, ...row.children].every((one) => one.getBoundingClientRect().bottom <= room.bottom + 0.5);
    }"""
    assert last_row.evaluate(fits_screen)
    tip, holding = page.locator("#symbol-tip"), page.locator("#panel-players .is-own .known-holding").first
    bar_name = " ".join(holding.locator(".visually-hidden").inner_text().split())
    holding.locator(".known-shares-bar").hover()
    expect(tip).to_have_text(bar_name)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    page.keyboard.press("Shift")  # what has the focus is named for keys
    page.locator("#panel-players .is-own").focus()
    expect(tip).to_contain_text(bar_name)
    expect(tip).to_contain_text(" · ")
    page.locator("#panel-players .is-own").blur()
    expect(tip).to_be_hidden()


def test_only_a_large_map_names_the_stations(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("en")
    page = device(viewport={"width": 1366, "height": 650})
    page.goto(prepared.addresses["6 traded"])
    names = page.locator("#map-drawing .place-name.station text")
    expect(names.first).to_be_attached()
    expect(names.locator("visible=true")).to_have_count(0)
    assert too_small(page, 11.5) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(names.locator("visible=true")).to_have_count(names.count())


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_map_labels_are_not_cut_and_map_buttons_cover_nothing(
    device: Open, prepared: PreparedTables, language: str
) -> None:
    prepared.speak(language)
    page, faults = device(locale=language), []
    page.goto(f"{prepared.addresses['4 over']}/replay?at=0")
    expect(page.locator("#map-drawing svg")).to_be_visible()
    for screen in on_screens(page, DESK, *SCREENS, *PHONES):
        faults += [f"{screen}: {fault}" for fault in page.evaluate(HIDDEN)]
    assert faults == []


def test_a_small_map_names_large_cities_legibly_and_all_places_once_enlarged(
    device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("en")
    page = device()
    page.goto(prepared.addresses["3 traded"])
    names = page.locator("#map-drawing .place-name:not(.station) > text")
    large_cities = page.locator("#map-drawing .overview-name")
    expect(page.locator("#map-drawing svg")).to_be_visible()
    small: list[ViewportSize] = [*PHONES, {"width": 844, "height": 390}, {"width": 1024, "height": 768}]
    for screen in on_screens(page, *small):
        assert [fault for fault in too_small(page, 9) if "icon" not in fault and "letter" not in fault] == [], screen
        is_phone = not screen.startswith("1024")
        expect(names.locator("visible=true")).to_have_count(0 if is_phone else names.count())
        expect(large_cities.locator("visible=true")).to_have_count(large_cities.count() if is_phone else 0)
    page.set_viewport_size(PHONES[0])
    page.locator("[data-action=zoom-in]").click()
    expect(names.locator("visible=true")).to_have_count(names.count())
    expect(large_cities.locator("visible=true")).to_have_count(0)
