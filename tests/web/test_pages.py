"""Check that every page exists in four languages with its headers and no untranslated text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import httpx
import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games import game, game_modules
from spieltisch.guides import examples
from spieltisch.web.http.security import HEADERS
from tests.pseudo_locale import escaped
from tests.puzzles.puzzle_addresses import addresses
from tests.sentences import sentence_after
from tests.web.servers import PSEUDO, Server
from tests.web.visitors import Visitor

SAVED = sentence_after("web/templates/preferences.html", "{% if saved %}")

FIXED = [
    "/",
    "/new",
    "/seek",
    "/puzzles",
    "/preferences",
    "/me/alerts",
    "/offline",
    "/nowhere",
    *(f"/new/{key}" for key in game_modules()),
]
KEPT = {"text/css", "text/javascript", "image/svg+xml", "image/png", "font/woff2"}
OF_GAMES = [f"/games/{key}/{page}" for key in game_modules() for page in ("rules", "components", "card")]
LEARNING = [
    *(f"/games/{key}/first-round" for key in game_modules()),
    *(f"/games/{key}/examples/{name}" for key in game_modules() for name in examples(game(key))),
    *addresses(),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", [*FIXED, *OF_GAMES, *LEARNING])
def test_each_page_exists_in_each_language(server: Server, page: str, language: str) -> None:
    with Visitor(server, language) as visitor:
        answer = visitor.get(page)
    assert answer.status_code == (404 if page == "/nowhere" else 200)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert f'<html lang="{language}-' in answer.text
    assert not re.search(r"<style|style=|<script>|\son[a-z]+=|javascript:", answer.text)


def test_immutable_files_are_cached_forever(ada: Visitor) -> None:
    page = ada.get(ada.table("me", "open", "open")).text
    static_files = set(re.findall(r'(?:href|src|data-map-url)="(/(?:static|drawn)/[^"]+)"', page))
    assert any(address.endswith(".css") and "/drawn/" in address for address in static_files)
    for address in static_files:
        answer = ada.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].split(";")[0] in KEPT


def test_every_rule_has_an_anchor_in_each_language(server: Server) -> None:
    rule_anchors = {f"P{n}" for n in range(1, 19)} | {f"T{n}" for n in range(1, 12)}
    for language in LANGUAGES:
        with Visitor(server, language) as visitor:
            page = visitor.get("/games/paris-connection/rules").text
        ids = re.findall(r'id="([PT]\d+)"', page)
        assert set(ids) == rule_anchors
        assert len(ids) == len(set(ids))


def test_a_table_page_lists_options_that_differ_from_the_default(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "link", **{"option-stations": "open", "option-memory_aid": "False"})
    table_page = ada.get(path).text
    link = re.search(r'id="seat-links".*?<a class="invite-link" href="([^"]+)"', table_page, re.S)
    assert link
    with Visitor(server, "de") as guest:
        invited = guest.get(link[1]).text
    assert "Bahnhöfe anderer Gesellschaften: offen, wie ein ländliches Feld</p>" in invited
    assert "Gedächtnishilfe: aus</p>" in invited
    option, value = (
        sentence_after("games/paris_connection/__init__.py", '"stations",'),
        sentence_after("games/paris_connection/__init__.py", '("open", '),
    )
    assert f"{option}: {value}</p>" in table_page
    assert sentence_after("games/paris_connection/__init__.py", '"standstill",') not in table_page
    options = ada.state(path)["options"]
    assert options == {"cut_off": "strict", "stations": "open", "standstill": "goes on", "memory_aid": False}


def test_language_and_theme_are_remembered_for_visitors_without_a_name(server: Server) -> None:
    with Visitor(server, "nl") as visitor:
        visitor.submit("/preferences", language="fr", theme="dark")
        page = visitor.get("/").text
        assert '<html lang="fr-' in page
        assert 'data-theme="dark"' in page
        path = visitor.table("me", "open", "open")
        page = visitor.get(path).text
        assert '<html lang="fr-' in page
        assert 'data-theme="dark"' in page


def page_in_french(visitor: Visitor, page: httpx.Response) -> httpx.Response:
    """Return the page shown after choosing French on a page."""
    form = re.findall(r'<input type="hidden" name="back" value="([^"]*)"', page.text)
    assert len(form) == 1, form
    answer = visitor.submit("/preferences", language="fr", back=html.unescape(form[0]))
    assert answer.status_code == 303
    response = visitor.get(answer.headers["location"])
    assert response.request.url.host == page.request.url.host
    assert '<html lang="fr-' in response.text
    return response


def test_switching_language_returns_to_the_same_page(running_table: tuple[str, list[Visitor]], server: Server) -> None:
    path, people = running_table
    for _ in range(4):
        deciding_visitor = people[people[0].state(path)["to_decide"]]
        assert deciding_visitor.play(path, deciding_visitor.state(path)["moves"][0]).status_code == 200
    for address in (f"{path}/replay?at=2", f"{path}/replay?at=2&since=1&play=1"):
        assert 'data-current-step="2"' in page_in_french(people[0], people[0].get(address)).text
    with Visitor(server) as stranger:
        components = "/games/paris-connection/components?set=%3Cb%3E&x=%2F%2Fevil.example"
        for address in (components, "/games/paris-connection/first-round/1"):
            assert str(page_in_french(stranger, stranger.get(address)).request.url) == server.address + address


def test_switching_language_keeps_a_spectator_with_a_link_at_the_table(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    link = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert link
    with Visitor(server) as stranger:
        table = stranger.get(link[1]).headers["location"]
        for address in (table, table.replace("?", "/replay?"), table.replace("?", "/log?")):
            assert page_in_french(stranger, stranger.get(address)).status_code == 200


def test_switching_language_after_a_form_error_returns_to_the_page_of_the_form(
    running_table: tuple[str, list[Visitor]],
) -> None:
    path, people = running_table
    host = people[0]
    deciding_visitor = people[host.state(path)["to_decide"]]
    state = deciding_visitor.state(path)
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    form_page = deciding_visitor.submit(f"{path}/play", move=trade, version=state["version"])
    assert f"{path}/play?confirmed=" in form_page.text
    for visitor, answer, page in (
        (deciding_visitor, form_page, path),
        (host, host.submit(f"{path}/play", move="fly", version="0"), path),
        (host, host.submit(f"{path}/replace/1/random"), path),
        (host, host.submit("/device", code="x"), "/device"),
        (host, host.submit("/new/paris-connection", **{"seat-0": "nobody"}), "/new/paris-connection"),
    ):
        response = page_in_french(visitor, answer)
        assert (response.status_code, response.request.url.path) == (200, page)


def test_switching_language_on_a_missing_page_never_leads_to_another_site(server: Server) -> None:
    with Visitor(server) as visitor:
        page = visitor.get(f"{server.address}//evil.example/%5C?a=1")
        assert page.status_code == 404
        assert page_in_french(visitor, page).request.url.path == "/"


def test_preferences_are_stored_for_the_person(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    saved_preferences = {"name": "Augusta", "confirm-shown": "1", "sound-shown": "1", "sound": "on", "pace": "fast"}
    ada.submit("/preferences", **saved_preferences)
    page = ada.get("/preferences").text
    assert 'value="Augusta"' in page
    assert re.search(r'name="confirm">', page)
    assert re.search(r'name="sound" checked>', page)
    assert re.search(r'name="notify">', page)
    assert '<option value="fast" selected>' in page
    assert 'data-pace="fast" data-has-turn-sound>' in page
    groups = [
        "profile-title",
        "language-and-theme-title",
        "animations-title",
        "alerts-title",
        "sign-in-title",
        "own-data-title",
    ]
    assert re.findall(r'<h2[^>]*id="([^"]*)"', page) == groups
    saved_page = ada.submit("/preferences", back="/preferences?saved=1").headers["location"]
    assert SAVED in ada.get(saved_page).text
    assert SAVED not in page
    assert ada.submit("/preferences", pace="backwards").status_code == 422
    ada.submit("/preferences", theme="light")
    assert re.search(r'name="confirm">', ada.get("/preferences").text)


def test_record_and_deal_pages_of_a_running_game_reveal_no_secret(running_table: tuple[str, list[Visitor]]) -> None:
    path, people = running_table
    record = people[0].get(f"{path}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    assert "commitment:" in record.text
    assert "secret:" not in record.text
    assert re.search(r"^drew: .*\?", record.text, re.M)
    deal = people[0].get(f"{path}/fairness").text
    assert len(re.findall(r"<code[^>]*>[0-9a-f]{64}</code>", deal)) == 1


def test_only_the_owner_of_a_hidden_portfolio_sees_the_portfolio(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, people = running_table
    screens = [re.findall(r'id="share-\w+"', person.get(path).text) for person in people]
    assert [len(screen) for screen in screens] == [6, 6, 6]
    with Visitor(server) as stranger:
        assert not re.findall(r'id="share-\w+"', stranger.get(path).text)


def untranslated_texts(page: str) -> list[str]:
    """Return the untranslated texts; the name of the site needs no translation."""
    return [words for words in escaped(page) if words.strip(" –") != "Spieltisch"]


@pytest.fixture(scope="module")
def pseudo_locale_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that renders everything in the pseudo-locale."""
    started_server = Server(tmp_path_factory.mktemp("pseudo"), command=PSEUDO)
    yield started_server
    started_server.stop()


