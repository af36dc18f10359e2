"""Paris Connection on all screens: three to six players with names as long as they may be, late in the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.games.paris_connection.moments import over, table, traded
from tests.web.game_screens import Screens
from tests.web.laid import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAID = {**{f"{seats} traded": table(seats, traded) for seats in (3, 4, 5, 6)}, "4 over": table(4, over)}


class TestScreens(Screens):
    game = "paris-connection"
    desk = ("3 traded", "4 traded", "5 traded", "6 traded")
    small = ("3 traded", "6 traded")
    phone = desk
    over = "4 over"
    axe = ("6 traded",)
    board = "#map-frame"

    def seen(self, page: Page, name: str) -> None:
        expect(page.locator("#panel-screen .share")).to_have_count(6)
        expect(page.locator("#panel-players tbody tr")).to_have_count(int(name[0]))
