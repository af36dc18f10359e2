"""The pages of a game on all screens, the same for every game: a desk where nothing has to be scrolled, small desks,
phones, the replay, and for everybody (axe). `TestScreens` in each game's folder says at which moments.

A page is opened once in a language and on a kind of device; then all that is asked of it is asked on one screen after
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import Laid
from tests.web.font_profiles import NARROW_FACE, WIDE_FACE, boxes, installed, width
from tests.web.layout_checks import (
    DESK,
    NARROW,
    PHONES,
    WALK,
    cut,
    findings,
    not_whole,
    on_screens,
    overlaps,
    scrolled,
    too_high,
    too_small,
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
LAPTOPS: list[ViewportSize] = [
    {"width": 1366, "height": 650},
    {"width": 1366, "height": 625},
    {"width": 1440, "height": 764},
    {"width": 1024, "height": 768},
    {"width": 1000, "height": 600},
    {"width": 1180, "height": 700},
    {"width": 1280, "height": 593},
    {"width": 1640, "height": 860},
    {"width": 1920, "height": 1000},
]
"""The sizes that browsers leave of the usual laptops, and some between: there the page is never scrolled."""
LARGE: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 2560, "height": 1300}]
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
    """The moments at which the whole table must fit on one desktop screen."""
    high: ClassVar[Sequence[str]] = ()
    """The moments at which it may be higher than the screen: then the scoring is above the boards."""
    fits_small: ClassVar[bool] = False
    """True if all boards fit on one screen of 1024 by 768, too."""
    looked_at: ClassVar[Sequence[str]] = ()
    """Seen by a stranger, too, who looks on."""
    longest: ClassVar[str]
    """Seen at a desk in the longest words of all languages, in the first tier of tests."""
    small: ClassVar[Sequence[str]]
    laptop: ClassVar[Sequence[str]]
    """Early and late in the game, seen on laptops."""
    phone: ClassVar[Sequence[str]]
    over: ClassVar[str]
    """The moment whose replay is checked."""
    axe: ClassVar[Sequence[str]]
    """The moments at which axe checks the page on a desktop, wide and narrow."""
    parts: ClassVar[str] = "section:not(.visually-hidden)"
    """The parts of the boards in which nothing may be cut off."""
    long: ClassVar[Mapping[str, int]]
    """The height of the page on a phone, 390 wide, in English, before it folded, at each moment: pixels."""
    board: ClassVar[str] = "#panel"
    """The part that must be visible next to the result in a replay."""

    def wait_for_boards(self, page: Page, name: str) -> None:
        """Wait until the boards are there, for all the seats."""
        raise NotImplementedError  # each game waits for boards of its own

    def unfold(self, page: Page) -> None:
        """Show on a phone what stands behind a click."""
        page.evaluate(
            "document.querySelectorAll('.unfold[aria-expanded=false]:not(#story *)').forEach((one) => one.click())"
        )

    def open_table(self, page: Page, laid: Laid, name: str, language: str = "en") -> None:
        """Open a page at the table, behind the curtain if there is one."""
        page.goto(laid.addresses[name])
        assert (page.locator("html").get_attribute("lang") or "").startswith(language)
        if page.locator("#curtain").count():
            page.locator("#curtain .primary").click()
        expect(page.locator("#choices .choice, #live.finished").first).to_be_visible()
        self.wait_for_boards(page, name)

    def faults(self, page: Page, name: str = "") -> list[str]:
        """Return the faults of this screen, on a page or at the moment with this name, if all must be on one."""
        high = too_high(page) if name and name not in self.high else []
        return [*high, *scrolled(page), *too_wide(page), *cut(page, self.parts), *overlaps(page)]

    def test_at_a_desk_the_longest_words_of_all_languages_have_room(self, chromium: Browser, longest: Laid) -> None:
        page = chromium.new_page(viewport=DESK, locale="de")
        page.context.add_cookies([{"name": "session", "value": longest.session, "url": longest.server.address}])
        self.open_table(page, longest, self.longest, "de")
        assert [*not_whole(page), *self.faults(page, self.longest)] == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_at_a_desk_nothing_has_to_be_scrolled_every_name_is_whole_and_no_word_is_broken(
        self, chromium: Browser, device: Open, laid: Laid, language: str
    ) -> None:
        """Also whatever is chosen in the prompt, and on a larger screen all is larger; no type and no sign is under 14
        pixels.
        """
        laid.speak(language)
        page, problems, ways = device(locale=language), [], 0
        small = SMALL if language in ("de", "nl") else [SMALL[2]]
        for name, address in laid.addresses.items():
            page.set_viewport_size(DESK)
            self.open_table(page, laid, name, language)
            faults = [*not_whole(page), *(self.faults(page, name) if name in self.desk else overlaps(page))]
            if language == "de":
                faults += [*too_small(page), *(self.on_large_screens(page, name) if name in self.small else ())]
            problems += [f"{name}: {fault}" for fault in faults]
            for screen in on_screens(page, *(small if name in self.small else [SMALL[2]])):
                whole = not_whole(page) if screen == "1024 x 768" else []
                faults = self.faults(page) if name in self.small and language in ("de", "nl") else overlaps(page)
                problems += [f"{name}, {screen}: {fault}" for fault in (*whole, *faults)]
            if language in ("de", "fr"):
                for _ in on_screens(page, DESK):
                    faults, many = page.evaluate(WALK)
                    problems += [f"{name}: {fault}" for fault in faults]
                    ways += many
            page.set_viewport_size(DESK)
            for step in replay_ends(page, address) if "over" in name else ():
                expect(page.locator("#end")).to_have_count(0 if step == "?at=0" else 1)
                problems += [f"{name}, replay{step}: {fault}" for fault in (*not_whole(page), *overlaps(page))]
        stranger = chromium.new_page(viewport=DESK, locale=language)
        for name in self.looked_at:
            stranger.goto(laid.addresses[name])
            assert (stranger.locator("html").get_attribute("lang") or "").startswith(language)
            self.wait_for_boards(stranger, name)
            problems += [f"{name}, looking on: {fault}" for fault in self.faults(stranger, name)]
        stranger.close()
        assert problems == []
        assert language not in ("de", "fr") or ways > 3 * len(laid.addresses)

    def on_large_screens(self, page: Page, name: str) -> list[str]:
        """Return the faults on screens larger than a desktop's."""
        problems, before = [], page.evaluate(SIZES)
        for screen in on_screens(page, *LARGE):
            now = page.evaluate(SIZES)
            smaller = [
                f"not larger: {selector}" for selector in before if now.get(selector, 0) < 1.15 * before[selector]
            ]
            problems += [f"{screen}: {fault}" for fault in (*self.faults(page, name), *not_whole(page), *smaller)]
        return problems

    @pytest.mark.screens
    def test_on_a_laptop_the_page_is_not_scrolled_and_prompt_and_own_goods_stay_in_sight(
        self, chromium: Browser, longest: Laid
    ) -> None:
        page, problems = chromium.new_page(viewport=LAPTOPS[0], locale="de"), []
        page.context.add_cookies([{"name": "session", "value": longest.session, "url": longest.server.address}])
        heights: dict[str, set[float]] = {}
        for name in self.laptop:
            page.set_viewport_size(LAPTOPS[0])
            self.open_table(page, longest, name, "de")
            for screen in on_screens(page, *LAPTOPS):
                one_screen = screen == "1024 x 768" and self.fits_small
                problems += [f"{name}, {screen}: {fault}" for fault in (too_high(page) if one_screen else ())]
                faults = [*page.evaluate(FITTED), *scrolled(page), *too_wide(page), *cut(page, self.parts)]
                problems += [f"{name}, {screen}: {fault}" for fault in (*faults, *overlaps(page))]
                for button, height in page.evaluate(HEIGHTS):
                    heights.setdefault(button, set()).add(height)
        assert problems == []
        assert heights
        assert {button: values for button, values in heights.items() if max(values) - min(values) > 1} == {}

    @pytest.mark.screens
    def test_with_a_wider_or_a_narrower_face_installed_every_text_stands_where_it_stood(
        self, chromium: Browser, device: Open, laid: Laid, tmp_path: Path
    ) -> None:
        laid.speak("de")
        name = self.small[-1]
        page = device(locale="de")
        self.open_table(page, laid, name, "de")
        plain, moved = boxes(page), []
        widths: dict[str, list[float]] = {family: [] for family in ("Palatino", "Georgia", "serif", "sans-serif")}
        for face in (WIDE_FACE, NARROW_FACE):
            with installed(chromium, tmp_path, face) as browser:
                context = browser.new_context(viewport=DESK, locale="de")
                context.add_cookies([{"name": "session", "value": laid.session, "url": laid.server.address}])
                other = context.new_page()
                self.open_table(other, laid, name, "de")
                for family, values in widths.items():
                    values.append(width(other, family))
                for (text, box), (again, now) in zip(plain, boxes(other), strict=True):
                    if text != again or any(abs(a - b) > 0.5 for a, b in zip(box, now, strict=True)):
                        moved.append(f"{face}: {text}: {box}, {now}")
        assert moved == []
        for family, (wide, narrow) in widths.items():
            assert wide > 1.2 * narrow, f"{family} is not what the test says: {wide}, {narrow}"

    @pytest.mark.screens
    @pytest.mark.parametrize("language", ["de", "nl"])
    def test_at_a_small_desk_replay_and_first_round_are_neither_too_wide_nor_cut(
        self, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, problems = device(locale=language), []
        page.goto(f"{laid.addresses[self.small[-1]]}/replay?at=3")
        expect(page.locator("#step-on")).to_be_visible()
        for screen in on_screens(page, *SMALL):
            problems += [f"replay, {screen}: {fault}" for fault in self.faults(page)]
        page.goto(f"{laid.server.address}/games/{self.game}/first-round")
        expect(page.locator("#choices .choice").first).to_be_visible()
        for screen in on_screens(page, *SMALL):
            problems += [f"first round, {screen}: {fault}" for fault in self.faults(page)]
            if screen == "1024 x 768" and sticks_out(page):
                problems.append("first round: the choices stick out of their frame")
        assert problems == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_a_phone_nothing_is_too_wide_and_no_text_lies_over_text(
        self, device: Open, laid: Laid, language: str
    ) -> None:
        laid.speak(language)
        page, problems = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale=language), []
        for name in self.phone:
            page.set_viewport_size(PHONES[0])
            self.open_table(page, laid, name, language)
            for screen in on_screens(page, *PHONES):
                problems += [f"{name}, {screen}: {fault}" for fault in self.faults(page)]
            self.unfold(page)
            for screen in on_screens(page, *reversed(PHONES)):
                problems += [f"{name}, unfolded, {screen}: {fault}" for fault in self.faults(page)]
        assert problems == []

    @pytest.mark.screens
    def test_on_a_phone_what_decides_is_on_one_screen_and_the_page_is_half_as_long_as_it_was(
        self, device: Open, laid: Laid
    ) -> None:
        laid.speak("en")
        page, problems = device(viewport=PHONES[0], has_touch=True, is_mobile=True), []
        assert set(self.long) == set(laid.addresses)
        for name in laid.addresses:
            page.set_viewport_size(PHONES[0])
            self.open_table(page, laid, name)
            high = page.evaluate("document.documentElement.scrollHeight")
            if high > self.long[name] / 2:
                problems.append(f"{name}: {high} of {self.long[name]}")
            for screen in on_screens(page, *PHONES if "over" not in name else ()):
                problems += [f"{name}, {screen}: {fault}" for fault in page.evaluate(ONE_SCREEN)]
        assert problems == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", ["de", "fr"])
    def test_the_first_and_the_last_step_of_a_replay_can_be_read(self, device: Open, laid: Laid, language: str) -> None:
        laid.speak(language)
        page, problems = device(locale=language), []
        for step in replay_ends(page, laid.addresses[self.over]):
            assert (page.locator("html").get_attribute("lang") or "").startswith(language)
            expect(page.locator("#end")).to_have_count(0 if step == "?at=0" else 1)
            for screen in on_screens(page, *READERS):
                page.evaluate("scrollTo(0, 0)")
                expect(page.locator("#play")).to_be_in_viewport()
                wrong = [*too_wide(page), *overlaps(page)]
                wrong += page.evaluate("play.scrollWidth > play.clientWidth ? ['the button is cut'] : []")
                wrong += page.evaluate(HIDDEN)
                board, width = page.locator(self.board).bounding_box(), int(screen.split()[0])
                if board is None or board["height"] < 90 or board["width"] < 0.4 * width:
                    wrong.append(f"the board has {board}")
                problems += [f"{step}, {screen}: {fault}" for fault in wrong]
        assert problems == []

    @pytest.mark.screens
    def test_axe_finds_nothing(self, device: Open, laid: Laid) -> None:
        laid.speak("en")
        page, problems = device(bypass_csp=True), []
        for name in self.axe:
            page.set_viewport_size(DESK)
            self.open_table(page, laid, name)
            problems += [
                f"{name}, {screen}: {fault}" for screen in on_screens(page, DESK, NARROW) for fault in findings(page)
            ]
        page.set_viewport_size(DESK)
        for step in replay_ends(page, laid.addresses[self.over], first=7):
            expect(page.locator("#play")).to_be_visible()
            problems += [f"replay{step}: {fault}" for fault in findings(page)]
        assert problems == []


