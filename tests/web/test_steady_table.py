"""Check that a table on a desktop keeps its size and the height of its head."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import SECONDS
from tests.web.layout_checks import draws, on_screens
from tests.web.servers import Server
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser
Show = Callable[..., TableWithoutServer]
LONG = "Gräfin Donnersmarck-Hohenlohe-Öhringen 2"
SIZES = """() => Object.fromEntries(
  ["#table-head", "#player-list", "#map-frame", "#panel", "#prompt", "#prompt-foot", "#log-panel", ".zoom-buttons"]
  .map((part) => [part, document.querySelector(part).getBoundingClientRect().toJSON()]))"""


def opened(chromium: Browser, server: Server, path: str, visitor: Visitor) -> Page:
    context = chromium.new_context(viewport={"width": 1366, "height": 650}, locale="en")
    context.set_default_timeout(SECONDS)
    let_in(context, visitor)
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    return page


def sizes_of(chromium: Browser, server: Server, path: str, visitor: Visitor) -> tuple[dict[str, Any], bool]:
    """Return the sizes of the parts on a player's page, and whether it is their turn."""
    page = opened(chromium, server, path, visitor)
    assert page.locator("#prompt").evaluate("(one) => one.scrollHeight <= one.clientHeight")
    element_sizes = (
        page.evaluate(SIZES),
        "is-my-turn" in (page.locator("#live-part").get_attribute("class") or "").split(),
    )
    page.context.close()
    return element_sizes


def test_long_names_messages_previews_and_leaving_players_do_not_resize_the_table(
    chromium: Browser, server: Server, running_table: tuple[str, list[Visitor]], ada: Visitor, mary: Visitor
) -> None:
    sizes = {
        is_mine: size for size, is_mine in map(partial(sizes_of, chromium, server, running_table[0]), running_table[1])
    }
    assert sizes[False]["#log-panel"]["height"] > 1.5 * sizes[True]["#log-panel"]["height"]  # who waits reads the log
    assert sizes[False]["#map-frame"] == sizes[True]["#map-frame"]
    grace = Visitor(server)
    path = ada.table("me", "open", "open")
    grace.sit(path, LONG)
    mary.sit(path, "Mary")
    page = opened(chromium, server, path, ada)
    is_mine = ada.state(path)["to_decide"] == 0
    assert page.evaluate(SIZES) == sizes[is_mine]
    long_name = page.locator("#seat-1 .seat-name")
    expect(long_name).to_have_attribute("title", LONG)
    assert mary.submit(f"{path}/chat", room="table", text="Hello").status_code < 400
    expect(page.locator(".log .chat-message")).to_contain_text("Hello")
    assert page.evaluate(SIZES) == sizes[is_mine]
    people = [ada, grace, mary]
    mover = people[ada.state(path)["to_decide"]]
    other_page = opened(chromium, server, path, mover)
    before = other_page.evaluate(SIZES)
    other_page.locator("#map-drawing .is-target").first.hover()
    expect(other_page.locator(".ghost").first).to_be_attached()
    draws(other_page)
    assert other_page.evaluate(SIZES) == before
    grace.leave(path)
    expect(page.locator("#player-list .seat-kind-left")).to_have_count(1)
    expect(page.locator("#prompt .seat-replacement .bot-menu")).to_have_count(1)
    assert page.evaluate(SIZES) == sizes[is_mine]
    grace.close()
    for view in (page, other_page):
        view.context.close()


CHOICES = """() => {
  const room = document.getElementById("prompt").getBoundingClientRect();
  const choices = [...document.querySelectorAll("#choices .choice, #show-move-link")];
  const boxes = choices.map((one) => one.getBoundingClientRect());
  const seen = boxes.filter((its) => its.top >= room.top && its.bottom <= room.bottom);
  return [room.bottom <= innerHeight, boxes.length, seen.length];
}"""


def test_in_a_low_window_the_explanation_of_a_lesson_scrolls_and_its_choices_are_fully_visible(
    chromium: Browser, server: Server
) -> None:
    page = chromium.new_page(viewport={"width": 1366, "height": 650}, locale="nl")
    page.goto(f"{server.address}/games/era-of-inventions/first-round")
    expect(page.locator("#choices .choice").first).to_be_visible()
    draws(page)
    assert page.evaluate(CHOICES) == [True, 7, 7]
    page.context.close()