@pytest.mark.parametrize("page", [*FIXED, *OF_GAMES])
def test_no_text_of_a_page_is_untranslated(pseudo_locale_server: Server, page: str) -> None:
    with Visitor(pseudo_locale_server) as visitor:
        assert untranslated_texts(visitor.get(page).text) == []


@pytest.mark.parametrize("page", LEARNING)
def test_no_text_of_lessons_and_examples_is_untranslated(pseudo_locale_server: Server, page: str) -> None:
    """The boards, which belong to the game and contain names, are left out."""
    with Visitor(pseudo_locale_server) as visitor:
        while page:
            boards = (
                r'(?s)<section class="panel-frame".*(?=<section class="log-panel")|<div [^>]*id="own-summary".*?</div>'
            )
            text = re.sub(boards, "", visitor.get(page).text)
            assert untranslated_texts(text) == []
            match = re.search(r'id="(?:show-move-link|next-step)" data-lesson-link href="([^"]+)"', text)
            page = match.group(1) if match else ""


def test_no_text_at_a_table_is_untranslated(pseudo_locale_server: Server) -> None:
    with Visitor(pseudo_locale_server) as host, Visitor(pseudo_locale_server) as guest:
        path = host.table("me", "link", "open")
        link = re.search(r"/join/[\w.-]+", host.get(path).text)
        assert link
        for visitor, page in ((host, path), (guest, path), (guest, link[0]), (host, "/"), (host, "/preferences")):
            assert untranslated_texts(visitor.get(page).text) == []
        guest.submit(link[0], name="Grace")
        with Visitor(pseudo_locale_server) as third:
            third.sit(path, "Mary")
        decider = host if host.state(path)["to_decide"] == 0 else guest
        for page in (path, f"{path}/log", f"{path}/fairness", f"{path}/why?words=done", f"{path}/why?place=hex-9-6"):
            assert untranslated_texts(decider.get(page).text) == []
