"""At a desk a table keeps its size whatever happens at it, and its head is one height."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.games.paris_connection import moments as paris
from tests.web.conftest import SECONDS, Server, Visitor, let_in
from tests.web.layout_checks import draws
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer

pytestmark = pytest.mark.browser
Show = Callable[[Layout], TableWithoutServer]
LONG = "Gräfin Donnersmarck-Hohenlohe-Öhringen 2"
SIZES = """() => Object.fromEntries(["#head", "#people", "#map-frame", "#panel", "#prompt", "#foot", "#story", ".zoom"]
  .map((part) => [part, document.querySelector(part).getBoundingClientRect().toJSON()]))"""


def opened(chromium: Browser, server: Server, path: str, visitor: Visitor) -> Page:
    context = chromium.new_context(viewport={"width": 1366, "height": 650}, locale="en")
    context.set_default_timeout(SECONDS)
    let_in(context, visitor)
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static svg")).to_be_visible()
    return page


def sizes_of(chromium: Browser, server: Server, path: str, visitor: Visitor) -> tuple[dict[str, Any], bool]:
    """Return the sizes of the parts as a player sees them, and whether it is their turn."""
    page = opened(chromium, server, path, visitor)
    assert page.locator("#prompt").evaluate("(one) => one.scrollHeight <= one.clientHeight")
    found = page.evaluate(SIZES), "mine" in (page.locator("#live").get_attribute("class") or "").split()
    page.context.close()
    return found


def test_long_names_a_message_a_preview_and_a_leave_change_no_size(
    chromium: Browser, server: Server, running: tuple[str, list[Visitor]], ada: Visitor, mary: Visitor
) -> None:
    sizes = {is_mine: size for size, is_mine in map(partial(sizes_of, chromium, server, running[0]), running[1])}
    assert sizes[False]["#story"]["height"] > 1.5 * sizes[True]["#story"]["height"]  # who waits reads the log
    assert sizes[False]["#map-frame"] == sizes[True]["#map-frame"]
    grace = Visitor(server)
    path = ada.table("me", "open", "open")
    grace.sit(path, LONG)
    mary.sit(path, "Mary")
    page = opened(chromium, server, path, ada)
    is_mine = ada.state(path)["to_decide"] == 0
    assert page.evaluate(SIZES) == sizes[is_mine]
    long = page.locator("#seat-1 .name")
    expect(long).to_have_attribute("title", LONG)
    assert mary.submit(f"{path}/chat", room="table", text="Hello").status_code < 400
    expect(page.locator(".log .said")).to_contain_text("Hello")
    assert page.evaluate(SIZES) == sizes[is_mine]
    people = [ada, grace, mary]
    mover = people[ada.state(path)["to_decide"]]
    other = opened(chromium, server, path, mover)
    before = other.evaluate(SIZES)
    other.locator("#map-static .is-target").first.hover()
    expect(other.locator(".ghost").first).to_be_attached()
    draws(other)
    assert other.evaluate(SIZES) == before
    grace.leave(path)
    expect(page.locator("#people .left")).to_have_count(1)
    expect(page.locator("#prompt .replace .bots")).to_have_count(1)
    assert page.evaluate(SIZES) == sizes[is_mine]
    grace.close()
    for view in (page, other):
        view.context.close()


CHOICES = """() => {
  const room = document.getElementById("prompt").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("#choices .choice, #show")].map((one) => one.getBoundingClientRect());
  const seen = boxes.filter((its) => its.top >= room.top && its.bottom <= room.bottom);
  return [room.bottom <= innerHeight, boxes.length, seen.length];
}"""


def test_in_a_low_window_the_explanation_of_a_lesson_is_scrolled_and_its_choices_are_whole(
    chromium: Browser, server: Server
) -> None:
    page = chromium.new_page(viewport={"width": 1366, "height": 650}, locale="nl")
    page.goto(f"{server.address}/games/era-of-inventions/first-round")
    expect(page.locator("#choices .choice").first).to_be_visible()
    draws(page)
    assert page.evaluate(CHOICES) == [True, 7, 7]
    page.context.close()


def test_of_a_long_name_the_name_is_cut_and_not_what_follows(without_server: Show) -> None:
    page = without_server(paris.table(3, paris.start)).page
    page.set_viewport_size({"width": 1024, "height": 768})
    status = page.locator("#status")
    status.evaluate("(one, name) => { one.innerHTML = `<b class='player'>${name}</b> is to move.`; }", LONG * 2)
    assert status.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert status.locator(".player").evaluate("(one) => one.scrollWidth > one.clientWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    last = page.locator("#story li").first
    last.evaluate("(one, name) => { one.innerHTML = `<b class='player'>${name}</b> builds for Onyx.`; }", LONG * 2)
    assert last.locator(".player").evaluate("(one) => one.offsetWidth <= one.parentElement.offsetWidth / 2")
