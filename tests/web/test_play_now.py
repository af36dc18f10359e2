"""Check games against bots that start with one click in the lobby."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from spieltisch.bots.search import native_library
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES
from tests.web.servers import Server
from tests.web.visitors import Visitor

GUEST = sentence_after("core/words.py", "GUEST: Final = ")


@pytest.mark.parametrize("key", sorted(GAMES))
def test_one_click_starts_a_game_against_bots(server: Server, open_page: Person, key: str) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.address}/")
    page.locator(f'[formaction="/new/{key}/now"]').click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#player-list li")).to_have_count(4)
    expect(page.locator("#player-list li.seat-kind-bot")).to_have_count(3)
    expect(page.locator("#player-list li.is-own-seat .seat-name")).to_have_attribute("title", GUEST)


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_bots_are_chosen_beside_the_play_now_button(server: Server, open_page: Person, language: str) -> None:
    page = open_page(viewport=PHONES[0], locale=language)
    page.goto(f"{server.address}/")
    page.locator('.radio-buttons [value="beginner"]').check()
    page.locator('[formaction="/new/legendary-inventors/now"]').press("Enter")
    page.wait_for_url("**/table/*")
    guest = {"en": GUEST, "de": "Gast", "fr": "Invité", "nl": "Gast"}[language]
    expect(page.locator("#player-list li.is-own-seat .seat-name")).to_have_attribute("title", guest)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", first_alone("fr", LANGUAGES))
def test_a_low_window_shows_all_buttons_to_play_and_to_learn(server: Server, open_page: Person, language: str) -> None:
    page = open_page(viewport={"width": 1366, "height": 625}, locale=language)
    page.goto(f"{server.address}/")
    for width, height in ((1366, 625), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        for key in GAMES:
            expect(page.locator(f'[formaction="/new/{key}/now"]')).to_be_in_viewport(ratio=1)
            expect(page.locator(f'.card [href="/games/{key}/first-round"]')).to_be_in_viewport(ratio=1)
        heads = page.locator(".card").evaluate_all(
            "(all) => all.map((card) => card.clientWidth - card.querySelector('.game-cover').clientWidth)"
        )
        assert [width for width in heads if width > 18] == []  # the frame of a card is around its engraving
    page.goto(f"{server.address}/new")
    assert len(set(page.locator(".card").evaluate_all("(all) => all.map((card) => card.offsetTop)"))) == 1
    for key in GAMES:
        expect(page.locator(f'.card [href="/new/{key}"]')).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1366, "height": 625})
    for key in GAMES:
        page.goto(f"{server.address}/new/{key}")
        expect(page.locator(".form > .actions .primary")).to_be_in_viewport(ratio=1)
        bottom, top = (
            page.locator(selector).evaluate(f"(one) => one.getBoundingClientRect().{edge}")
            for selector, edge in (("#table-settings summary", "bottom"), (".form > .actions", "top"))
        )
        assert bottom <= top + 1  # it covers nothing


def test_play_now_works_without_a_script_and_uses_the_visitors_name(server: Server, ada: Visitor) -> None:
    ada.table("me", "link", "link")  # gives her a name
    response = ada.submit("/new/paris-connection/now", bot="easy")
    assert response.status_code == 303
    seats = ada.state(response.headers["location"])["seats"]
    assert seats[0]["name"] == "Ada"
    assert len(seats) == 4


def bots_sentence(server: Server, language: str, *seats: str) -> str:
    """Return the page's sentence about the bots of a new table with these seats."""
    with Visitor(server, language) as visitor:
        page = visitor.get(visitor.table(*seats)).text
    return unescape(match[1]) if (match := re.search('id="weak-bots-note">(.*?)</p>', page)) else ""


def test_chips_of_players_are_the_same_at_a_table_and_wherever_its_boards_are_shown(ada: Visitor) -> None:
    table = ada.table("me", "bot:easy", "bot:easy")
    own_name = {table: "Ada", f"{table}/replay?at=0": "Ada"}
    for page in (
        *own_name,
        "/games/paris-connection/first-round/1",
        ada.get("/puzzles/paris-connection").headers["location"],
    ):
        players = ada.get(page).text.partition('id="player-list"')[2].partition("</ol>")[0]
        own, *others = sorted(players.split("<li ")[1:], key=lambda chip: "is-own-seat" not in chip)
        own_title = own_name.get(page, '[A-Z][^"]+')
        you = '<span translate="yes">You</span>'
        assert re.search(rf'<span class="seat-name" title="{own_title}" translate="no">{you}</span>', own), page
        assert "bot-portrait" not in own, page
        for chip in others:
            assert "bot-portrait" in chip, page
            assert re.search('<span class="seat-name" title="([A-Z][^"]+)" translate="no">.*?\\1', chip), page
            assert ">You<" not in chip, page


@pytest.mark.build
def test_no_warning_is_shown_where_bots_are_compiled(server: Server) -> None:
    native_library.build("paris-connection")
    assert bots_sentence(server, "en", "me", "bot:expert", "bot:easy") == ""


@pytest.mark.build
def test_hints_are_offered_only_where_they_are_compiled(server: Server, uncompiled_server: Server) -> None:
    native_library.build("paris-connection")
    for at, count in ((server, 1), (uncompiled_server, 0)):
        with Visitor(at) as visitor:
            assert visitor.get(visitor.table("me", "bot:easy", "bot:easy")).text.count('id="hint-button"') == count


def test_a_warning_is_shown_where_bots_are_not_compiled(uncompiled_server: Server) -> None:
    notices = {
        "en": sentence_after("web/templates/table_live.html", "{% if has_weak_bots %}"),
        "de": "Die Bots auf diesem Server spielen derzeit unter ihrem Niveau.",
        "fr": "Les bots de ce serveur jouent pour l’instant en dessous de leur niveau.",
        "nl": "De bots op deze server spelen nu onder hun niveau.",
    }
    for language in LANGUAGES:
        assert bots_sentence(uncompiled_server, language, "me", "bot:expert", "bot:easy").startswith(notices[language])
        assert bots_sentence(uncompiled_server, language, "me", "link", "bot:medium")
        assert bots_sentence(uncompiled_server, language, "me", "bot:easy", "bot:beginner") == ""


def test_starting_a_game_against_an_unknown_bot_is_refused(ada: Visitor) -> None:
    for bot in ("deep-thought", "expert@60"):
        refusal = ada.submit("/new/paris-connection/now", bot=bot)
        assert refusal.status_code == 422
    assert ada.post("/new/paris-connection/now", data={"bot": "easy"}).status_code == 403
