"""Paris Connection at a desk and on phones: everything of three to six players with names as long as they may be, late
in the game, without scrolling; nothing cut, nothing for axe to find.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.bots import choose
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from tests.web.conftest import Server, Visitor, serving
from tests.web.era import NAMES
from tests.web.laid import Layout, lay
from tests.web.screens import DESK, cut, overlaps, too_high, too_wide
from tests.web.test_access import findings

pytestmark = pytest.mark.browser
PEOPLE = [*NAMES, "Hildegard Freifrau von und zu Guttenberg"]
Theme = Literal["light", "dark"]
Laid = tuple[Server, str, dict[str, str]]


def traded(position: Position) -> str | None:
    """Until everybody has traded and somebody has begun to build."""
    view, moves = position.observe(None).view, [str(move) for move in position.legal_moves]
    if "done" in moves and all(any(view.players[seat].taken) for seat in range(position.seats)):
        return None
    trades = [move for move in moves if move.startswith("trade")]
    if trades and position.number % 3 == 0:
        return random.Random(position.number).choice(trades)
    assert position.seat is not None
    return choose("greedy", position.observe(position.seat).bytes, seed=position.number)


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """A server, a session, and the addresses of tables by their seats, each seen by who is to decide."""
    folder = tmp_path_factory.mktemp("laid")
    tables = {str(n): Layout("paris-connection", PEOPLE[1:n], bytes([n] * 32), traded) for n in (3, 4, 5, 6)}
    session, paths = lay(folder, PEOPLE[0], *tables.values())
    with serving(folder) as running:
        yield running, session, {n: running.address + path for n, path in zip(tables, paths, strict=True)}


def there(page: Page, address: str, seats: str) -> None:
    """At the table, behind the curtain."""
    page.goto(address)
    page.locator("#curtain .prime").click()
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(page.locator("#panel-screen .share")).to_have_count(6)
    expect(page.locator("#panel-players tbody tr")).to_have_count(int(seats))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_has_to_be_scrolled_at_a_desk(chromium: Browser, laid: Laid, language: str) -> None:
    server, session, addresses = laid
    with Visitor(server) as host:
        host.cookies.set("session", session)
        host.submit("/preferences", language=language)
    context = chromium.new_context(viewport=DESK, locale=language)
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    page, found = context.new_page(), []
    for seats, address in addresses.items():
        there(page, address, seats)
        assert page.locator("html").get_attribute("lang") == language
        for fault in (*too_high(page), *too_wide(page), *cut(page), *overlaps(page)):
            found.append(f"{seats}: {fault}")
    context.close()
    assert found == []


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_is_cut_on_a_phone(chromium: Browser, laid: Laid, width: int) -> None:
    server, session, addresses = laid
    context = chromium.new_context(viewport={"width": width, "height": 844}, is_mobile=True, has_touch=True)
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    page, found = context.new_page(), []
    for seats, address in addresses.items():
        there(page, address, seats)
        for fault in (*too_wide(page), *cut(page), *overlaps(page)):
            found.append(f"{seats}: {fault}")
    context.close()
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_with_six(chromium: Browser, laid: Laid, theme: Theme) -> None:
    server, session, addresses = laid
    context = chromium.new_context(viewport=DESK, color_scheme=theme)
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    page = context.new_page()
    there(page, addresses["6"], "6")
    assert findings(page) == []
    context.close()
