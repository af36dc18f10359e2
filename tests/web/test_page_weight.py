"""Check what a browser without a cache loads of a table, and that nothing moves while it appears."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from spieltisch.games import GAMES
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, SCREENS, draws
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in
from tests.web.whole_games import comes

MOST_BYTES: Final = 290_000
"""Of it, fonts are up to 130,000; of the page itself, only parts are compressed (docs/security.md)."""
MOST_REQUESTS: Final = 18
"""Style sheets and scripts are joined (`joined_files.py`)."""
MOST_SHIFT: Final = 0.02
"""The layout shift that web.dev calls good is 0.1."""
MOST_LATE_SHIFT: Final = 0.05
"""Half of what web.dev calls good: letters come late, too, and boards differ from deal to deal."""
RECORD_SHIFTS: Final = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
DRAWN: Final = """() => new Promise((done) => {
  const isParsed = () => document.readyState !== 'loading';
  const look = () => requestAnimationFrame(isParsed() ? () => requestAnimationFrame(done) : look);
  look();
})"""
"""A script that waits until the whole page without its scripts is drawn."""


@pytest.mark.browser_detail
@pytest.mark.parametrize("key", GAMES)
def test_a_table_is_light_and_stands_still_while_it_loads(
    ada: Visitor, server: Server, open_page: Person, key: str
) -> None:
    """The stream is left out: it stays open."""
    path = ada.table("me", "bot:random", "bot:random", "bot:random", game=key)
    bystander, page = open_page(viewport=DESK, locale="en"), open_page(viewport=DESK, locale="en")
    let_in(bystander.context, ada)
    bystander.goto(server.address + path)
    comes(bystander, "#choices")  # no bot moves while the page loads
    let_in(page.context, ada)
    sizes: dict[str, float] = {}
    urls: dict[str, str] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def finished(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.loadingFinished", finished)
    page.add_init_script(RECORD_SHIFTS)
    page.goto(server.address + path, wait_until="load")
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    loaded = {urls[request]: size for request, size in sizes.items() if request in urls}
    assert len(loaded) <= MOST_REQUESTS, sorted(loaded)
    assert sum(loaded.values()) <= MOST_BYTES, sorted(loaded.items(), key=lambda item: -item[1])[:12]
    assert any("/table/" in url for url in loaded)
    assert page.evaluate("window.layoutShift") < MOST_SHIFT


@pytest.mark.browser_detail
@pytest.mark.parametrize("key", GAMES)
def test_a_table_stands_still_on_every_screen_when_its_scripts_come_late(
    ada: Visitor, server: Server, open_page: Person, key: str
) -> None:
    """What the scripts fold, fit or fetch changes nothing that the page has shown before them."""
    path = ada.table("me", "bot:random", "bot:random", "bot:random", game=key)
    page, held_scripts = open_page(viewport=DESK, locale="en"), list[Route]()
    let_in(page.context, ada)
    page.goto(server.address + path)
    comes(page, "#choices")
    page.add_init_script(RECORD_SHIFTS)

    def hold_until_drawn(route: Route) -> None:
        if is_drawn:
            route.continue_()
        else:
            held_scripts.append(route)

    is_drawn = False
    page.route("**/js/table-page.js", hold_until_drawn)
    shifts = {}
    for screen in SCREENS:
        is_drawn = False
        page.set_viewport_size(screen)
        page.goto(server.address + path, wait_until="commit")
        page.evaluate(DRAWN)
        is_drawn = True
        while held_scripts:
            held_scripts.pop().continue_()
        comes(page, "#choices .choice")
        expect(page.locator("#map-drawing:empty")).to_have_count(0)
        page.evaluate("document.fonts.ready.then(() => null)")
        draws(page)
        shifts[screen["width"]] = page.evaluate("window.layoutShift")
    assert {width: shift for width, shift in shifts.items() if shift >= MOST_LATE_SHIFT} == {}
