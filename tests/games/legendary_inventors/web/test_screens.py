"""Legendary Inventors on all screens: the whole table whoever sits there, however far the game is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.games.legendary_inventors.moments import MOMENTS, beginning, full, layout, over
from tests.web.conftest import Laid
from tests.web.game_screens import Open, Screens
from tests.web.laid import NAMES
from tests.web.screens import DESK, on_screens

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAID = {
    **{
        f"{seats} {until.__name__}": layout(seats, number, until)
        for seats in (2, 3, 4, 5)
        for number, until in enumerate(MOMENTS)
    },
    "3 start": layout(3, 3, beginning),
    "5 start": layout(5, 3, beginning),
    "3 choosing": layout(3, 3, lambda view: True, teams="choose"),
    "3 choosing on": layout(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "5 choosing": layout(5, 3, lambda view: sum(one.team >= 0 for one in view.players) == 2, teams="choose"),
    "3 rested": layout(3, 0, lambda view: full(view) and not any(view.players[view.seat].exhausted)),
    "3 over": layout(3, 2, over),
    "4 over": layout(4, 3, over),
    "5 over": layout(5, 1, over),
}
LARGE: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 2560, "height": 1300}]


class TestScreens(Screens):
    game = "legendary-inventors"
    desk = tuple(name for name in LAID if "over" not in name)
    looked_at = ("2 full", "4 full", "5 rewarding")
    small = ("2 full", "5 full")
    phone = ("3 rested", "5 full", "5 rewarding", "2 latest", "4 over", "3 choosing on")
    over = "5 over"
    axe = phone
    parts = "section, .invention, .team"

    def seen(self, page: Page, name: str) -> None:
        expect(page.locator("#panel .team")).to_have_count(5 if "choosing" in name else int(name[0]))

    def test_nothing_has_to_be_scrolled_on_a_larger_screen_where_all_is_larger(self, device: Open, laid: Laid) -> None:
        laid.speak("en")
        page, found = device(), []
        for name in ("2 full", "3 full", "4 latest", "5 rewarding"):
            page.set_viewport_size(DESK)
            self.there(page, laid, name)
            for screen in on_screens(page, *LARGE):
                zoom = page.locator("#panel .legendary").first.evaluate("one => getComputedStyle(one).zoom")
                assert float(zoom) > 1
                found += [f"{name}, {screen}: {fault}" for fault in self.faults(page, name)]
        assert found == []