SIZES = """() => ({
  prompt: parseFloat(getComputedStyle(document.getElementById("prompt-title")).fontSize),
  board: parseFloat(getComputedStyle(document.querySelector("#panel h2, #panel h3")).fontSize),
  room: document.querySelector("#map-frame, #panel").getBoundingClientRect().width,
})"""
"""A script that returns the type size of the prompt and the boards, and the width of the boards, in pixels."""

FITTED = """() => {
  const found = [];
  const box = (one) => one.getBoundingClientRect();
  const within = (its, room) => its.width && its.height && its.left >= room.left - 1 && its.right <= room.right + 1
    && its.top >= room.top - 1 && its.bottom <= room.bottom + 1;
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const high = document.documentElement.scrollHeight - innerHeight;
  if (high > 0) found.push(`the page is too high: ${high}`);
  const parts = [...document.querySelectorAll("#prompt, #panel, #story, #menu, #map-frame, .zoom button")];
  for (const part of ["#prompt .question", "#foot", "#undo", "#to-story"]) {
    const seen = within(box(document.querySelector(part)), box(document.getElementById("prompt")));
    if (!seen) found.push(`out of sight: ${part}`);
  }
  for (const [n, one] of parts.entries()) {
    const called = one.id || one.dataset.do;
    if (!within(box(one), new DOMRect(0, 0, innerWidth, innerHeight))) found.push(`not whole: ${called}`);
    for (const other of parts.slice(n + 1)) if (meet(box(one), box(other))) found.push(`${called} over ${other.id}`);
  }
  const map = document.getElementById("map-frame");
  if (map && !within(box(document.querySelector("#map-static svg")), box(map))) found.push("the map is not whole");
  const panel = document.getElementById("panel");
  const strip = document.getElementById("strip");
  if (!strip || !within(box(strip), box(strip.parentElement))) found.push("what is one's own is out of sight");
  const cut = [...document.querySelectorAll("#strip li")].filter((one) => !within(box(one), box(strip)));
  found.push(...cut.map((one) => `cut: ${one.textContent}`));
  for (const all of document.querySelectorAll(".options")) {
    const high = all.querySelector(".note") ? [] : [...all.children].map((one) => Math.round(box(one).height));
    if (new Set(high).size > 1) found.push(`buttons of several heights: ${high}`);
  }
  const room = new DOMRect(0, 0, innerWidth, box(document.getElementById("foot")).top);
  const choices = [...document.querySelectorAll("#choices > .options > .choice")];
  const few = choices.filter((one) => within(box(one), room)).length;
  const least = Math.min(innerHeight > 600 ? 3 : 2, choices.length);
  if (few < least) found.push(`choices in sight: ${few} of ${choices.length}`);
  const wayOut = document.querySelector("#choices .with-way-out > .placeless");
  if (wayOut && !within(box(wayOut), room)) found.push("the way out is out of sight");
  const [log, newest] = ["#story .log", "#story .log > li"].map((one) => box(document.querySelector(one)));
  if (newest.top < log.top - 1) found.push("the newest entry of the log does not begin in sight");
  const seen = (one) => one.contains(document.elementFromPoint(...middle(box(one))));
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  for (const one of panel.querySelectorAll(".companies .value")) if (!seen(one)) found.push("a value is hidden");
  return found;
}"""
"""A script that returns the parts of a table that are cut or out of sight in a window for which it is fitted."""

