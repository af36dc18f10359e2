"""The preview of a move on the boards before it is played, highlights of what belongs together, and legal places with
the moves that reach them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris
from tests.web.conftest import Visitor
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer

TABLES = {
    "map": paris.table(3, paris.start),
    "cards": inventors.layout(3, 0, inventors.beginning),
    "fields": era.table(3, era.start),
}
Show = Callable[[Layout], TableWithoutServer]


def ahead(visitor: Visitor, path: str, move: str) -> tuple[int, str]:
    answer = visitor.get(f"{path}/preview", params={"move": move})
    return answer.status_code, answer.text


def test_who_decides_is_shown_the_boards_after_a_move_and_nobody_else(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    state = visitors[0].state(path)
    mover, other = visitors[state["to_decide"]], visitors[(state["to_decide"] + 1) % 3]
    build = next(move for move in mover.state(path)["moves"] if move.startswith("build red"))
    pieces = re.compile(r'id="(loco-[\w-]+)"')
    before = set(pieces.findall(mover.get(path).text))
    status, boards = ahead(mover, path, build)
    assert status == 200
    (new,) = set(pieces.findall(boards)) - before
    assert new.startswith("loco-red-")
    assert mover.state(path)["version"] == state["version"]
    assert ahead(other, path, build) == (200, "")
    assert ahead(mover, path, "done") == (200, "")
    assert ahead(mover, path, "dig")[0] == 422


@pytest.mark.browser
def test_on_the_map(without_server: Show) -> None:
    page = without_server(TABLES["map"]).page
    # By whom a place can be reached stands in it.
    expect(page.locator("#map-static .reach-icons > g")).to_have_count(page.locator("#map-static .is-target").count())
    reached = page.locator("#tree li[data-text='build'] li li").count()
    expect(page.locator("#map-static .reach-icons use")).to_have_count(reached)
    # A company lights what is its own.
    own = page.locator(".map-sheet .piece[data-group='company-red']").count()
    page.locator("#company-red").hover()
    expect(page.locator(".map-sheet .piece.is-lit")).to_have_count(own)
    expect(page.locator("#share-red")).to_have_class(re.compile(r"\bis-lit\b"))
    page.locator(".head h1").hover()
    expect(page.locator(".is-lit")).to_have_count(0)
    # A player lights the companies they hold, by keys, too.
    held = page.locator("#panel-screen .share:not(.is-none)").count()
    page.locator("#panel-players .is-own").focus()
    expect(page.locator("#panel-screen .share.is-lit")).to_have_count(held)
    page.locator("#panel-players .is-own").blur()
    expect(page.locator(".is-lit")).to_have_count(0)
    # A move that is pointed at is drawn, and nothing has happened.
    page.locator("#choices").get_by_role("button", name="Build track", exact=True).click()
    page.locator("#choices").get_by_role("button", name="Ruby", exact=True).click()
    expect(page.locator("#map-static .reach-icons")).to_have_count(0)
    pieces = page.locator(".map-sheet .piece").count()
    page.locator("#choices .leaf").first.hover()
    expect(page.locator(".map-sheet .piece.ghost")).to_have_count(1)
    page.locator(".head h1").hover()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".map-sheet .piece")).to_have_count(pieces)
    # By keys, too; and what is then played is no ghost.
    before = page.locator("#live").get_attribute("data-version")
    page.keyboard.press("Tab")
    page.locator("#choices .leaf").first.focus()
    expect(page.locator(".map-sheet .piece.ghost")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".map-sheet .piece")).to_have_count(pieces + 1)


@pytest.mark.browser
def test_on_cards(without_server: Show) -> None:
    page = without_server(TABLES["cards"]).page
    # A card lights who can work on it and what is won of its kind, an inventor the fields for them.
    card = page.locator("#panel .invention").first
    fields = [name[6:] for name in (card.get_attribute("data-highlights") or "").split() if name.startswith("knows-")]
    card.hover()
    knows = ", ".join(f"[data-group='knows-{field}']" for field in fields)
    expect(page.locator("#panel .inventor .is-lit")).to_have_count(page.locator(knows).count())
    expect(page.locator("#panel .link.is-lit")).to_have_count(3)
    inventor = page.locator("#panel .is-own .inventor[data-highlights]").first
    inventor.focus() if inventor.get_attribute("tabindex") == "0" else inventor.hover()
    needs = ", ".join(f"[data-group='{name}']" for name in (inventor.get_attribute("data-highlights") or "").split())
    expect(page.locator("#panel .invention .is-lit")).to_have_count(page.locator(needs).count())
    page.locator(".head h1").hover()
    page.locator("#panel .is-own .inventor.is-target").first.click(position={"x": 9, "y": 9})
    invention = page.locator("#panel .invention.is-target").first
    name = invention.get_attribute("id")
    invention.click(position={"x": 9, "y": 9})
    expect(page.locator("#confirm")).to_be_focused()
    expect(page.locator(f"#{name} .spaces .ghost").first).to_be_attached()  # the cubes in their spaces
    expect(page.locator(f"#{name} .card-foot .ghost").first).to_be_attached()  # and who is first now
    expect(page.locator("#panel .is-own .ghost").first).to_be_attached()  # from the own supply
    page.keyboard.press("Escape")
    expect(page.locator(".ghost, .is-going")).to_have_count(0)


@pytest.mark.browser
def test_on_fields(without_server: Show) -> None:
    page = without_server(TABLES["fields"]).page
    field = page.locator("#panel .action-field.is-target").first
    field.click(position={"x": 9, "y": 9})
    expect(field.locator(".ghost")).to_have_count(1)
    page.locator("#panel .line-of.is-own .who").hover()
    expect(page.locator("#era-track .is-lit").filter(visible=True)).to_have_count(1)
    page.locator("#era-ledger summary").first.focus()
    expect(page.locator("#era-track .is-lit").filter(visible=True)).to_have_count(1)