GAP: Final = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  return box("#notice .actions").top - box("#preview-facts").bottom;
}"""
"""The pixels between what is to be confirmed and its answers."""


def test_answers_to_a_question_replace_undo_and_hint_in_the_foot_of_the_prompt(without_server: Show) -> None:
    page = without_server(paris.layout_at(5, paris.choose_until_all_traded)).page
    place = "(one) => (({ top, bottom, left }) => [top, bottom, left])(one.getBoundingClientRect())"
    for width, height in ((1366, 650), (1100, 600), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        draws(page)
        undo, before = page.locator("#undo-button").evaluate(place), page.evaluate(SIZES)
        page.locator("#choices .is-placeless").click()
        draws(page)
        assert page.locator("#confirm-button").evaluate(place) == pytest.approx(undo, abs=1)
        assert page.locator("#undo-button").is_hidden()
        assert 0 <= page.evaluate(GAP) <= 24
        for answer in page.locator("#notice .actions > .button").all():
            assert answer.evaluate(
                """(one) => {
                  const { left, right, top, bottom } = one.getBoundingClientRect();
                  const corners = [left + 2, right - 2].flatMap((x) => [top + 2, bottom - 2].map((y) => [x, y]));
                  return corners.every(([x, y]) => document.elementFromPoint(x, y) === one);
                }"""
            )
        now = page.evaluate(SIZES)
        assert {part for part in before if before[part] != now[part]} <= {"#prompt-foot"}  # nothing else has moved
        page.locator("#notice [data-action=dismiss]").click()


def test_in_a_low_window_the_log_shrinks_in_favour_of_the_deciding_player(without_server: Show) -> None:
    page = without_server(paris.layout_at(5, paris.choose_until_all_traded)).page
    page.set_viewport_size({"width": 1366, "height": 650})
    draws(page)
    heights = "() => ['#prompt', '#log-panel'].map((part) => document.querySelector(part).offsetHeight)"
    prompt, log = page.evaluate(heights)
    assert log < 80
    expect(page.locator("#log-panel .log > li").first).to_be_in_viewport(ratio=0.9)
    page.locator("#log-button").click()
    draws(page)
    opened_prompt, opened_log = page.evaluate(heights)
    assert opened_log > 3 * log
    assert opened_prompt < prompt
    page.locator("#log-button").click()
    draws(page)
    assert page.evaluate(heights) == [prompt, log]


def test_a_long_name_is_cut_off_but_the_text_after_the_name_is_not(without_server: Show) -> None:
    page = without_server(paris.layout_at(3, paris.stop_at_start)).page
    page.set_viewport_size({"width": 1024, "height": 768})
    status = page.locator("#status")
    status.evaluate("(line, name) => { line.innerHTML = `<b class='player'>${name}</b> thinks of a move.`; }", LONG * 2)
    assert status.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert status.locator(".player").evaluate("(one) => one.scrollWidth > one.clientWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    last_line = page.locator("#log-panel li").first
    last_line.evaluate(
        "(line, name) => { line.innerHTML = `<b class='player'>${name}</b> builds for Onyx.`; }", LONG * 2
    )
    assert last_line.locator(".player").evaluate("(shown) => shown.offsetWidth <= shown.parentElement.offsetWidth / 2")


FOOT = """() => [...document.querySelectorAll('#prompt-foot > :not(#takeback-button)')].map((button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return [left, top, width, height];
})"""


def test_a_takeback_is_requested_on_ones_own_turn_without_opening_anything_and_its_button_moves_nothing(
    chromium: Browser, server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path = ada.table("me", "open", "open", game="era-of-inventions")
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    people = [ada, grace, mary]
    first = ada.state(path)["to_decide"]
    assert people[first].submit("/preferences", language="fr").status_code == 303  # the longest label
    context = chromium.new_context(viewport={"width": 1366, "height": 650})
    context.set_default_timeout(SECONDS)
    let_in(context, people[first])
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator("#choices .choice").first).to_be_visible()
    draws(page)
    before = page.evaluate(FOOT)
    for step in range(3):
        mover = people[(first + step) % 3]
        assert mover.play(path, mover.state(path)["moves"][0]).status_code == 200
    for size, button in (((1366, 650), "#takeback-button"), ((390, 844), "#choices > .takeback-in-dock")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(server.address + path)
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
        draws(page)
        if size[0] > size[1]:
            assert page.evaluate(FOOT) == before
        page.locator(button).click()
        expect(page.locator(button)).to_have_count(0)
        refused = people[first - 1].submit(f"{path}/consent/refuse-undo")
        assert refused.status_code < 400, refused.text
    context.close()


def test_where_no_company_has_a_value_the_grid_of_trades_says_so_once(without_server: Show) -> None:
    page = without_server(paris.layout_at(3, paris.stop_at_start)).page
    page.locator("#choices > .choice-list > .choice").nth(1).click()
    expect(page.locator("#choices .move-grid.is-even > caption")).to_have_text(
        sentence_after("web/templates/move_tree.html", "data-even-grid-caption")
    )


FORMS = """() => [...document.querySelectorAll("#choices > .choice-list > .has-note")].map((choice) => {
  const gain = [...choice.querySelectorAll(".note")].find((note) => note.checkVisibility()).getBoundingClientRect();
  const { left, right, height } = choice.getBoundingClientRect();
  const isRight = right - gain.right < 16 && gain.left > left + (right - left) / 3;
  return isRight && height < 33 ? "right" : `${height} high: ${choice.textContent}`;
})"""
"""Return "right" for each choice that is one line with its gain at the end."""


def is_first_choice(position: Position) -> bool:
    """Return True if nothing has been chosen, so that the game stays at its start."""
    return position.number == 0


LAPTOPS: list[ViewportSize] = [
    {"width": 1366, "height": 650},
    {"width": 1440, "height": 900},
    {"width": 1280, "height": 640},
]


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_what_the_choices_bring_has_one_form(without_server: Show, language: str) -> None:
    page = without_server(era.layout_at(4, is_first_choice), language).page
    for screen in on_screens(page, *LAPTOPS):
        forms = page.evaluate(FORMS)
        # Of what is said of inventions and patents, the narrowest window has no room for both at the right.
        assert forms == ["right"] * 6 or (screen == "1280 x 640" and forms[:-1] == ["right"] * 5), screen
    page = without_server(inventors.layout_at(3, 0, inventors.is_start), language).page
    for screen in on_screens(page, *LAPTOPS):
        assert page.evaluate(FORMS) == ["right"] * 4, screen
    page = without_server(paris.layout_at(3, paris.stop_at_start), language).page
    page.locator("#choices > .choice-list > .choice").first.click()
    for screen in on_screens(page, *LAPTOPS):
        assert page.evaluate(FORMS) == ["right"] * 6, screen


CUT_LINES = """() => {
  const log = document.querySelector("#log-panel .log"), contents = document.createRange();
  const cut = Number(log.style.clipPath.match(/[0-9.]+/g)?.[2] ?? 0);
  const end = log.getBoundingClientRect().bottom - cut;
  const lines = [...log.children].flatMap((entry) => {
    contents.selectNodeContents(entry);
    return [...contents.getClientRects()];
  });
  return lines.filter((line) => line.top < end - 1 && line.bottom > end + 5).length;
}"""


def test_the_log_ends_below_a_whole_line(without_server: Show) -> None:
    page = without_server(paris.layout_at(5, paris.choose_until_all_traded)).page
    for width, height in ((1366, 650), (1024, 768), (1100, 600)):
        page.set_viewport_size({"width": width, "height": height})
        draws(page)
        assert page.evaluate(CUT_LINES) == 0
    log = page.locator("#log-panel .log")
    expect(log).not_to_have_css("clip-path", "none")
    page.set_viewport_size({"width": 768, "height": 1024})
    expect(log).to_have_css("clip-path", "none")  # a tablet that has been turned has another layout
