"""Replay of finished games at all sizes: the board is there beside the result, nothing is cut, no text lies over
another, nothing for axe to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.bots import choose
from spieltisch.core.position import Position
from tests.web import era, inventors
from tests.web.conftest import Server, Visitor, serving
from tests.web.laid import Layout, lay
from tests.web.screens import overlaps, too_wide
from tests.web.test_access import findings

pytestmark = pytest.mark.browser
Laid = tuple[Server, str, dict[str, str]]
SCREENS = [(1440, 900), (1280, 720), (390, 844), (320, 568)]


def at_random(position: Position) -> str | None:
    """Played to its end."""
    if position.over:
        return None
    assert position.seat is not None
    return choose("random", position.observe(position.seat).bytes, seed=position.number)


GAMES = {
    "paris-connection": Layout("paris-connection", era.NAMES[1:4], bytes(32), at_random),
    "era-of-inventions": era.table(5, era.over),
    "legendary-inventors": inventors.layout(5, 1, inventors.over),
}


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """A server, a session, and the addresses of the finished games' replays."""
    folder = tmp_path_factory.mktemp("laid")
    session, paths = lay(folder, era.NAMES[0], *GAMES.values())
    with serving(folder) as running:
        yield running, session, {k: f"{running.address}{path}/replay" for k, path in zip(GAMES, paths, strict=True)}


def reader(chromium: Browser, laid: Laid, width: int, height: int, theme: Literal["light", "dark"] = "light") -> Page:
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=theme, bypass_csp=True)
    context.add_cookies([{"name": "session", "value": laid[1], "url": laid[0].address}])
    return context.new_page()


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_first_and_the_last_step_can_be_read(
    chromium: Browser, laid: Laid, width: int, height: int, language: str
) -> None:
    server, session, addresses = laid
    with Visitor(server) as host:
        host.cookies.set("session", session)
        host.submit("/preferences", language=language)
    page, found = reader(chromium, laid, width, height), []
    for game, address in addresses.items():
        for step in ("?at=0", ""):
            page.goto(address + step)
            assert page.locator("html").get_attribute("lang") == language
            expect(page.locator("#play")).to_be_in_viewport()
            expect(page.locator("#end")).to_have_count(0 if step else 1)
            wrong = [*too_wide(page), *overlaps(page)]
            wrong += page.evaluate("play.scrollWidth > play.clientWidth ? ['the button is cut'] : []")
            board = page.locator("#map-frame" if game == "paris-connection" else "#panel").bounding_box()
            if board is None or board["height"] < 90 or board["width"] < 0.4 * width:
                wrong.append(f"the board has {board}")
            found += [f"{game}{step}: {fault}" for fault in wrong]
    page.context.close()
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(chromium: Browser, laid: Laid, theme: Literal["light", "dark"]) -> None:
    page = reader(chromium, laid, 1440, 900, theme)
    found = []
    for address in laid[2].values():
        for step in ("?at=7", ""):
            page.goto(address + step)
            expect(page.locator("#play")).to_be_visible()
            found += findings(page)
    page.context.close()
    assert found == []
