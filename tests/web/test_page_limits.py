"""Check extreme pages: names of one long word, forms on a desktop, and pages without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.core.words import LANGUAGES
from tests.sentences import sentence_after
from tests.web.layout_checks import too_wide
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

LONG_NAME = "W" * 39
CUT = """() => [...document.querySelectorAll('#handoff-screen .button')]
    .filter((one) => one.scrollWidth > one.clientWidth || one.offsetWidth > one.parentElement.clientWidth)
    .map((one) => `cut: ${one.textContent}`)"""
Open = Callable[..., Page]


@pytest.fixture
def open_page_as(chromium: Browser) -> Iterator[Open]:
    """Return a function that opens a page as a visitor with Playwright settings."""
    contexts = []

    def start(visitor: Visitor, **settings: Any) -> Page:
        context = chromium.new_context(**settings)
        contexts.append(context)
        let_in(context, visitor)
        return context.new_page()

    yield start
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("game", ["era-of-inventions", "paris-connection"])
def test_a_name_of_one_long_word_makes_no_page_too_wide(
    server: Server, ada: Visitor, open_page_as: Open, game: str
) -> None:
    names = {f"here-{seat}": f"{LONG_NAME}{seat}" for seat in (1, 2)}
    path = ada.table("me", "here", "here", name=f"{LONG_NAME}0", game=game, **names)
    page, problems = open_page_as(ada), []
    for width in (1440, 1180, 832, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(server.address + path)
        if game == "paris-connection":  # has secrets
            expect(page.locator("#handoff-screen .button")).to_have_count(3)
            problems += [f"{width}, handoff screen: {fault}" for fault in (*too_wide(page), *page.evaluate(CUT))]
            page.locator("#handoff-screen .primary").click()
        expect(page.locator("#choices .choice").first).to_be_visible()
        problems += [f"{width}, choices: {fault}" for fault in too_wide(page)]
    assert problems == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 390])
def test_the_name_field_of_a_local_player_is_below_the_seat_choice(
    server: Server, ada: Visitor, open_page_as: Open, width: int
) -> None:
    page = open_page_as(ada, viewport={"width": width, "height": 900})
    page.goto(f"{server.address}/new/paris-connection")
    page.locator("#table-options > summary").click()
    page.select_option("#seat-1", "here")
    choice, name = page.locator("#seat-1").bounding_box(), page.locator("[name=here-1]").bounding_box()
    assert choice
    assert name
    assert (name["x"], name["width"]) == (choice["x"], choice["width"])
    assert name["y"] >= choice["y"] + choice["height"]


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_without_a_script_moves_look_like_buttons_of_the_chosen_theme(
    server: Server, ada: Visitor, open_page_as: Open, theme: str
) -> None:
    path = ada.table("me", "bot:easy", "bot:easy", game="era-of-inventions")
    page = open_page_as(ada, java_script_enabled=False, color_scheme=theme, viewport={"width": 390, "height": 844})
    while ada.state(path)["to_decide"] != 0:  # the bots may begin
        pass
    page.goto(server.address + path)
    page.locator("#move-tree summary").first.click()
    button = page.locator("#move-tree button:has(.note)").first
    words, note = button.locator(".move-label").bounding_box(), button.locator(".note").bounding_box()
    assert words
    assert note
    assert note["y"] >= words["y"] + words["height"]
    ink, paper = (
        ("rgb(43, 37, 32)", "rgb(251, 246, 233)") if theme == "light" else ("rgb(232, 223, 202)", "rgb(30, 27, 23)")
    )
    expect(button).to_have_css("color", ink)
    expect(button).to_have_css("background-color", paper)
    assert too_wide(page) == []


@pytest.mark.browser
def test_replay_shortcuts_are_explained_only_with_a_script(server: Server, ada: Visitor, open_page_as: Open) -> None:
    path = ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
    for scripts in (True, False):
        page = open_page_as(ada, java_script_enabled=scripts)
        page.goto(f"{server.address}{path}/replay")
        expect(page.locator(".hint")).to_contain_text(
            sentence_after("web/templates/replay_step.html", ") }}</span> {{")
        )
        page.locator("#replay-more > summary").click()
        expect(page.locator(".hint .key-hint")).to_be_visible(visible=scripts)


def test_an_invitation_lists_seated_players_without_a_trailing_comma(server: Server, ada: Visitor) -> None:
    path = ada.table("me", "bot:easy", "link", "open")
    seats = ada.get(path).text.partition('class="seats"')[2]
    invited = seats.partition('class="invite"')[2].partition('href="')[2].partition('"')[0]
    with Visitor(server) as friend:
        players = friend.get(invited).text.partition("Players:")[2].partition("</p>")[0]
    assert "</b>, <b" in players
    assert not players.rstrip().endswith(",")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_forms_list_bots_by_the_same_names(server: Server, language: str) -> None:
    label = {
        "en": "Easy bot",
        "de": "Bot: leicht",
        "fr": "Bot facile",
        "nl": "Makkelijke bot",
    }[language]
    with Visitor(server, language) as host, Visitor(server, language) as guest:
        assert label in host.get("/new/paris-connection").text
        path = host.table("me", "open", "open")
        assert f">{label}</button>" in host.get(path).text
        guest.sit(path, "Grace")
        with Visitor(server, language) as other_visitor:
            other_visitor.sit(path, "Mary")
        guest.leave(path)
        assert f">{label}</button>" in host.get(path).text
