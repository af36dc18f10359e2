"""A long turn is one unit: choices show their effects, its record is above them, and one click confirms it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.tiers import first_alone
from tests.web.conftest import SECONDS, Server, Visitor
from tests.web.key_player import choice_of

pytestmark = pytest.mark.browser
GAME = "era-of-inventions"
MARKET = "exchange market"
SIZES: dict[str, ViewportSize] = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def ready(ada: Visitor) -> str:
    """A table where Ada, with two bots, is about to choose between her discs; one lies on the exchange market."""
    while True:
        answer = ada.submit(
            f"/new/{GAME}", **{"name": "Ada", "seat-0": "me", "seat-1": "bot:random", "seat-2": "bot:random"}
        )
        path: str = answer.headers["location"]
        state = ada.state(path)
        while not state["moves"] or state["moves"][0].startswith("place"):
            if moves := state["moves"]:
                ada.play(path, f"place {MARKET}" if f"place {MARKET}" in moves else moves[0], state["version"])
            state = ada.state(path)
        if f"use {MARKET}" in state["moves"]:  # the bots may have been quicker to take it
            return path


@pytest.fixture(params=first_alone("desk", SIZES))
def page(request: pytest.FixtureRequest, chromium: Browser, server: Server, ada: Visitor) -> Iterator[Page]:
    context: BrowserContext = chromium.new_context(viewport=SIZES[request.param], locale="en")
    context.set_default_timeout(SECONDS)
    kept: list[Any] = [
        {"name": cookie.name, "value": cookie.value or "", "url": server.address} for cookie in ada.cookies.jar
    ]
    context.add_cookies(kept)
    yield context.new_page()
    context.close()


def to_table(page: Page, address: str) -> None:
    """Open the page; on a phone also the prompt, which is one line until then."""
    page.goto(address)
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#unroll").is_visible():
        page.locator("#unroll").click()


def choose(page: Page, *names: str) -> None:
    """Press words one after the other; those that are the only ones to go on with are walked over."""
    for name in names:
        choice_of(page, name).click()


def moved(page: Page, press: str) -> None:
    """Press what changes the table, and wait until the page shows it."""
    before = page.locator("#live").get_attribute("data-version") or ""
    page.locator(press).click()
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()


def exchange(page: Page, *words: str) -> None:
    before = page.locator("#live").get_attribute("data-version") or ""
    choose(page, *words)
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()


def steps(page: Page) -> list[str]:
    """The moves of the turn under way, as they are listed."""
    return [" ".join(text.split()) for text in page.locator("#turn li").all_text_contents()]


def test_what_a_field_would_let_do_stands_below_its_name(ready: str, page: Page, server: Server, ada: Visitor) -> None:
    to_table(page, server.address + ready)
    market = choice_of(page, "Carry out Exchange market")
    description = "You can take a development stone, or exchange goods for: "
    expect(market).to_contain_text(description)
    expect(market).to_have_accessible_name(re.compile(f"^Carry out Exchange market – {description}"))
    expect(page.locator("#turn")).to_have_count(0)
    note, label = market.locator(".note").bounding_box(), market.locator(".label").bounding_box()
    assert note
    assert label
    assert note["y"] >= label["y"] + label["height"] - 1, "the note stands below the words"


def test_a_long_action(ready: str, page: Page, server: Server, ada: Visitor) -> None:
    to_table(page, server.address + ready)
    phone = (page.viewport_size or {"width": 0})["width"] < 500
    exchange(page, "Carry out Exchange market")
    expect(page.locator("#turn .count")).to_have_text("(1)")
    expect(page.locator("#undo-turn")).to_have_count(0)
    exchange(page, "coin", "and coin", "Exchange coin and coin for 1 influence point")
    exchange(page, "wood", "and coal", "Exchange wood and coal for 1 tool")
    expect(page.locator("#turn .count")).to_have_text("(3)")
    assert steps(page) == [
        "Ada carries out Exchange market.",
        "Ada exchanges 2 coins for 1 influence point.",
        "Ada exchanges 1 wood, 1 coal for 1 tool.",
    ]
    total = "Spent: 1 wood, 1 coal, 2 coins. Received: 1 tool. Influence 0 → 1."
    expect(page.locator("#sum")).to_have_text(total)
    expect(page.locator("#sum")).to_be_in_viewport()
    assert page.locator("#turn li").first.is_visible() != phone, "listed where there is room"
    page.locator("#turn summary").click()
    assert page.locator("#turn li").first.is_visible() == phone

    # Back, one by one, and on again.
    while page.locator("#prompt .back:visible").count():
        page.locator("#prompt .back:visible").click()
    assert (page.locator("#undo").bounding_box() or {"height": 0})["height"] >= 44
    moved(page, "#undo")
    expect(page.locator("#sum")).to_have_text("Spent: 2 coins. Influence 0 → 1.")
    assert len(steps(page)) == 2
    moved(page, "#undo")
    assert steps(page) == ["Ada carries out Exchange market."]
    expect(page.locator("#sum")).to_have_count(0)
    exchange(page, "coin", "and coin", "Exchange coin and coin for 1 influence point")

    # The end is asked about once, and says all of it.
    while page.locator("#prompt .back:visible").count():
        page.locator("#prompt .back:visible").click()
    exchange(page, "Done")  # a bonus disc may follow, so nothing is asked
    expect(page.locator("#confirm")).to_have_count(0)
    choose(page, "Skip the bonus disc")
    expect(page.locator("#confirm")).to_be_focused()
    expect(page.locator(".preview .turn-summary")).to_have_text("Whole turn: Spent: 2 coins. Influence 0 → 1.")
    expect(page.locator(".preview")).to_contain_text("Ada skips the bonus disc.")
    assert len(page.locator(".preview li").all_text_contents()) == 3
    expect(page.locator("#turn")).to_be_hidden()
    expect(page.locator("#confirm")).to_be_in_viewport()
    moved(page, "#confirm")
    assert ada.state(ready)["log"][-1]["text"]
    assert not any("skips the bonus disc" in text for text in steps(page))


CONTROLS = "() => [...document.querySelectorAll('#foot > .button')].map(({ id, offsetLeft }) => [id, offsetLeft])"


def test_more_ways_to_undo_move_no_control_of_the_foot(ready: str, page: Page, server: Server, ada: Visitor) -> None:
    page.goto(server.address + ready)
    expect(page.locator("#foot > span.more-ways")).to_be_attached()
    at = page.evaluate(CONTROLS)
    for move in (f"use {MARKET}", "exchange coin coin for influence"):
        assert ada.play(ready, move).status_code == 200
    expect(page.locator("#more-ways")).to_be_attached()
    assert page.evaluate(CONTROLS) == at


@pytest.mark.parametrize("page", ["desk"], indirect=True)
def test_the_foot_stays_where_it_is_and_undo_leads_one_step_back(
    ready: str, page: Page, server: Server, ada: Visitor
) -> None:
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(server.address + ready)
    undo, live = page.locator("#undo"), page.locator("#live")
    expect(page.locator("#choices .choice").first).to_be_visible()
    at, controls = page.locator("#foot").bounding_box(), page.evaluate(CONTROLS)
    before = ada.state(ready)["version"]
    exchange(page, "Carry out Exchange market")
    expect(page.locator("#turn .count")).to_have_text("(1)")
    played = live.get_attribute("data-version")
    choose(page, "coin")
    expect(page.locator("#choices .trail")).to_contain_text("coin")
    assert page.locator("#foot").bounding_box() == at
    assert page.evaluate(CONTROLS) == controls
    undo.click()
    expect(page.locator("#choices .trail")).not_to_contain_text("coin")
    expect(live).to_have_attribute("data-version", str(played))
    moved(page, "#undo")
    expect(page.locator("#turn")).to_have_count(0)
    assert page.locator("#foot").bounding_box() == at
    assert ada.state(ready)["version"] > before


def test_a_turn_is_taken_back_at_once(ready: str, page: Page, server: Server, ada: Visitor) -> None:
    before = ada.state(ready)["moves"]
    for move in (f"use {MARKET}", "exchange coin coin for influence", "exchange wood coal for tool"):
        assert ada.play(ready, move).status_code == 200
    page.goto(server.address + ready)
    expect(page.locator("#turn .count")).to_have_text("(3)")
    if page.locator("#unroll").is_visible():  # a phone has it in the menu, which is always there
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator("#menu > summary").click()
        moved(page, "#menu-undo-turn")
    else:
        page.locator("#more-ways > summary").click()
        moved(page, "#undo-turn")
    expect(page.locator("#turn")).to_have_count(0)
    assert ada.state(ready)["moves"] == before


def test_taking_a_turn_back_is_checked_like_any_undo(ready: str, ada: Visitor, grace: Visitor) -> None:
    seen = str(ada.state(ready)["version"])
    json = {"Accept": "application/json"}

    def ask(visitor: Visitor, version: str) -> Any:
        fields = {"token": visitor.token(), "version": version}
        return visitor.post(f"{ready}/undo-turn", data=fields, headers=json)

    assert ask(ada, seen).json()["code"] in ("nothing-to-undo", "final-move")
    assert ada.play(ready, f"use {MARKET}").status_code == 200
    assert ask(grace, str(ada.state(ready)["version"])).json()["code"] == "not-your-seat"
    assert ask(ada, seen).json()["code"] == "stale"
    assert ask(ada, "x").status_code == 400
    assert ask(ada, str(ada.state(ready)["version"])).status_code == 200
    assert f"use {MARKET}" in ada.state(ready)["moves"]
