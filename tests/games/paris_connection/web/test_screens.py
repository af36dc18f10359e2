"""Paris Connection on all screens: three to six players with names as long as they may be, late in the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.games.paris_connection.moments import over, start, table, traded
from tests.tiers import first_alone
from tests.web.conftest import Laid
from tests.web.game_screens import Open, Screens
from tests.web.layout_checks import DESK, PHONES, cut, on_screens
from tests.web.prepared_tables import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAID = {
    **{f"{seats} {until.__name__}": table(seats, until) for seats in (3, 4, 5, 6) for until in (start, traded)},
    "4 over": table(4, over, standstill="ends"),
    "6 over": table(6, over, standstill="ends"),
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
        expect(page.locator("#map-static svg")).to_be_visible()

    @pytest.mark.screens
    def test_on_a_phone_what_stands_at_no_place_comes_first_in_the_prompt_s_one_line(
        self, device: Open, laid: Laid
    ) -> None:
        laid.speak("de")
        page = device(viewport=PHONES[1], has_touch=True, is_mobile=True, locale="de")
        self.open_table(page, laid, "3 traded", "de")
        stop = page.get_by_role("button", name="Bau beenden", exact=True)
        expect(stop).to_be_in_viewport(ratio=1)
        assert (
            page.evaluate("[...document.querySelectorAll('#choices .leaf')].at(-1).innerText.trim()") == "Bau beenden"
        )


FULLEST = """() => {
  for (const least of document.querySelectorAll("#panel-players .known b")) least.textContent = "20";
  document.querySelector("#panel-players .unfold[aria-expanded=false]")?.click();
  document.getElementById("panel-players").scrollIntoView();
  return [...document.querySelectorAll("#panel-players td.known .holding")].filter((one) => {
    const box = one.parentElement.getBoundingClientRect();
    const [bar, text] = [".bar", "b"].map((part) => one.querySelector(part).getBoundingClientRect());
    return bar.width < 9 || bar.left < box.left - 1 || bar.right > text.left + 1 || text.right > box.right + 0.5;
  }).length;
}"""
"""Writes into the players' table what may stand there at the end, in every column; how many cells are too small."""

HIDDEN = """() => {
  const boxes = [...document.querySelectorAll("#map svg text")].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()]).filter(([, box]) => box.width);
  const sheet = document.querySelector("#map-static .neatline:last-of-type").getBoundingClientRect();
  const frame = document.getElementById("map-frame").getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".zoom button")].map((one) => one.getBoundingClientRect());
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
  const out = [...document.querySelectorAll("#map .legend text")].filter((one) => outside(one.getBoundingClientRect()));
  return [
    ...buttons.filter((box) => meet(box, frame)).map(() => "a button lies over the map"),
    ...boxes.filter(beyond).map(([text]) => `beyond the map: ${text}`),
    ...over,
    ...out.map((one) => `out of the legend: ${one.textContent}`),
  ];
}"""
"""A script that returns the parts of the map that are not visible."""


@pytest.mark.parametrize("screen", [DESK, *PHONES], ids=["desk", "phone", "narrow"])
def test_the_columns_of_the_memory_aid_hold_what_may_stand_there_at_the_end(
    device: Open, laid: Laid, screen: ViewportSize
) -> None:
    laid.speak("de")
    page = device(viewport=screen, locale="de")
    page.goto(f"{laid.addresses['6 traded']}?me=0")
    expect(page.locator("#panel-players tbody tr")).to_have_count(6)
    assert page.evaluate(FULLEST) == 0
    assert cut(page) == []


def test_on_a_laptop_the_last_of_six_players_is_whole_and_a_bar_is_named(device: Open, laid: Laid) -> None:
    laid.speak("de")
    page = device(viewport={"width": 1366, "height": 650}, locale="de")
    page.goto(f"{laid.addresses['6 traded']}?me=0")
    last = page.locator("#panel-players tbody tr").last
    expect(last).to_be_visible()
    seen = """(row) => {
      const room = document.getElementById("panel").getBoundingClientRect();
      return [row, ...row.children].every((one) => one.getBoundingClientRect().bottom <= room.bottom + 0.5);
    }"""
    assert last.evaluate(seen)
    tip, holding = page.locator("#symbol-tip"), page.locator("#panel-players .is-own .holding").first
    named = " ".join(holding.locator(".visually-hidden").inner_text().split())
    holding.locator(".bar").hover()
    expect(tip).to_have_text(named)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    page.keyboard.press("Shift")  # what has the focus is named for keys
    page.locator("#panel-players .is-own").focus()
    expect(tip).to_contain_text(named)
    expect(tip).to_contain_text(" · ")
    page.locator("#panel-players .is-own").blur()
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_the_labels_of_the_map_are_whole_and_nothing_lies_under_its_buttons(
    device: Open, laid: Laid, language: str
) -> None:
    laid.speak(language)
    page, faults = device(locale=language), []
    page.goto(f"{laid.addresses['4 over']}/replay?at=0")
    expect(page.locator("#map-static svg")).to_be_visible()
    for seen in on_screens(page, DESK, *PHONES):
        faults += [f"{seen}: {fault}" for fault in page.evaluate(HIDDEN)]
    assert faults == []
