"""Check that captions of moves, and the bar with Pause, Skip and what has happened since, lie over nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.tiers import first_alone
from tests.web.animations import PAUSE, WATCH
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, draws, on_screens, too_wide
from tests.web.servers import Server
from tests.web.table_moves import Running, deciding, play
from tests.web.visitors import Visitor, let_in

SCREENS: list[ViewportSize] = [
    DESK,
    {"width": 1366, "height": 650},
    {"width": 1920, "height": 1000},
    {"width": 1280, "height": 720},
    {"width": 1024, "height": 768},
    {"width": 832, "height": 800},
    {"width": 844, "height": 390},
    *PHONES,
]
OVER = """() => {
  const parts = ".site-header a, .title-bar > *, #player-list li, #seat-form, .zoom-buttons button, #map-frame, #panel";
  const floating = ["#move-caption", "#playback-title > *", "#playback-changes", "#playback-bar button"];
  const pick = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((one) => one.closest("#playback-title")?.clientWidth !== 1)
    .map((one) => [`${one.id || one.className} ${one.textContent.trim().slice(0, 30)}`, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && height > 1);
  const lifted = floating.flatMap(pick);
  const all = [...lifted, ...pick(parts), ...pick("#prompt")];
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const outside = lifted.filter(([, { left, right, top }]) => left < 0 || right > innerWidth || top < 0);
  return [
    ...outside.map(([text]) => `${text} is not whole`),
    ...lifted.flatMap(([text, box], at) =>
      all.slice(at + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${text} over ${other}`)),
  ];
}"""
"""Return the parts that the caption, the bar's texts or its buttons cover, or that the screen cuts off."""
CUT = """() => [...document.querySelectorAll("#move-caption.is-in-made-room")]
  .filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => `cut: ${one.textContent}`)"""
"""The caption, if its lines beside the title are cut."""


def open_table(
    open_page: Person, server: Server, visitor: Visitor, path: str, language: str, **settings: object
) -> Page:
    """Open the table in a language, as a player who is shown moves slowly."""
    visitor.submit("/preferences", language=language, pace="slow")
    page = open_page(locale=language, **settings)
    page.add_init_script(WATCH)
    let_in(page.context, visitor)
    page.goto(server.address + path)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    return page


def pause_in_queue(page: Page, path: str, mover: Visitor) -> None:
    """Let moves be made, and pause at one that is not the last."""
    page.evaluate(PAUSE)
    play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#move-caption")).to_be_visible()


def bottom(part: Locator) -> float:
    return float(part.evaluate("(part) => part.getBoundingClientRect().bottom"))


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_while_moves_are_played_caption_and_bar_lie_over_nothing_on_any_screen(
    running_table: Running, server: Server, open_page: Person, language: str
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    page = open_table(open_page, server, other_visitor, path, language, viewport=DESK)
    pause_in_queue(page, path, mover)
    faults = []
    for screen in on_screens(page, *SCREENS):
        expect(page.locator("#playback-skip")).to_be_in_viewport(ratio=1)
        faults += [f"{screen}: {fault}" for fault in (*page.evaluate(OVER), *too_wide(page))]
        faults += [f"{screen}: {fault}" for fault in page.evaluate(CUT)]
    assert faults == []
    page.locator("#playback-skip").click()
    expect(page.locator("#playback-bar")).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-made-way", "")  # the header is whole again
    expect(page.locator(".site-header nav a").first).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_what_has_happened_since_lies_over_nothing_on_any_screen(
    running_table: Running, server: Server, open_page: Person, language: str
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    play(path, mover, *["build"] * 4, "done|build")
    page = open_table(open_page, server, other_visitor, path, language, viewport=DESK)
    page.evaluate(PAUSE)
    page.locator("#recap-link").click()
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    faults = []
    for screen in on_screens(page, *SCREENS):
        faults += [f"playing, {screen}: {fault}" for fault in (*page.evaluate(OVER), *too_wide(page))]
    page.locator("#playback-skip").click()
    expect(page.locator("#playback-close")).to_be_visible()
    for screen in on_screens(page, *SCREENS):
        expect(page.locator("#playback-changes")).to_be_visible()
        faults += [f"{screen}: {fault}" for fault in (*page.evaluate(OVER), *too_wide(page))]
    assert faults == []


@pytest.mark.browser
def test_on_a_scrolled_phone_the_caption_takes_the_place_of_the_question(
    running_table: Running, server: Server, open_page: Person
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    page = open_table(open_page, server, other_visitor, path, "fr", viewport={"width": 390, "height": 700})
    page.evaluate("scrollTo(0, document.getElementById('map-drawing').getBoundingClientRect().top + scrollY)")
    pause_in_queue(page, path, mover)
    draws(page)
    question, caption = page.locator("#prompt-title"), page.locator("#move-caption")
    expect(question).to_have_css("opacity", "0")
    boxes = [
        part.evaluate("(one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]")
        for part in (question, caption)
    ]
    assert boxes[0] == boxes[1]
    assert not [
        fault for fault in page.evaluate(OVER) if fault.startswith("move-caption") and "over prompt" not in fault
    ]
    header_end, skip_end = (bottom(page.locator(part)) for part in (".site-header", "#playback-skip"))
    assert skip_end <= header_end
    page.keyboard.press("Escape")
    expect(question).to_have_css("opacity", "1")


@pytest.mark.browser
def test_while_moves_since_the_last_turn_are_played_points_and_own_goods_are_those_of_the_board(
    running_table: Running, server: Server, open_page: Person
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    play(path, mover, *["build"] * 4, "done|build")
    page = open_table(open_page, server, other_visitor, path, "en", viewport=DESK)

    def change_points(route: Route) -> None:
        response = route.fetch()
        body = re.sub(r'(class="points"[^>]*>)[^<]*', r"\g<1>77", response.text())
        route.fulfill(response=response, body=re.sub(r'(id="own-summary"[^>]*>)', r"\g<1><i>earlier</i>", body))

    page.route("**/replay?*", change_points)
    points = page.locator("#player-list .is-own-seat .points")
    own_goods, points_now = page.locator("#own-summary"), points.inner_text()
    page.evaluate(PAUSE)
    page.locator("#recap-link").click()
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    expect(points).to_have_text("77")
    expect(own_goods).to_contain_text("earlier")
    expect(own_goods).to_be_visible()
    page.keyboard.press("Escape")
    expect(points).to_have_text(points_now)
    expect(own_goods).not_to_contain_text("earlier")


@pytest.mark.browser
def test_in_a_replay_the_caption_lies_over_neither_zoom_buttons_nor_links(
    running_table: Running, server: Server, open_page: Person
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    play(path, mover, "build", "build")
    page = open_table(open_page, server, other_visitor, path, "de", viewport=DESK)
    page.clock.install()
    page.goto(f"{server.address}{path}/replay?at=0")
    expect(page.locator("#map-drawing svg")).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.locator("#next-step-link").click()
    expect(page.locator("#move-caption")).to_be_visible()
    page.evaluate("addEventListener('resize', () => { document.documentElement.dataset.width = innerWidth; })")
    faults = []
    for width, height in ((1366, 650), (1280, 720), (1024, 768), (832, 800), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("html")).to_have_attribute("data-width", str(width))  # and all is placed anew
        lane = page.locator("#move-caption").evaluate("(one) => [one.style.left, one.style.width].map(parseFloat)")
        zoom = page.locator(".zoom-buttons button").first.bounding_box()
        assert zoom is not None
        if sum(lane) > zoom["x"]:
            faults.append(f"{width} x {height}: {lane} over {zoom}")
        faults += [f"{width} x {height}: {fault}" for fault in page.evaluate(OVER)]
    assert faults == []
