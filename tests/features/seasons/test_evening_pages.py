"""Check the pages of evenings: the form, the rules, both tables, and the wall over a killed server."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import expect

from tests.features.group_visitors import create, named
from tests.features.seasons.season_visitors import group_of, season_of
from tests.web.conftest import Person
from tests.web.layout_checks import too_wide
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in, trade_on

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


def test_an_evening_shows_its_rules_before_one_joins(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server()) as ada:
        path = create(named(ada, "Ada"))
        evening, season = season_of(ada, path, kind="evening", days=""), season_of(ada, path)
        texts = [re.search(r"<details open>.*</details>", ada.get(each).text, re.DOTALL) for each in (evening, season)]
        rules = {found[0] for found in texts if found}
        assert len(rules) == 2, "each has its own"
        assert ada.get(f"{path}/seasons").text.count('<span class="tag">') == 3, "an evening is named"


def sit_down(visitors: list[Visitor], path: str, evening: str) -> dict[str, list[Visitor]]:
    """Seat everyone at their table; return the players of each, in turn order."""
    found = dict[str, list[Visitor]]()
    for visitor in visitors:
        button = re.search(r'form="sit-form" name="table" value="([^"]+)"', visitor.get(evening).text)
        assert button
        assert visitor.submit(f"{path}/sit", table=button[1]).status_code == 303
        found.setdefault(f"/table/{button[1]}", []).append(visitor)
    for table, players in found.items():
        order = [seat["name"] for seat in players[0].state(table)["seats"]]
        players.sort(key=lambda visitor: order.index(NAMES[visitors.index(visitor)]))
    return found


@pytest.mark.browser
def test_an_evening_of_two_tables_is_played_over_a_killed_server_before_a_wall(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server = own_server()
    with ExitStack() as stack:
        visitors = [stack.enter_context(Visitor(server)) for _ in NAMES]
        path = group_of(visitors, NAMES)
        evening = season_of(visitors[0], path, kind="evening", each="1")
        for visitor in visitors:
            visitor.submit(f"{evening}/join")
        wall = open_page(viewport={"width": 390, "height": 800})
        let_in(wall.context, visitors[0])
        visitors[0].submit(f"{evening}/begin")
        tables = sit_down(visitors, path, evening)
        own = next(table for table, players in tables.items() if visitors[0] in players)
        (other,) = set(tables) - {own}
        server.stop(signal.SIGKILL)
        server = own_server()
        for visitor in visitors:
            visitor.base_url = httpx.URL(server.address)
            visitor.headers["Origin"] = server.address
        wall.goto(f"{server.address}{evening}/wall")
        expect(wall.locator(".wall .tag")).to_have_count(2)
        expect(wall.locator('.wall a[href^="/table/"]')).to_have_count(1)
        trade_on(tables[other], other, None)
        expect(wall.locator('.wall .tag[data-status="finished"]')).to_have_count(1)
        expect(wall.locator(".wall .number-table")).to_have_count(0)
        assert visitors[0].get(other).status_code == 403
        trade_on(tables[own], own, None)
        expect(wall.locator(".wall .number-table tbody tr")).to_have_count(len(NAMES))
        expect(wall.locator('.wall a[href^="/table/"]')).to_have_count(2)
        expect(wall.locator(".wall")).to_have_attribute("data-stage", "over")
        assert not too_wide(wall)
        wall.goto(f"{server.address}{evening}")
        assert not too_wide(wall)
        for table in wall.locator(".rounds tbody tr").all():
            expect(table.locator(".round-name")).to_be_visible()
            lefts = table.locator(".member-chip").evaluate_all(
                "(all) => all.map((one) => one.getBoundingClientRect().x)"
            )
            assert len(lefts) > 2
            assert len(set(lefts)) == 1, "on a phone, players are below each other"
        wall.locator('a[href^="/duplicate/"]').click()
        expect(wall.locator(".seat-table")).to_have_count(3)
