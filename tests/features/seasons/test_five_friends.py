"""Check a season of three weeks and an evening of two tables, played by five friends in five browsers.

They read four languages, one has a phone, and the server is killed in between; in the season it starts a week later.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.features.seasons.season_visitors import group_of
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, too_wide
from tests.web.servers import SERVE, Server
from tests.web.visitors import Visitor, let_in
from tests.web.whole_games import comes, finish, play, version

FRIENDS: dict[str, dict[str, Any]] = {
    "Ada": {"locale": "en", "viewport": DESK},
    "Ben": {"locale": "de", "viewport": PHONES[0]},
    "Cleo": {"locale": "fr", "viewport": {"width": 1024, "height": 768}},
    "Dora": {"locale": "nl", "viewport": {"width": 1366, "height": 650}},
    "Emil": {"locale": "de", "viewport": DESK},
}
"""The browsers of the friends."""
WEEK = 7 * 24 * 3600
LATER = "import time; wall = time.time; time.time = lambda: wall() + {}; from spieltisch.cli import app; app()"
"""A server that starts some seconds later than it does."""
TRADE = """() => {
  const moves = [...document.querySelectorAll('#move-tree button[name=move]')];
  (moves.find((button) => /^trade \\w+ for 1 /.test(button.value)) ?? moves[0]).click();
}"""
"""A click on a one-for-one trade in the form of the page, if there is one; three rounds of them end the game."""


class Circle:
    """The friends with their browsers, at a server that may be killed and started again."""

    def __init__(self, start: Callable[..., Server], open_page: Person, stack: ExitStack) -> None:
        self.start, self.server = start, start()
        self.visitors = {name: stack.enter_context(Visitor(self.server)) for name in FRIENDS}
        self.path = group_of([*self.visitors.values()], [*FRIENDS])
        self.pages = {name: open_page(**settings) for name, settings in FRIENDS.items()}
        for name, page in self.pages.items():
            assert self.visitors[name].submit("/preferences", language=FRIENDS[name]["locale"]).status_code == 303
            let_in(page.context, self.visitors[name])

    def restart(self, weeks: int) -> None:
        """Kill the server, and start it so many weeks after now."""
        for page in self.pages.values():
            page.goto("about:blank")
        self.server.stop(signal.SIGKILL)
        command = [sys.executable, "-c", LATER.format(weeks * WEEK), *SERVE[1:]]
        self.server = self.start(command=command, forked=False)
        for visitor in self.visitors.values():
            visitor.base_url = httpx.URL(self.server.address)
            visitor.headers["Origin"] = self.server.address

    def create(self, kind: str, **choices: str) -> str:
        """Create a season or an evening by the form; everyone takes part and it begins. Return its path."""
        host = self.pages["Ada"]
        host.goto(f"{self.server.address}{self.path}/seasons")
        if not host.locator("#kind").is_visible():
            host.locator("details:has(#kind) > summary").click()
        host.select_option("#kind", kind)
        host.fill("#title", kind.title())
        for name, choice in choices.items():
            host.select_option(f"#{name}", choice)
        host.locator("#season-form .primary").click()
        host.wait_for_url("**/season/*")
        path = host.url.removeprefix(self.server.address)
        for name, page in self.pages.items():
            page.goto(f"{self.server.address}{path}")
            assert page.evaluate("document.documentElement.lang").startswith(FRIENDS[name]["locale"])
            assert page.locator(".group-page details[open] li").count() >= 8, "the rules come first"
            page.locator('[formaction$="/join"]').click()
            expect(page.locator('[formaction$="/leave"]')).to_be_visible()
        host.reload()
        host.locator('[formaction$="/begin"]').click()
        comes(host, '[data-stage="running"]')
        return path

    def sit_down(self, path: str) -> dict[str, list[Page | None]]:
        """Let everyone take their seat; return the browsers at each table, None where a bot sits."""
        tables = dict[str, list[str]]()
        for name, page in self.pages.items():
            page.goto(f"{self.server.address}{path}")
            page.locator('button[form="sit-form"]').click()
            page.wait_for_url("**/table/*")
            tables.setdefault(page.url.removeprefix(self.server.address), []).append(name)
        return {
            table: [
                None if seat["bot"] else self.pages[seat["name"]]
                for seat in self.visitors[names[0]].state(table)["seats"]
            ]
            for table, names in tables.items()
        }

    def standings(self, path: str, games: int) -> None:
        """Check on everyone's page that all are ranked by so many games, and that nothing is too wide."""
        for page in self.pages.values():
            page.goto(f"{self.server.address}{path}")
            rows = page.locator(".number-table tbody tr")
            expect(rows).to_have_count(len(FRIENDS))
            assert {row.locator("td").nth(-3).inner_text() for row in rows.all()} == {str(games)}
            assert not too_wide(page)


def trade(page: Page) -> None:
    """Trade one for one."""
    before = version(page)
    page.evaluate(TRADE)
    finish(page, before)


@pytest.mark.whole_game
def test_five_friends_play_a_season(own_server: Callable[..., Server], open_page: Person) -> None:
    with ExitStack() as stack:
        circle = Circle(own_server, open_page, stack)
        season = circle.create("season", each="3", seats="5", days="7")
        for week in range(3):
            if week:
                circle.restart(week)
                host = circle.pages["Ada"]
                host.goto(f"{circle.server.address}{season}/wall")
                expect(host.locator('.wall .tag[data-status="open"]')).to_have_count(1)
            ((_, players),) = circle.sit_down(season).items()
            assert None not in players
            play(players, trade)
            circle.standings(season, games=week + 1)


@pytest.mark.whole_game
def test_five_friends_play_an_evening(own_server: Callable[..., Server], open_page: Person) -> None:
    with ExitStack() as stack:
        circle = Circle(own_server, open_page, stack)
        evening = circle.create("evening", each="1", seats="3")
        tables = circle.sit_down(evening)
        assert [len(players) for players in tables.values()] == [3, 3]
        assert sum(page is None for players in tables.values() for page in players) == 1, "a bot fills the sixth seat"
        circle.restart(0)
        for table, players in tables.items():
            for page in filter(None, players):
                page.goto(f"{circle.server.address}{table}")
            play(players, trade)
        wall = circle.pages["Ada"]  # shows when the deal is revealed, which is a step after the last move
        wall.goto(f"{circle.server.address}{evening}/wall")
        expect(wall.locator(".wall .number-table tbody tr")).to_have_count(len(FRIENDS))
        circle.standings(evening, games=1)
        for page in circle.pages.values():
            assert page.locator('a[href^="/duplicate/"]').count() == 1, "now all may compare the tables"
