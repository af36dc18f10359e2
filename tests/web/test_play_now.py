"""From the lobby to a game against bots with one click."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import expect

from spieltisch.bots.search import native_library
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from tests.tiers import first_alone
from tests.web.conftest import Person, Server, Visitor
from tests.web.layout_checks import DESK, PHONES


@pytest.mark.parametrize("key", sorted(GAMES))
def test_one_click_and_the_game_runs(server: Server, person: Person, key: str) -> None:
    page = person(viewport=DESK)
    page.goto(f"{server.address}/")
    page.locator(f'[formaction="/new/{key}/now"]').click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#people li")).to_have_count(4)
    expect(page.locator("#people li.bot")).to_have_count(3)
    expect(page.locator("#people li.own .name")).to_have_text("Guest")


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_against_whom_is_chosen_beside_it(server: Server, person: Person, language: str) -> None:
    page = person(viewport=PHONES[0], locale=language)
    page.goto(f"{server.address}/")
    page.locator('.levels [value="beginner"]').check()
    page.locator('[formaction="/new/legendary-inventors/now"]').press("Enter")
    page.wait_for_url("**/table/*")
    guest = {"en": "Guest", "de": "Gast", "fr": "Invité", "nl": "Gast"}[language]
    expect(page.locator("#people li.own .name")).to_have_text(guest)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", first_alone("fr", LANGUAGES))
def test_a_low_window_shows_each_way_to_play_and_to_learn(server: Server, person: Person, language: str) -> None:
    page = person(viewport={"width": 1366, "height": 625}, locale=language)
    page.goto(f"{server.address}/")
    for width, height in ((1366, 625), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        for key in GAMES:
            expect(page.locator(f'[formaction="/new/{key}/now"]')).to_be_in_viewport(ratio=1)
            expect(page.locator(f'.card [href="/games/{key}/first-round"]')).to_be_in_viewport(ratio=1)


def test_without_a_script_and_with_a_name_of_ones_own(server: Server, ada: Visitor) -> None:
    ada.table("me", "link", "link")  # gives her a name
    response = ada.submit("/new/paris-connection/now", bot="easy")
    assert response.status_code == 303
    seats = ada.state(response.headers["location"])["seats"]
    assert seats[0]["name"] == "Ada"
    assert len(seats) == 4


def said_of_bots(server: Server, language: str, *seats: str) -> str:
    """Return the page's sentence about the bots of a new table with these seats."""
    with Visitor(server, language) as visitor:
        page = visitor.get(visitor.table(*seats)).text
    return unescape(match[1]) if (match := re.search('id="weak-bots">(.*?)</p>', page)) else ""


@pytest.mark.build
def test_where_bots_are_compiled_nothing_is_said(server: Server) -> None:
    native_library.build("paris-connection")
    assert said_of_bots(server, "en", "me", "bot:expert", "bot:easy") == ""


def test_it_is_said_where_bots_are_not_compiled(
    tmp_path: Path, own_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = {
        "en": "The bots on this server are currently playing below their level.",
        "de": "Die Bots auf diesem Server spielen derzeit unter ihrem Niveau.",
        "fr": "Les bots de ce serveur jouent pour l’instant en dessous de leur niveau.",
        "nl": "De bots op deze server spelen nu onder hun niveau.",
    }
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path / "empty"))
    server = own_server()
    for language in LANGUAGES:
        assert said_of_bots(server, language, "me", "bot:expert", "bot:easy").startswith(notices[language])
        assert said_of_bots(server, language, "me", "link", "bot:medium")
        assert said_of_bots(server, language, "me", "bot:easy", "bot:beginner") == ""
    assert server.stop() == 0, server.log


def test_no_such_bot_is_refused(ada: Visitor) -> None:
    for bot in ("deep-thought", "expert@60"):
        refused = ada.submit("/new/paris-connection/now", bot=bot)
        assert refused.status_code == 422
    assert ada.post("/new/paris-connection/now", data={"bot": "easy"}).status_code == 403