HEIGHTS = """() => [...document.querySelectorAll(".zoom button, #menu > summary, #foot > .button")]
  .map((one) => [one.dataset.do ?? (one.id || "menu"), one])
  .map(([name, one]) => [`${name} at ${getComputedStyle(document.documentElement).fontSize}`, one])
  .map(([button, one]) => [button, Math.round(one.getBoundingClientRect().height)])"""
"""The heights of the buttons that a table always has, by the size of the type, which grows with the window."""

ONE_SCREEN = """() => {
  const found = [];
  const seen = (its) => {
    const across = its.width && its.left >= 0 && its.right <= innerWidth;
    return across && its.height && its.top >= 0 && its.bottom <= innerHeight;
  };
  const box = (what) => {
    const all = [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
    const boxes = all.map((one) => one.getBoundingClientRect());
    if (!boxes.some(seen)) found.push(`not on the screen: ${what}`);
    return boxes.find(seen) ?? boxes[0] ?? new DOMRect();
  };
  scrollTo(0, 0);
  const [title, last] = [box("#prompt-title"), box("#story li:first-child")];
  for (const what of ["#menu", "#unroll", "#choices .choice:not(.blocked)"]) box(what);
  if (document.querySelector("#panel .is-own, #panel-screen")) box("#strip");
  const lines = (its, what) => its.height > 48 && found.push(`more than a line: ${what}`);
  lines(title, "the prompt");
  lines(last, "the last move");
  lines(document.querySelector("#choices .options").getBoundingClientRect(), "what can be done");
  const room = document.getElementById("prompt").getBoundingClientRect().top - last.bottom;
  if (room < 0.45 * innerHeight) found.push(`no more than ${room} for the boards`);
  return found;
}"""
"""A script that returns the parts of the decision that must be scrolled to, or take more than their line."""

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
"""A script that returns the parts of a replay's last step that can be seen only after scrolling sideways."""


def replay_ends(page: Page, address: str, first: int = 0) -> Iterator[str]:
    """Open the first and the last step of a table's replay, one after the other; yield the query of each."""
    page.goto(f"{address}/replay?at={first}")
    last = page.locator("#live").get_attribute("data-last")
    yield f"?at={first}"
    page.goto(f"{address}/replay?at={last}")
    yield f"?at={last}"


def sticks_out(page: Page) -> bool:
    """Return True if the prompt contains more than its frame can show and cannot be scrolled."""
    is_outside: bool = page.locator("#prompt").evaluate(
        "(one) => getComputedStyle(one).overflowY === 'visible' && one.scrollHeight > one.clientHeight"
    )
    return is_outside
