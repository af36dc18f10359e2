"""Tablets and small laptops, where prompt and log stand beside the boards: one may scroll down there, but nothing is
too wide, cut, or laid over something else.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web import era, inventors
from tests.web.conftest import Server, Visitor, serving
from tests.web.laid import Layout, lay
from tests.web.screens import cut, overlaps, too_wide
from tests.web.test_paris_desk import PEOPLE, traded

pytestmark = pytest.mark.browser
SCREENS: list[ViewportSize] = [
    {"width": 832, "height": 800},
    {"width": 844, "height": 390},
    {"width": 1024, "height": 768},
    {"width": 1280, "height": 720},
]
LAID = {
    "era-of-inventions": [era.table(3, era.start), era.table(5, era.late)],
    "legendary-inventors": [inventors.layout(2, 0, inventors.full), inventors.layout(5, 0, inventors.full)],
    "paris-connection": [Layout("paris-connection", PEOPLE[1:n], bytes([n] * 32), traded) for n in (3, 6)],
}
Laid = tuple[Server, str, dict[str, list[str]]]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """A server, a session, and the addresses of the tables of each game."""
    folder = tmp_path_factory.mktemp("laid")
    session, paths = lay(folder, era.NAMES[0], *(one for tables in LAID.values() for one in tables))
    with serving(folder) as running:
        found = iter([running.address + path for path in paths])
        yield running, session, {game: [next(found) for _ in tables] for game, tables in LAID.items()}


def faults(page: Page) -> list[str]:
    """What is wrong on one of the screens."""
    found = []
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{screen['width']}: {fault}" for fault in (*too_wide(page), *cut(page), *overlaps(page))]
    return found


def sticks_out(page: Page) -> bool:
    """Whether more is in the prompt than its frame holds, and it cannot be scrolled."""
    found: bool = page.locator("#prompt").evaluate(
        "(one) => getComputedStyle(one).overflowY === 'visible' && one.scrollHeight > one.clientHeight"
    )
    return found


@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("game", LAID)
def test_nothing_is_too_wide_and_nothing_lies_over_another(
    chromium: Browser, laid: Laid, game: str, language: str
) -> None:
    server, session, addresses = laid
    with Visitor(server) as host:
        host.cookies.set("session", session)
        host.submit("/preferences", language=language)
    context, found = chromium.new_context(viewport=SCREENS[0], locale=language), []
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    page = context.new_page()
    for number, address in enumerate(addresses[game]):
        page.goto(address)
        if page.locator("#curtain").count():
            page.locator("#curtain .prime").click()
        expect(page.locator("#choices .choice").first).to_be_visible()
        assert page.locator("html").get_attribute("lang") == language
        found += [f"table {number}, {fault}" for fault in faults(page)]
    page.goto(f"{addresses[game][-1]}/replay?at=3")
    expect(page.locator("#step-on")).to_be_visible()
    found += [f"replay, {fault}" for fault in faults(page)]
    page.goto(f"{server.address}/games/{game}/first-round")
    expect(page.locator("#choices .choice").first).to_be_visible()
    found += [f"first round, {fault}" for fault in faults(page)]
    page.set_viewport_size({"width": 1024, "height": 768})
    if sticks_out(page):
        found.append("first round: the choices stick out of their frame")
    context.close()
    assert found == []
