"""Check the preview of a move on the boards, and highlights of related elements."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import Visitor

TABLES = {
    "map": paris.layout_at(3, paris.stop_at_start),
    "cards": inventors.layout_at(3, 0, inventors.is_start),
    "fields": era.layout_at(3, era.is_start),
}
Show = Callable[[Layout], TableWithoutServer]


def ahead(visitor: Visitor, path: str, move: str) -> tuple[int, str]:
    answer = visitor.get(f"{path}/preview", params={"move": move})
    return answer.status_code, answer.text


def test_only_the_player_to_move_sees_the_preview_of_a_move(running_table: tuple[str, list[Visitor]]) -> None:
    path, visitors = running_table
    state = visitors[0].state(path)
    mover, other_player = visitors[state["to_decide"]], visitors[(state["to_decide"] + 1) % 3]
    build = next(move for move in mover.state(path)["moves"] if move.startswith("build red"))
    pieces = re.compile(r'id="(loco-[\w-]+)"')
    before = set(pieces.findall(mover.get(path).text))
    status, boards = ahead(mover, path, build)
    assert status == 200
    (new_piece,) = set(pieces.findall(boards)) - before
    assert new_piece.startswith("loco-red-")
    assert mover.state(path)["version"] == state["version"]
    assert ahead(other_player, path, build) == (200, "")
    assert ahead(mover, path, "done") == (200, "")
    assert ahead(mover, path, "dig")[0] == 422


@pytest.mark.browser
def test_a_move_is_previewed_on_the_map(without_server: Show) -> None:
    page = without_server(TABLES["map"]).page
    # By whom a place can be reached stands in it.
    expect(page.locator("#map-drawing .reach-icons > g")).to_have_count(page.locator("#map-drawing .is-target").count())
    number_of_words = page.locator("#move-tree li[data-word-text='build'] li li").count()
    expect(page.locator("#map-drawing .reach-icons use")).to_have_count(number_of_words)
    # A company lights what is its own.
    own_pieces = page.locator(".map-sheet .piece[data-group='company-red']").count()
    page.locator("#company-red").hover()
    expect(page.locator(".map-sheet .piece.is-highlighted")).to_have_count(own_pieces)
    expect(page.locator("#share-red")).to_have_class(re.compile(r"\bis-highlighted\b"))
    page.locator(".table-head h1").hover()
    expect(page.locator(".is-highlighted")).to_have_count(0)
    # A player lights the companies they hold, by keys, too.
    share_cells = page.locator("#panel-screen .share:not(.is-zero)").count()
    page.locator("#panel-players .is-own").focus()
    expect(page.locator("#panel-screen .share.is-highlighted")).to_have_count(share_cells)
    page.locator("#panel-players .is-own").blur()
    expect(page.locator(".is-highlighted")).to_have_count(0)
    # A move that is pointed at is drawn, and nothing has happened.
    page.locator("#choices").get_by_role("button", name="Build track", exact=True).click()
    page.locator("#choices").get_by_role("button", name=re.compile(r"^Ruby\b")).click()
    expect(page.locator("#map-drawing .reach-icons")).to_have_count(0)
    pieces = page.locator(".map-sheet .piece").count()
    page.locator("#choices .final-choice").first.hover()
    ghosts = page.locator(".map-sheet .piece.ghost")  # the new one, and where the engine, the newest one, has stood
    expect(ghosts).to_have_count(2)
    expect(page.locator(".map-sheet .piece.ghost[href='#loco-red']")).to_have_count(1)
    page.locator(".table-head h1").hover()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".map-sheet .piece")).to_have_count(pieces)
    # By keys, too; and what is then played is no ghost.
    before = page.locator("#live-part").get_attribute("data-version")
    page.keyboard.press("Tab")
    page.locator("#choices .final-choice").first.focus()
    expect(ghosts).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".map-sheet .piece")).to_have_count(pieces + 1)


@pytest.mark.browser
def test_a_move_is_previewed_on_cards(without_server: Show) -> None:
    page = without_server(TABLES["cards"]).page
    # A card lights who can work on it and what is won of its kind, an inventor the fields for them.
    card = page.locator("#panel .invention").first
    fields = [name[6:] for name in (card.get_attribute("data-highlights") or "").split() if name.startswith("knows-")]
    card.hover()
    known_groups = ", ".join(f"[data-group='knows-{field}']" for field in fields)
    expect(page.locator("#panel .inventor .is-highlighted")).to_have_count(page.locator(known_groups).count())
    expect(page.locator("#panel .run-card.is-highlighted")).to_have_count(3)
    inventor = page.locator("#panel .is-own .inventor[data-highlights]").first
    inventor.focus() if inventor.get_attribute("tabindex") == "0" else inventor.hover()
    needed_groups = ", ".join(
        f"[data-group='{name}']" for name in (inventor.get_attribute("data-highlights") or "").split()
    )
    expect(page.locator("#panel .invention .is-highlighted")).to_have_count(page.locator(needed_groups).count())
    page.locator(".table-head h1").hover()
    page.locator("#panel .is-own .inventor.is-target").first.click(position={"x": 9, "y": 9})
    invention = page.locator("#panel .invention.is-target").first
    name = invention.get_attribute("id")
    invention.click(position={"x": 9, "y": 9})
    expect(page.locator("#confirm-button")).to_be_focused()
    expect(page.locator(f"#{name} .space-rows .ghost").first).to_have_css("opacity", "1")  # the cubes in their spaces
    expect(page.locator(f"#{name} .card-foot .ghost").first).to_be_attached()  # and who is first now
    expect(page.locator("#panel .is-own .ghost").first).to_be_attached()  # from the own supply
    replaced = page.locator(f"#{name} .is-disappearing")
    expect(replaced.first).to_be_attached()
    expect(replaced.locator("visible=true")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost, .is-disappearing")).to_have_count(0)


@pytest.mark.browser
def test_the_choices_are_inert_from_a_confirmation_to_the_new_position(without_server: Show) -> None:
    shown = without_server(TABLES["fields"])
    page = shown.page
    get_place = "one => [one.getBoundingClientRect().left, getComputedStyle(one).fontSize]"
    place = page.locator("#prompt-title").evaluate(get_place)
    page.locator("#panel .action-field.is-target").first.click(position={"x": 9, "y": 9})
    expect(page.locator("#confirm-button")).to_be_focused()
    # Nothing else is asked; the question has the place and the letters of the one before.
    assert page.locator("#prompt-title").evaluate("one => one.getBoundingClientRect().width") <= 1
    assert page.locator("#preview-title").evaluate(get_place) == place
    page.evaluate("() => { window.bringLater = window.bring; window.bring = () => {}; }")
    page.evaluate(
        "() => { const confirm = document.getElementById('confirm-button'); confirm.click(); confirm.click(); }"
    )
    expect(page.locator("#notice")).to_be_empty()
    choices = page.locator("#choices")
    expect(choices).to_have_attribute("aria-busy", "true")
    page.evaluate("() => { for (const button of document.querySelectorAll('#choices button')) button.click(); }")
    page.keyboard.press("1")
    expect(choices).to_have_attribute("aria-busy", "true")
    version = page.locator("#live-part").get_attribute("data-version")
    page.evaluate("() => { window.bring = window.bringLater; return window.bring(); }")
    expect(page.locator(f'#live-part:not([data-version="{version}"])')).to_be_attached()
    expect(page.locator("#choices[aria-busy]")).to_have_count(0)
    assert len(shown.played) == len(shown.asked) == 1


@pytest.mark.browser
def test_a_move_is_previewed_on_action_fields(without_server: Show) -> None:
    page = without_server(TABLES["fields"]).page
    field = page.locator("#panel .action-field.is-target").first
    field.click(position={"x": 9, "y": 9})
    expect(field.locator(".ghost")).to_have_count(1)
    page.locator("#panel .player-line.is-own .player-label").hover()
    expect(page.locator("#era-track .is-highlighted").filter(visible=True)).to_have_count(1)
    page.locator("#era-players summary").first.focus()
    expect(page.locator("#era-track .is-highlighted").filter(visible=True)).to_have_count(1)
