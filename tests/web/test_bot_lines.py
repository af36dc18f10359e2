"""Check that what a bot says is in the log and in a bubble, read aloud once, and can be turned off."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from tests.web.conftest import Person, PreparedTables
from tests.web.prepared_tables import Layout
from tests.web.table_moves import trade
from tests.web.visitors import Visitor, let_in

PEOPLE = ("Ada",)


def before_last_trade(position: Position) -> Move | None:
    """Return the next move to where one more one-for-one trade of the person ends the game (T6)."""
    if position.state.idle == 8 and position.seat == 0:
        return None
    kind = "trade" if position.state.idle or position.seat == 1 else "build"
    moves = (move for move in position.legal_moves if move.kind == kind and (kind == "build" or move.args[2] == 1))
    return next(moves, position.legal_moves[0])


LAYOUTS = {
    name: Layout(
        "paris-connection", ("bot:easy", "bot:easy"), bytes(range(1, 33)), before_last_trade, {"standstill": "ends"}
    )
    for name in ("desk", "phone", "off")
}


@pytest.fixture
def ada(prepared: PreparedTables) -> Iterator[Visitor]:
    with prepared.host() as visitor:
        yield visitor


@pytest.mark.browser
@pytest.mark.parametrize(("name", "width", "height"), [("desk", 1366, 650), ("phone", 390, 844)])
def test_what_a_bot_says_is_in_a_bubble_and_in_the_log_and_read_aloud_once(
    prepared: PreparedTables, open_page: Person, ada: Visitor, name: str, width: int, height: int
) -> None:
    page = open_page(viewport={"width": width, "height": height})
    let_in(page.context, ada)
    page.goto(prepared.addresses[name])
    expect(page.locator("#choices button").first).to_be_attached()
    trade(ada, prepared.addresses[name].removeprefix(prepared.server.address))
    bubble, line = page.locator('.chat-bubble[aria-hidden="true"]'), page.locator("#log-panel .log .bot-line")
    expect(line).to_have_count(1)
    said = line.text_content()
    assert said
    assert re.fullmatch(r"\w+: “.+”", said)
    expect(bubble).to_have_text(said)
    expect(page.locator("#live-region")).to_contain_text(said)
    assert said in re.sub("<[^>]+>", "", ada.get(f"{page.url}/log").text)
    assert said in re.sub("<[^>]+>", "", ada.get(f"{page.url}/replay").text)
    page.reload()
    expect(line).to_have_text(said)
    expect(page.locator(".chat-bubble")).to_have_count(0)


@pytest.mark.browser
def test_bots_say_nothing_to_a_player_who_has_turned_that_off(
    prepared: PreparedTables, open_page: Person, ada: Visitor
) -> None:
    page = open_page()
    assert "data-hides-bot-lines" not in ada.get("/preferences").text
    ada.submit("/preferences", **{"lines-shown": "1"})
    let_in(page.context, ada)
    page.goto(prepared.addresses["off"])
    expect(page.locator("html")).to_have_attribute("data-hides-bot-lines", "")
    trade(ada, prepared.addresses["off"].removeprefix(prepared.server.address))
    line = page.locator("#log-panel .log .bot-line")
    expect(line).to_have_count(1)
    expect(line).to_be_hidden()
    expect(page.locator("#result-link")).to_be_focused()
    expect(page.locator("#live-region")).to_have_text(re.compile(r"won[.!]$"))
    assert "“" not in (page.locator("#live-region").text_content() or "")
    expect(page.locator(".chat-bubble")).to_have_count(0)
    ada.submit("/preferences", **{"lines-shown": "1", "lines": "on"})
    page.goto(prepared.addresses["off"])
    expect(line).to_be_visible()
