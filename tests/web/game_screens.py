"""Check the pages of a game on all screens, in the same way for every game.

The screens are a desktop on which nothing scrolls, small desktops, and phones; the replay and accessibility (axe) are
checked as well. `TestScreens` in each game's folder names the moments of the game. A page is opened once for each
language and device, and then checked on one screen after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import PreparedTables
from tests.web.font_profiles import NARROW_FACE, WIDE_FACE, boxes, boxes_of_texts, browser_with_font, width
from tests.web.layout_checks import (
    DESK,
    NARROW,
    PHONES,
    SCREENS,
    WALK,
    broken_words,
    cut_parts,
    cut_texts,
    find_height_overflow,
    findings,
    on_screens,
    overlaps,
    scrolled,
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
    {"width": 1100, "height": 600},
    {"width": 1440, "height": 764},
    {"width": 1024, "height": 768},
    {"width": 1000, "height": 600},
    {"width": 1180, "height": 700},
    {"width": 1280, "height": 593},
    {"width": 1640, "height": 860},
    {"width": 1920, "height": 1000},
]
"""The sizes that browsers leave of the usual laptops, and some between: there the page is never scrolled."""
TYPE = {"1366 x 650": 11, "1100 x 600": 10}
"""No type on these laptops is smaller than so many pixels, not even in a drawing."""
LARGE: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 2560, "height": 1300}]
READERS: list[ViewportSize] = [
    DESK,
    NARROW,
    {"width": 1280, "height": 720},
    {"width": 390, "height": 844},
    {"width": 320, "height": 568},
]


class Screens:
    """The screens of a game, with names from the module's `LAYOUTS` that begin with the number of seats."""

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
        """Wait until the boards of all seats are drawn."""
        raise NotImplementedError  # each game waits for boards of its own

    def unfold(self, page: Page) -> None:
        """Show on a phone the parts that are collapsed."""
        page.evaluate(
            "for (const button of document.querySelectorAll('.expand-button[aria-expanded=false]:not(#log-panel *)')) "
            "button.click()"
        )

    def open_table(self, page: Page, prepared: PreparedTables, name: str, language: str = "en") -> None:
        """Open a page at the table, behind the handoff screen if there is one."""
        page.goto(prepared.addresses[name])
        assert (page.locator("html").get_attribute("lang") or "").startswith(language)
        if page.locator("#handoff-screen").count():
            page.locator("#handoff-screen .primary").click()
        expect(page.locator("#choices .choice, #live-part.status-finished").first).to_be_visible()
        self.wait_for_boards(page, name)

    def faults(self, page: Page, name: str = "") -> list[str]:
        """Return the faults of this screen, on a page or at the moment with this name, if all must be on one."""
        high = find_height_overflow(page) if name and name not in self.high else []
        return [*high, *scrolled(page), *too_wide(page), *cut_parts(page, self.parts), *overlaps(page)]

    def test_on_a_desktop_the_longest_words_of_all_languages_fit(
        self, chromium: Browser, prepared_in_longest_words: PreparedTables
    ) -> None:
        page = chromium.new_page(viewport=DESK, locale="de")
        page.context.add_cookies(
            [
                {
                    "name": "session",
                    "value": prepared_in_longest_words.session,
                    "url": prepared_in_longest_words.server.address,
                }
            ]
        )
        self.open_table(page, prepared_in_longest_words, self.longest, "de")
        faults = [*cut_texts(page), *self.faults(page, self.longest)]
        for screen in on_screens(page, LAPTOPS[0]):
            faults += [f"{screen}: {fault}" for fault in too_small(page, TYPE[screen])]
        assert faults == []

    @pytest.mark.screens
    def test_on_a_desktop_the_longest_words_fit_in_every_state_of_the_page(
        self, chromium: Browser, prepared_in_longest_words: PreparedTables
    ) -> None:
        """Larger screens show everything larger, and no text or symbol is smaller than 14 pixels."""
        page, problems, addresses_of_moments = chromium.new_page(viewport=DESK, locale="de"), [], 0
        page.context.add_cookies(
            [
                {
                    "name": "session",
                    "value": prepared_in_longest_words.session,
                    "url": prepared_in_longest_words.server.address,
                }
            ]
        )
        for name in prepared_in_longest_words.addresses:
            problems += self.at_a_desk(page, prepared_in_longest_words, name, "de", is_mixed=True)
            faults = [*too_small(page), *(self.on_large_screens(page, name) if name in self.small else ())]
            for _ in on_screens(page, DESK):
                walked, count = page.evaluate(WALK)
                addresses_of_moments += count
            problems += [f"{name}: {fault}" for fault in (*faults, *walked)]
        page.context.close()
        assert problems == []
        assert addresses_of_moments > 3 * len(prepared_in_longest_words.addresses)

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_a_desktop_nothing_scrolls_and_no_name_or_word_is_cut(
        self, chromium: Browser, device: Open, prepared: PreparedTables, language: str
    ) -> None:
        """German is tested in every position, and other languages in a few; their longest words have another test."""
        prepared.speak(language)
        page, problems = device(locale=language), []
        names = prepared.addresses if language == "de" else dict.fromkeys((*self.small, *self.looked_at, self.over))
        for name in names:
            problems += self.at_a_desk(page, prepared, name, language)
            for step in replay_ends(page, prepared.addresses[name]) if "over" in name else ():
                expect(page.locator("#game-result")).to_have_count(0 if step == "?at=0" else 1)
                problems += [f"{name}, replay{step}: {fault}" for fault in (*cut_texts(page), *overlaps(page))]
        stranger = chromium.new_page(viewport=DESK, locale=language)
        for name in self.looked_at:
            stranger.goto(prepared.addresses[name])
            assert (stranger.locator("html").get_attribute("lang") or "").startswith(language)
            self.wait_for_boards(stranger, name)
            problems += [f"{name}, looking on: {fault}" for fault in self.faults(stranger, name)]
        stranger.close()
        assert problems == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_no_screen_a_word_is_broken(self, device: Open, prepared: PreparedTables, language: str) -> None:
        """German is tested in every position, and other languages in a few."""
        prepared.speak(language)
        page, problems = device(locale=language), []
        names = prepared.addresses if language == "de" else dict.fromkeys((*self.small, *self.looked_at, self.over))
        for name in names:
            page.set_viewport_size(SCREENS[0])
            self.open_table(page, prepared, name, language)
            for screen in on_screens(page, *SCREENS):
                problems += [f"{name}, {screen}: {fault}" for fault in broken_words(page)]
        assert problems == []

    def at_a_desk(
        self, page: Page, prepared: PreparedTables, name: str, language: str, *, is_mixed: bool = False
    ) -> list[str]:
        """Return the faults of a moment on a desktop and on smaller desktops; leave the page at the size of a desktop.

        If `is_mixed`, the page has words of several languages, which need not fit small desktops.
        """
        page.set_viewport_size(DESK)
        self.open_table(page, prepared, name, language)
        faults = [*cut_texts(page), *(self.faults(page, name) if name in self.desk else overlaps(page))]
        problems = [f"{name}: {fault}" for fault in faults]
        is_small = name in self.small and language in ("de", "nl") and not is_mixed
        for screen in on_screens(page, *(SMALL if is_small else [SMALL[2]])):
            cut_off_texts = cut_texts(page) if screen == "1024 x 768" and not is_mixed else []
            faults = self.faults(page) if is_small else overlaps(page)
            problems += [f"{name}, {screen}: {fault}" for fault in (*cut_off_texts, *faults)]
        page.set_viewport_size(DESK)
        return problems

    def on_large_screens(self, page: Page, name: str) -> list[str]:
        """Return the faults on screens larger than a desktop's."""
        problems, before = [], page.evaluate(SIZES)
        for screen in on_screens(page, *LARGE):
            now = page.evaluate(SIZES)
            smaller = [
                f"not larger: {selector}" for selector in before if now.get(selector, 0) < 1.15 * before[selector]
            ]
            problems += [f"{screen}: {fault}" for fault in (*self.faults(page, name), *cut_texts(page), *smaller)]
        return problems

    @pytest.mark.screens
    def test_on_a_laptop_the_page_does_not_scroll_and_prompt_and_the_players_goods_are_visible(
        self, chromium: Browser, prepared_in_longest_words: PreparedTables
    ) -> None:
        page, problems = chromium.new_page(viewport=LAPTOPS[0], locale="de"), []
        page.context.add_cookies(
            [
                {
                    "name": "session",
                    "value": prepared_in_longest_words.session,
                    "url": prepared_in_longest_words.server.address,
                }
            ]
        )
        heights: dict[str, set[float]] = {}
        for name in self.laptop:
            page.set_viewport_size(LAPTOPS[0])
            self.open_table(page, prepared_in_longest_words, name, "de")
            for screen in on_screens(page, *LAPTOPS):
                one_screen = screen == "1024 x 768" and self.fits_small
                problems += [
                    f"{name}, {screen}: {fault}" for fault in (find_height_overflow(page) if one_screen else ())
                ]
                faults = [*page.evaluate(FITTED), *scrolled(page), *too_wide(page), *cut_parts(page, self.parts)]
                faults += too_small(page, TYPE[screen]) if screen in TYPE else []
                problems += [f"{name}, {screen}: {fault}" for fault in (*faults, *overlaps(page))]
                for button, height in page.evaluate(HEIGHTS):
                    heights.setdefault(button, set()).add(height)
        assert problems == []
        assert heights
        assert {button: values for button, values in heights.items() if max(values) - min(values) > 1} == {}

    @pytest.mark.screens
    def test_texts_keep_their_places_with_a_wider_or_narrower_system_font(
        self, chromium: Browser, device: Open, prepared: PreparedTables, tmp_path: Path
    ) -> None:
        prepared.speak("de")
        name = self.small[-1]
        page = device(locale="de")
        self.open_table(page, prepared, name, "de")
        texts, plain_boxes = zip(*boxes(page), strict=True)
        moved_boxes: list[str] = []
        widths: dict[str, list[float]] = {family: [] for family in ("Palatino", "Georgia", "serif", "sans-serif")}
        for face in (WIDE_FACE, NARROW_FACE):
            with browser_with_font(chromium, tmp_path, face) as browser:
                context = browser.new_context(viewport=DESK, locale="de")
                context.add_cookies([{"name": "session", "value": prepared.session, "url": prepared.server.address}])
                other_page = context.new_page()
                self.open_table(other_page, prepared, name, "de")
                for family, values in widths.items():
                    values.append(width(other_page, family))
                for text, box, now in zip(texts, plain_boxes, boxes_of_texts(other_page, texts), strict=True):
                    if any(abs(a - b) > 0.5 for a, b in zip(box, now, strict=True)):
                        moved_boxes.append(f"{face}: {text}: {box}, {now}")
        assert moved_boxes == []
        for family, (wide, narrow) in widths.items():
            assert wide > 1.2 * narrow, f"{family} is not what the test says: {wide}, {narrow}"

    @pytest.mark.screens
    @pytest.mark.parametrize("language", ["de", "nl"])
    def test_in_a_small_window_replay_and_first_round_are_neither_too_wide_nor_cut(
        self, device: Open, prepared: PreparedTables, language: str
    ) -> None:
        prepared.speak(language)
        page, problems = device(locale=language), []
        page.goto(f"{prepared.addresses[self.small[-1]]}/replay?at=3")
        expect(page.locator("#next-step-link")).to_be_visible()
        for screen in on_screens(page, *SMALL):
            problems += [f"replay, {screen}: {fault}" for fault in self.faults(page)]
        page.goto(f"{prepared.server.address}/games/{self.game}/first-round")
        expect(page.locator("#choices .choice").first).to_be_visible()
        for screen in on_screens(page, *SMALL):
            problems += [f"first round, {screen}: {fault}" for fault in self.faults(page)]
            if screen == "1024 x 768" and prompt_overflows(page):
                problems.append("first round: the choices stick out of their frame")
        assert problems == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_on_a_phone_no_element_is_too_wide_and_no_texts_overlap(
        self, device: Open, prepared: PreparedTables, language: str
    ) -> None:
        prepared.speak(language)
        page, problems = device(viewport=PHONES[0], has_touch=True, is_mobile=True, locale=language), []
        for name in self.phone:
            page.set_viewport_size(PHONES[0])
            self.open_table(page, prepared, name, language)
            for screen in on_screens(page, *PHONES):
                faults = [*self.faults(page), *page.evaluate(CUT_IN_DOCK)]
                problems += [f"{name}, {screen}: {fault}" for fault in faults]
            self.unfold(page)
            for screen in on_screens(page, *reversed(PHONES)):
                problems += [f"{name}, unfolded, {screen}: {fault}" for fault in self.faults(page)]
        assert problems == []

    @pytest.mark.screens
    def test_on_a_phone_the_parts_needed_to_decide_fit_one_screen_and_the_page_length_is_limited(
        self, device: Open, prepared: PreparedTables
    ) -> None:
        prepared.speak("en")
        page, problems = device(viewport=PHONES[0], has_touch=True, is_mobile=True), []
        assert set(self.long) == set(prepared.addresses)
        for name in prepared.addresses:
            page.set_viewport_size(PHONES[0])
            self.open_table(page, prepared, name)
            high = page.evaluate("document.documentElement.scrollHeight")
            if high > self.long[name] / 2:
                problems.append(f"{name}: {high} of {self.long[name]}")
            for screen in on_screens(page, *PHONES if "over" not in name else ()):
                problems += [f"{name}, {screen}: {fault}" for fault in page.evaluate(ONE_SCREEN)]
        assert problems == []

    @pytest.mark.screens
    @pytest.mark.parametrize("language", ["de", "fr"])
    def test_nothing_is_cut_or_covered_at_the_first_and_last_step_of_a_replay(
        self, device: Open, prepared: PreparedTables, language: str
    ) -> None:
        prepared.speak(language)
        page, problems = device(locale=language), []
        for step in replay_ends(page, prepared.addresses[self.over]):
            assert (page.locator("html").get_attribute("lang") or "").startswith(language)
            expect(page.locator("#game-result")).to_have_count(0 if step == "?at=0" else 1)
            for screen in on_screens(page, *READERS):
                page.evaluate("scrollTo(0, 0)")
                expect(page.locator("#play-button")).to_be_in_viewport()
                layout_faults = [*too_wide(page), *overlaps(page)]
                layout_faults += page.locator("#play-button").evaluate(
                    "(button) => (button.scrollWidth > button.clientWidth ? ['the button is cut'] : [])"
                )
                layout_faults += page.evaluate(HIDDEN)
                board, width = page.locator(self.board).bounding_box(), int(screen.split()[0])
                if board is None or board["height"] < 90 or board["width"] < 0.4 * width:
                    layout_faults.append(f"the board has {board}")
                problems += [f"{step}, {screen}: {fault}" for fault in layout_faults]
        assert problems == []

    @pytest.mark.screens
    def test_axe_finds_no_accessibility_problem_at_a_table(self, device: Open, prepared: PreparedTables) -> None:
        prepared.speak("en")
        page, problems = device(bypass_csp=True), []
        for name in self.axe:
            page.set_viewport_size(DESK)
            self.open_table(page, prepared, name)
            problems += [
                f"{name}, {screen}: {fault}" for screen in on_screens(page, DESK, NARROW) for fault in findings(page)
            ]
        page.set_viewport_size(DESK)
        for step in replay_ends(page, prepared.addresses[self.over], first=7):
            expect(page.locator("#play-button")).to_be_visible()
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
  const all = "#prompt, #panel, #log-panel, #map-frame, .title-bar > *, .zoom-buttons button, .site-header a";
  const parts = [...document.querySelectorAll(all)];
  for (const part of ["#prompt .prompt-question", "#prompt-foot", "#undo-button", "#log-button"]) {
    const seen = within(box(document.querySelector(part)), box(document.getElementById("prompt")));
    if (!seen) found.push(`out of sight: ${part}`);
  }
  for (const [n, one] of parts.entries()) {
    const called = one.id || one.dataset.action || one.textContent;
    if (!within(box(one), new DOMRect(0, 0, innerWidth, innerHeight))) found.push(`not whole: ${called}`);
    for (const other of parts.slice(n + 1)) if (meet(box(one), box(other))) found.push(`${called} over ${other.id}`);
  }
  for (const button of document.querySelectorAll("#prompt-foot > .button")) {
    const text = document.createRange();
    text.selectNodeContents(button);
    const lines = new Set([...text.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top)));
    if (lines.size > 1) found.push(`more than a line: ${button.textContent}`);
    if (!within(box(button), box(button.parentElement))) found.push(`out of the foot: ${button.textContent}`);
  }
  const map = document.getElementById("map-frame");
  if (map && !within(box(document.querySelector("#map-drawing svg")), box(map))) found.push("the map is not whole");
  const panel = document.getElementById("panel");
  const summary = document.getElementById("own-summary");
  if (!summary || !within(box(summary), box(summary.parentElement))) found.push("what is one's own is out of sight");
  const cut = [...document.querySelectorAll("#own-summary li")].filter((one) => !within(box(one), box(summary)));
  found.push(...cut.map((one) => `cut: ${one.textContent}`));
  for (const all of document.querySelectorAll("#choices > .choice-list:not(.is-grid)")) {
    const widths = [...all.children].map((one) => Math.round(box(one).width));
    if (new Set(widths).size > 1) found.push(`choices are not one column: ${widths}`);
  }
  const room = new DOMRect(0, 0, innerWidth, box(document.getElementById("prompt-foot")).top);
  const choices = [...document.querySelectorAll("#choices > .choice-list > .choice")];
  const few = choices.filter((one) => within(box(one), room)).length;
  const least = Math.min(innerHeight > 600 ? 3 : 2, choices.length);
  if (few < least) found.push(`choices in sight: ${few} of ${choices.length}`);
  const placeless = document.querySelector("#choices .has-placeless-choice > .is-placeless");
  if (placeless && !within(box(placeless), room)) found.push("the choice without a place is out of sight");
  const [log, newest] = ["#log-panel .log", "#log-panel .log > li"].map((one) => box(document.querySelector(one)));
  if (newest.top < log.top - 1) found.push("the newest entry of the log does not begin in sight");
  const seen = (one) => one.contains(document.elementFromPoint(...middle(box(one))));
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  for (const one of panel.querySelectorAll(".company-table .company-value")) {
    if (!seen(one)) found.push("a value is hidden");
  }
  return found;
}"""
"""A script that returns the parts of a table that are cut or out of sight in a window for which it is fitted."""

HEIGHTS = """() => [...document.querySelectorAll(".zoom-buttons button, #table-menu > summary, #prompt-foot > .button")]
  .map((one) => [one.dataset.action ?? (one.id || "menu"), one])
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
  const [title, last] = [box("#prompt-title"), box("#log-panel li:first-child")];
  for (const what of ["#table-menu", "#expand-prompt", "#choices .choice:not(.blocked-choice)"]) box(what);
  if (document.querySelector("#panel .is-own, #panel-screen")) box("#own-summary");
  const lines = (its, what, most = 48) => its.height > most && found.push(`more than a line: ${what}`);
  lines(title, "the prompt", innerWidth < 360 ? 64 : 48); // never cut
  lines(last, "the last move");
  lines(document.querySelector("#choices .choice-list").getBoundingClientRect(), "what can be done");
  const room = document.getElementById("prompt").getBoundingClientRect().top - last.bottom;
  if (room < 0.45 * innerHeight) found.push(`no more than ${room} for the boards`);
  return found;
}"""
"""A script that returns the parts of the decision that must be scrolled to, or take more than their line."""

HIDDEN = """() => {
  const [choices, list] = ["prompt", "log-panel"].map((id) => document.getElementById(id).getBoundingClientRect());
  const beside = choices.left >= list.right || list.left >= choices.right || innerWidth < 832;
  const over = !beside && choices.bottom > list.top + 1;
  const scrollBoxes = [...document.querySelectorAll("#game-result .scroll-box")];
  const cut = scrollBoxes.filter((one) => one.scrollWidth > one.clientWidth);
  return [
    ...(over ? ["the prompt hides the list"] : []),
    ...cut.map((one) => `the scoring is cut: ${one.scrollWidth - one.clientWidth}`),
  ];
}"""
"""A script that returns the parts of a replay's last step that can be seen only after scrolling sideways."""


CUT_IN_DOCK = """() => [...document.querySelectorAll("#prompt-title, #choices .is-placeless > span:not(.note)")]
  .filter((one) => one.clientWidth > 1 && one.scrollHeight > one.clientHeight + 1)
  .map((one) => `cut: ${one.textContent.trim()}`)"""
"""A script that returns the question, and what can be done instead of choosing a place, where a phone cuts them."""


def replay_ends(page: Page, address: str, first: int = 0) -> Iterator[str]:
    """Open the first and the last step of a table's replay, and yield the query of each."""
    page.goto(f"{address}/replay?at={first}")
    last_step = page.locator("#live-part").get_attribute("data-last-step")
    yield f"?at={first}"
    page.goto(f"{address}/replay?at={last_step}")
    yield f"?at={last_step}"


def prompt_overflows(page: Page) -> bool:
    """Return True if the prompt contains more than its frame can show and cannot be scrolled."""
    is_outside: bool = page.locator("#prompt").evaluate(
        "(one) => getComputedStyle(one).overflowY === 'visible' && one.scrollHeight > one.clientHeight"
    )
    return is_outside
