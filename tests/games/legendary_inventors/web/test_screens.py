"""Check Legendary Inventors on all screens, for any number of players, at any stage of the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.games.legendary_inventors.moments import MOMENTS, is_full_last_age, is_over, is_start, layout_at
from tests.web.game_screens import Screens
from tests.web.prepared_tables import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAYOUTS = {
    **{
        f"{seats} {moment}": layout_at(seats, number, is_moment)
        for seats in (2, 3, 4, 5)
        for number, (moment, is_moment) in enumerate(MOMENTS.items())
    },
    "3 start": layout_at(3, 3, is_start),
    "5 start": layout_at(5, 3, is_start),
    "3 choosing": layout_at(3, 3, lambda view: True, teams="choose"),
    "3 choosing on": layout_at(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "5 choosing": layout_at(5, 3, lambda view: sum(player.team >= 0 for player in view.players) == 2, teams="choose"),
    "3 rested": layout_at(3, 0, lambda view: is_full_last_age(view) and not any(view.players[view.seat].exhausted)),
    "3 over": layout_at(3, 2, is_over),
    "4 over": layout_at(4, 3, is_over),
    "5 over": layout_at(5, 1, is_over),
}
LONG = {
    "2 full": 2907,
    "2 rewarding": 3017,
    "2 latest": 2813,
    "3 full": 3203,
    "3 rewarding": 3128,
    "3 latest": 2902,
    "4 full": 3739,
    "4 rewarding": 3908,
    "4 latest": 3285,
    "5 full": 3969,
    "5 rewarding": 4127,
    "5 latest": 3494,
    "3 start": 2215,
    "5 start": 2771,
    "3 choosing": 1720,
    "3 choosing on": 1781,
    "5 choosing": 1906,
    "3 rested": 3129,
    "3 over": 2046,
    "4 over": 2304,
    "5 over": 2575,
}
"""The height of the page on a phone before it folded, see `Screens.long`."""


SIZES = """() => [...document.querySelectorAll("#panel .invention")].flatMap((card) => {
  const rooms = [...card.querySelectorAll(".space-row")].map((one) => [one, one.getBoundingClientRect()]);
  const high = rooms.map(([one, { width, height }]) => Math.min(height, 26 * width / one.viewBox.baseVal.width));
  return Math.max(...high) - Math.min(...high) > 0.5 ? [`spaces of several sizes: ${high}`] : [];
})"""
"""A script that returns the cards on which the spaces of one field of knowledge are larger than those of another."""


class TestScreens(Screens):
    game = "legendary-inventors"
    desk = tuple(name for name in LAYOUTS if "over" not in name)
    looked_at = ("2 full", "4 full", "5 rewarding")
    longest = "5 full"
    small = ("2 full", "5 full")
    laptop = ("5 start", "2 full", "5 full")
    phone = ("3 rested", "5 full", "5 rewarding", "2 latest", "4 over", "3 choosing on")
    long = LONG
    over = "5 over"
    axe = phone
    parts = "section, .invention, .team"

    def wait_for_boards(self, page: Page, name: str) -> None:
        expect(page.locator("#panel .team")).to_have_count(5 if "choosing" in name else int(name[0]))

    def faults(self, page: Page, name: str = "") -> list[str]:
        return [*super().faults(page, name), *page.evaluate(SIZES)]
