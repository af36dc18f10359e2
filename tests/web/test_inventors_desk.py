"""Legendary Inventors at a desk: the whole table on one screen, whoever sits there, however far the game is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import Server, Visitor, serving
from tests.web.inventors import MOMENTS, NAMES, layout
from tests.web.laid import lay
from tests.web.screens import DESK, cut, overlaps, too_high, too_wide

pytestmark = pytest.mark.browser
LARGE: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 2560, "height": 1300}]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, dict[str, str]]]:
    """A server, a session, and tables by what they are."""
    layouts = {
        f"{seats} {until.__name__}": layout(seats, number, until)
        for seats in (2, 3, 4, 5)
        for number, until in enumerate(MOMENTS)
    }
    layouts["3 choosing"] = layout(3, 3, lambda view: True, teams="choose")
    layouts["5 choosing"] = layout(5, 3, lambda view: sum(one.team >= 0 for one in view.players) == 2, teams="choose")
    folder = tmp_path_factory.mktemp("laid")
    session, paths = lay(folder, NAMES[0], *layouts.values())
    with serving(folder) as running:
        yield running, session, dict(zip(layouts, paths, strict=True))


def faults(page: Page) -> list[str]:
    return [*too_high(page), *too_wide(page), *cut(page, "section, .invention, .team"), *overlaps(page)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_has_to_be_scrolled(
    chromium: Browser, tables: tuple[Server, str, dict[str, str]], language: str
) -> None:
    server, session, paths = tables
    with Visitor(server) as host:
        host.cookies.set("session", session)
        host.submit("/preferences", language=language)
    context = chromium.new_context(viewport=DESK, locale=language)
    page = context.new_page()
    found = []
    for name in ("2 full", "4 full", "5 rewarding"):  # as a stranger who looks on
        page.goto(server.address + paths[name])
        expect(page.locator("#panel .team")).to_have_count(int(name[0]))
        found += [f"{name}, looking on: {fault}" for fault in faults(page)]
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    for name, path in paths.items():
        page.goto(server.address + path)
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator("#choices .choice").first).to_be_visible()
        expect(page.locator("#panel .team")).to_have_count(5 if "choosing" in name else int(name[0]))
        found += [f"{name}: {fault}" for fault in faults(page)]
    context.close()
    assert found == []


@pytest.mark.parametrize("screen", LARGE, ids=lambda screen: str(screen["width"]))
def test_nor_on_a_larger_screen_where_all_is_larger(
    chromium: Browser, tables: tuple[Server, str, dict[str, str]], screen: ViewportSize
) -> None:
    server, session, paths = tables
    context = chromium.new_context(viewport=screen, locale="en")
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    page, found = context.new_page(), []
    for name in ("2 full", "3 full", "4 latest", "5 rewarding"):
        page.goto(server.address + paths[name])
        expect(page.locator("#choices .choice").first).to_be_visible()
        assert float(page.locator("#panel .legendary").first.evaluate("one => getComputedStyle(one).zoom")) > 1
        found += [f"{name}: {fault}" for fault in faults(page)]
    context.close()
    assert found == []
