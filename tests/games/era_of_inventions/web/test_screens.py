"""Check Era of Inventions on all screens, at every stage, with names of the maximum length."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.words import LANGUAGES
from tests.games.era_of_inventions.moments import (
    can_exchange_more,
    can_produce_more,
    can_use_bonus_disc_in_many_ways,
    is_late_action,
    is_over,
    is_start,
    layout_at,
)
from tests.web.conftest import PreparedTables
from tests.web.game_screens import Open, Screens
from tests.web.layout_checks import PHONES, on_screens
from tests.web.prepared_tables import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAYOUTS = {
    "3 start": layout_at(3, is_start),
    "3 late": layout_at(3, is_late_action),
    "3 exchanging": layout_at(3, can_exchange_more),
    "3 over": layout_at(3, is_over),
    "4 start": layout_at(4, is_start),
    "4 late": layout_at(4, is_late_action, 2),
    "4 exchanging": layout_at(4, can_exchange_more),
    "4 producing": layout_at(4, can_produce_more),
    "4 bonus": layout_at(4, can_use_bonus_disc_in_many_ways),
    "4 over": layout_at(4, is_over),
    "5 start": layout_at(5, is_start),
    "5 late": layout_at(5, is_late_action, 3),
    "5 producing": layout_at(5, can_produce_more),
    "5 boxed": layout_at(5, is_late_action, 3, supply="box"),
    "5 over": layout_at(5, is_over),
}

LONG = {
    "3 start": 3014,
    "3 late": 3197,
    "3 exchanging": 3203,
    "3 over": 2915,
    "4 start": 3120,
    "4 late": 3346,
    "4 exchanging": 3265,
    "4 producing": 3289,
    "4 bonus": 3289,
    "4 over": 3033,
    "5 start": 3310,
    "5 late": 3511,
    "5 producing": 3466,
    "5 boxed": 3529,
    "5 over": 3217,
}
"""The height of the page on a phone before it folded, see `Screens.long`."""


class TestScreens(Screens):
    game = "era-of-inventions"
    desk = tuple(LAYOUTS)
    high = ("3 over", "4 over", "5 over")
    fits_small = True
    looked_at = ("5 late",)
    longest = "5 late"
    small = ("3 start", "5 late")
    laptop = ("3 start", "4 bonus", "5 late")
    phone = ("3 exchanging", "4 bonus", "4 producing", "5 late", "5 boxed", "5 over")
    long = LONG
    over = "5 over"
    axe = ("5 start", "4 exchanging", "5 over")

    def wait_for_boards(self, page: Page, name: str) -> None:
        expect(page.locator("#panel .player-line")).to_have_count(int(name[0]))

    def unfold(self, page: Page) -> None:
        super().unfold(page)
        page.locator(".era-legend").click()
        expect(page.locator("#symbol-legend")).to_be_visible()
        page.keyboard.press("Escape")
        for line in page.locator("#era-players summary").all():
            line.click()

    @pytest.mark.screens
    def test_on_a_phone_each_kind_of_goods_fits_its_field_of_the_tray(
        self, device: Open, prepared: PreparedTables
    ) -> None:
        prepared.speak("de")
        page, faults = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale="de"), []
        for name in ("3 late", "4 producing"):
            page.set_viewport_size(PHONES[0])
            self.open_table(page, prepared, name, "de")
            Screens.unfold(self, page)
            expect(page.locator("#own-summary li").first).to_be_visible()
            expect(page.locator(".player-line.is-own .good-count").first).to_be_hidden()  # not twice
            for screen in on_screens(page, *PHONES):
                faults += [f"{name}, {screen}: {fault}" for fault in page.evaluate(TRAY)]
        assert faults == []

    @pytest.mark.screens
    def test_uses_of_a_bonus_disc_show_their_gains_on_a_phone_and_fit_a_low_window(
        self, device: Open, prepared: PreparedTables
    ) -> None:
        prepared.speak("de")
        page = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale="de")
        self.open_table(page, prepared, "4 bonus", "de")
        choices = page.locator("#choices .choice:not(.blocked-choice, .is-placeless)")
        expect(choices.nth(3)).to_be_attached()
        for choice in choices.all():
            expect(choice.locator(".note")).to_be_visible()
        # The board of which the next question asks comes into view.
        choices.filter(has_text="Tauschen").first.click()
        expect(page.locator("#era-market .is-target").first).to_be_in_viewport(ratio=1)
        # What is asked about keeps clear of the captions below the header, wherever the page was scrolled.
        self.open_table(page, prepared, "5 start", "de")
        field = "document.querySelector('#panel .is-target').getBoundingClientRect().top"
        edge = "document.querySelector('.site-header').getBoundingClientRect().bottom"
        page.evaluate(f"scrollBy(0, {field} - {edge} - 4)")
        page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:boards-updated'))")
        assert page.evaluate(f"{field} - {edge}") >= 44
        desk = device(viewport={"width": 1366, "height": 625}, locale="de")
        self.open_table(desk, prepared, "4 bonus", "de")
        for choice in desk.locator("#choices .choice:not(.blocked-choice)").all():
            expect(choice).to_be_in_viewport(ratio=1)

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_a_phone_a_choice_is_its_name_and_one_line(
        self, device: Open, prepared: PreparedTables, language: str
    ) -> None:
        prepared.speak(language)
        page, problems = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale=language), []
        for name in ("4 start", "4 bonus", "4 producing"):
            self.open_table(page, prepared, name, language)
            expect(page.locator("#choices .choice > .note").first).to_be_visible()
            cut, long = page.evaluate(NOTES)
            problems += [f"{name}: {fault}" for fault in (*long, *(cut if name == "4 start" else ()))]
        assert problems == []

    @pytest.mark.screens
    def test_everything_is_visible_at_200_percent_zoom(self, device: Open, prepared: PreparedTables) -> None:
        prepared.speak("de")
        desk = device(locale="de")
        doubled = device(viewport={"width": 720, "height": 450}, device_scale_factor=2, locale="de")
        places = "[...document.querySelectorAll('#panel [data-place]')].map((one) => one.dataset.place)"
        for name in ("5 late", "4 exchanging"):
            snapshots = []
            for page in (desk, doubled):
                self.open_table(page, prepared, name, "de")
                Screens.unfold(self, page)
                # One's own goods are above the prompt.
                hidden_places = page.locator("#panel [data-place]:not(.player-goods *)").filter(visible=False)
                expect(hidden_places).to_have_count(0)
                for place in page.locator("#own-summary [data-place]").all():
                    expect(place).to_be_visible()
                snapshots.append(page.evaluate(places))
            assert snapshots[0] == snapshots[1]
            assert self.faults(doubled) == []


TRAY = """() => [...document.querySelectorAll("#own-summary li")].filter((field) => {
  const box = field.getBoundingClientRect();
  return [...field.querySelectorAll(":scope > :not(.visually-hidden)")].map((one) => one.getBoundingClientRect())
    .some(({ left, right }) => left < box.left || right > box.right);
}).map((field) => `runs out: ${field.innerText}`)"""
"""A script that returns the fields of the viewer's tray whose content is wider than they are."""

NOTES = """() => {
  const notes = [...document.querySelectorAll('#choices > .choice-list > .choice > .note')];
  const height = (one) => Math.round(one.getBoundingClientRect().height);
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3;
  const isLong = (one) => one.getBoundingClientRect().height > 1.6 * parseFloat(getComputedStyle(one).lineHeight);
  return [
    notes.filter(isCut).map((one) => `cut: ${one.textContent}`),
    notes.filter(isLong).map((one) => `${height(one)} high: ${one.textContent}`),
  ];
}"""
"""A script that returns which notes of the choices in the dock are cut, and which take more than a line."""
