"""At a desk a table keeps its size whatever happens at it, and its head is one height."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import SECONDS, Server, Visitor, let_in
from tests.web.layout_checks import draws

pytestmark = pytest.mark.browser
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


def test_long_names_a_message_a_preview_and_a_leave_change_no_size(
    chromium: Browser, server: Server, running: tuple[str, list[Visitor]], ada: Visitor, mary: Visitor
) -> None:
    page = opened(chromium, server, running[0], ada)
    sizes = [page.evaluate(SIZES)]
    page.context.close()
    grace = Visitor(server)
    path = ada.table("me", "open", "open")
    grace.sit(path, LONG)
    mary.sit(path, "Mary")
    page = opened(chromium, server, path, ada)
    assert page.evaluate(SIZES) == sizes[0]
    long = page.locator("#seat-1 .name")
    expect(long).to_have_attribute("title", LONG)
    assert mary.submit(f"{path}/chat", room="table", text="Hello").status_code < 400
    expect(page.locator("#talk-new")).to_have_text("(1)")
    assert page.evaluate(SIZES) == sizes[0]
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
    assert page.evaluate(SIZES) == sizes[0]
    grace.close()
    for one in (page, other):
        one.context.close()
