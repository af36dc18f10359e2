"""The pages of a game on all screens, the same for every game: a desk where nothing has to be scrolled, small desks,
phones, the replay, and for everybody (axe). `TestScreens` in each game's folder says at which moments.

A page is opened once in a language and on a kind of device; then all that is asked of it is asked on one screen after
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import Laid
from tests.web.screens import (
    DESK,
    NARROW,
    PHONES,
    cut,
    findings,
    not_whole,
    on_screens,
    overlaps,
    too_high,
    too_wide,
)

Open = Callable[..., Page]

SMALL: list[ViewportSize] = [
    {"width": 832, "height": 800},
    {"width": 844, "height": 390},
    {"width": 1024, "height": 768},
    {"width": 1280, "height": 720},
]
"""Tablets and small laptops, where prompt and log stand beside the boards: one may scroll down there."""
READERS: list[ViewportSize] = [
    DESK,
    NARROW,
    {"width": 1280, "height": 720},
    {"width": 390, "height": 844},
    {"width": 320, "height": 568},
]


class Screens:
    """A game's pages; the names are those of the module's `LAID`, and begin with the number of seats."""

    game: ClassVar[str]
    desk: ClassVar[Sequence[str]]
    """When the whole table has to be on one screen at a desk."""
    high: ClassVar[Sequence[str]] = ()
    """When it may be higher than the screen: then the scoring stands above the boards."""
    looked_at: ClassVar[Sequence[str]] = ()
    """Seen by a stranger, too, who looks on."""
    small: ClassVar[Sequence[str]]
    phone: ClassVar[Sequence[str]]
    over: ClassVar[str]
    """Whose replay is read."""
    axe: ClassVar[Sequence[str]]
    """When axe looks at a desk's page, wide and narrow."""
    parts: ClassVar[str] = "section:not(.unseen)"
    """The parts of the boards in which nothing may be cut off."""
    board: ClassVar[str] = "#panel"
    """What has to be seen beside the result in a replay."""

    def seen(self, page: Page, name: str) -> None:
        """Wait until the boards are there, for all the seats."""
        raise NotImplementedError

    def unfold(self, page: Page) -> None:
        """Show on a phone what stands behind a click."""

    def there(self, page: Page, laid: Laid, name: str, language: str = "en") -> None:
        """Open a page at the table, behind the curtain if there is one."""
        page.goto(laid.addresses[name])
        assert page.locator("html").get_attribute("lang") == language
        if page.locator("#curtain").count():
            page.locator("#curtain .prime").click()
        expect(page.locator("#choices .choice, #live.finished").first).to_be_visible()
        self.seen(page, name)

    def faults(self, page: Page, name: str = "") -> list[str]:
        """What is wrong on this screen, on a page or at the moment with this name, when all has to be on one."""
        high = too_high(page) if name and name not in self.high else []
        return [*high, *too_wide(page), *cut(page, self.parts), *overlaps(page)]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_at_a_desk_nothing_has_to_be_scrolled(
        self, chromium: Browser, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, found = device(locale=language), []
        small = SMALL if language in ("de", "nl") else []
        for name in self.desk:
            for screen in on_screens(page, DESK):
                self.there(page, laid, name, language)
                found += [f"{name}, {screen}: {fault}" for fault in self.faults(page, name)]
            for screen in on_screens(page, *(small if name in self.small else [])):
                found += [f"{name}, {screen}: {fault}" for fault in self.faults(page)]
        stranger = chromium.new_page(viewport=DESK, locale=language)
        for name in self.looked_at:
            stranger.goto(laid.addresses[name])
            assert stranger.locator("html").get_attribute("lang") == language
            self.seen(stranger, name)
            found += [f"{name}, looking on: {fault}" for fault in self.faults(stranger, name)]
        stranger.close()
        assert found == []

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_at_a_desk_every_name_and_title_is_whole_and_no_word_is_broken(
        self, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, found = device(locale=language), []
        for name, address in laid.addresses.items():
            self.there(page, laid, name, language)
            found += [f"{name}: {fault}" for fault in (*not_whole(page), *overlaps(page))]
            for step in ("?at=0", "") if "over" in name else ():
                page.goto(f"{address}/replay{step}")
                expect(page.locator("#end")).to_have_count(0 if step else 1)
                found += [f"{name}, replay{step}: {fault}" for fault in (*not_whole(page), *overlaps(page))]
        assert found == []

    @pytest.mark.parametrize("language", ["de", "nl"])
    def test_at_a_small_desk_replay_and_first_round_are_neither_too_wide_nor_cut(
        self, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, found = device(locale=language), []
        page.goto(f"{laid.addresses[self.small[-1]]}/replay?at=3")
        expect(page.locator("#step-on")).to_be_visible()
        for screen in on_screens(page, *SMALL):
            found += [f"replay, {screen}: {fault}" for fault in self.faults(page)]
        page.goto(f"{laid.server.address}/games/{self.game}/first-round")
        expect(page.locator("#choices .choice").first).to_be_visible()
        for screen in on_screens(page, *SMALL):
            found += [f"first round, {screen}: {fault}" for fault in self.faults(page)]
            if screen == "1024 x 768" and sticks_out(page):
                found.append("first round: the choices stick out of their frame")
        assert found == []

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_a_phone_nothing_is_too_wide_and_no_text_lies_over_text(
        self, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, found = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale=language), []
        for name in self.phone:
            page.set_viewport_size(PHONES[0])
            self.there(page, laid, name, language)
            self.unfold(page)
            for screen in on_screens(page, *PHONES):
                found += [f"{name}, {screen}: {fault}" for fault in self.faults(page)]
        assert found == []

    @pytest.mark.parametrize("language", ["de", "fr"])
    def test_the_first_and_the_last_step_of_a_replay_can_be_read(self, device: Open, laid: Laid, language: str) -> None:
        laid.speak(language)
        page, found = device(locale=language), []
        for step in ("?at=0", ""):
            page.goto(f"{laid.addresses[self.over]}/replay{step}")
            assert page.locator("html").get_attribute("lang") == language
            expect(page.locator("#end")).to_have_count(0 if step else 1)
            for screen in on_screens(page, *READERS):
                page.evaluate("scrollTo(0, 0)")
                expect(page.locator("#play")).to_be_in_viewport()
                wrong = [*too_wide(page), *overlaps(page)]
                wrong += page.evaluate("play.scrollWidth > play.clientWidth ? ['the button is cut'] : []")
                wrong += page.evaluate(HIDDEN)
                board, width = page.locator(self.board).bounding_box(), int(screen.split()[0])
                if board is None or board["height"] < 90 or board["width"] < 0.4 * width:
                    wrong.append(f"the board has {board}")
                found += [f"{step}, {screen}: {fault}" for fault in wrong]
        assert found == []

    def test_axe_finds_nothing(self, device: Open, laid: Laid) -> None:
        laid.speak("en")
        page, found = device(bypass_csp=True), []
        for name in self.axe:
            page.set_viewport_size(DESK)
            self.there(page, laid, name)
            found += [
                f"{name}, {screen}: {fault}" for screen in on_screens(page, DESK, NARROW) for fault in findings(page)
            ]
        page.set_viewport_size(DESK)
        for step in ("?at=7", ""):
            page.goto(f"{laid.addresses[self.over]}/replay{step}")
            expect(page.locator("#play")).to_be_visible()
            found += [f"replay{step}: {fault}" for fault in findings(page)]
        assert found == []


HIDDEN = """() => {
  const [choices, list] = ["prompt", "story"].map((id) => document.getElementById(id).getBoundingClientRect());
  const beside = choices.left >= list.right || list.left >= choices.right || innerWidth < 832;
  const over = !beside && choices.bottom > list.top + 1;
  const cut = [...document.querySelectorAll("#end .scroll")].filter((one) => one.scrollWidth > one.clientWidth);
  return [
    ...(over ? ["the prompt hides the list"] : []),
    ...cut.map((one) => `the scoring is cut: ${one.scrollWidth - one.clientWidth}`),
  ];
}"""
"""What of a replay's last step is not to be seen without scrolling across."""


def sticks_out(page: Page) -> bool:
    """Whether more is in the prompt than its frame holds, and it cannot be scrolled."""
    found: bool = page.locator("#prompt").evaluate(
        "(one) => getComputedStyle(one).overflowY === 'visible' && one.scrollHeight > one.clientHeight"
    )
    return found
