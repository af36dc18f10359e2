"""Every page exists in four languages, with its headers, and without an untranslated text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

import httpx
import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games import game, game_modules
from spieltisch.guides import examples
from spieltisch.web.http.security import HEADERS
from tests.pseudo_locale import escaped
from tests.todays_puzzles import addresses
from tests.web.conftest import PSEUDO, Server, Visitor

FIXED = [
    "/",
    "/new",
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
def test_each_page_is_there_in_each_language(server: Server, page: str, language: str) -> None:
    with Visitor(server, language) as visitor:
        answer = visitor.get(page)
    assert answer.status_code == (404 if page == "/nowhere" else 200)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert f'<html lang="{language}-' in answer.text
    assert not re.search(r"<style|style=|<script>|\son[a-z]+=|javascript:", answer.text)


def test_what_never_changes_is_kept_for_ever(ada: Visitor) -> None:
    page = ada.get(ada.table("me", "open", "open")).text
    static_files = set(re.findall(r'(?:href|src|data-map)="(/(?:static|drawn)/[^"]+)"', page))
    assert any(address.endswith(".css") and "/drawn/" in address for address in static_files)
    for address in static_files:
        answer = ada.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].split(";")[0] in KEPT


def test_every_rule_is_an_anchor_in_each_language(server: Server) -> None:
    wanted = {f"P{n}" for n in range(1, 19)} | {f"T{n}" for n in range(1, 12)}
    for language in LANGUAGES:
        with Visitor(server, language) as visitor:
            page = visitor.get("/games/paris-connection/rules").text
        ids = re.findall(r'id="([PT]\d+)"', page)
        assert set(ids) == wanted
        assert len(ids) == len(set(ids))


def test_whoever_comes_to_a_table_sees_what_it_plays_otherwise(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "link", **{"option-stations": "open", "option-memory_aid": "False"})
    waiting = ada.get(path).text
    link = re.search(r'id="seat-links".*?<a class="link" href="([^"]+)"', waiting, re.S)
    assert link
    with Visitor(server, "de") as guest:
        invited = guest.get(link[1]).text
    assert "Bahnhöfe anderer Gesellschaften: offen, wie ein ländliches Feld</p>" in invited
    assert "Gedächtnishilfe: aus</p>" in invited
    assert "Stations of other companies: open, like a rural hex</p>" in waiting
    assert "Endless one-for-one trades" not in waiting
    options = ada.state(path)["options"]
    assert options == {"cut_off": "strict", "stations": "open", "standstill": "goes on", "memory_aid": False}


def test_language_and_theme_are_kept_for_who_has_no_name(server: Server) -> None:
    with Visitor(server, "nl") as visitor:
        visitor.submit("/preferences", language="fr", theme="dark")
        page = visitor.get("/").text
        assert '<html lang="fr-' in page
        assert 'data-theme="dark"' in page
        path = visitor.table("me", "open", "open")
        page = visitor.get(path).text
        assert '<html lang="fr-' in page
        assert 'data-theme="dark"' in page


def switched(visitor: Visitor, page: httpx.Response) -> httpx.Response:
    """Return the page that a visitor is shown after choosing French on a page."""
    form = re.findall(r'<input type="hidden" name="back" value="([^"]*)"', page.text)
    assert len(form) == 1, form
    answer = visitor.submit("/preferences", language="fr", back=html.unescape(form[0]))
    assert answer.status_code == 303
    response = visitor.get(answer.headers["location"])
    assert response.request.url.host == page.request.url.host
    assert '<html lang="fr-' in response.text
    return response


def test_another_language_leads_back_to_the_same_page(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, people = running
    for _ in range(4):
        decides = people[people[0].state(path)["to_decide"]]
        assert decides.play(path, decides.state(path)["moves"][0]).status_code == 200
    for address in (f"{path}/replay?at=2", f"{path}/replay?at=2&since=1&play=1"):
        assert 'data-at="2"' in switched(people[0], people[0].get(address)).text
    with Visitor(server) as stranger:
        components = "/games/paris-connection/components?set=%3Cb%3E&x=%2F%2Fevil.example"
        for address in (components, "/games/paris-connection/first-round/1"):
            assert str(switched(stranger, stranger.get(address)).request.url) == server.address + address


def test_another_language_leaves_who_looks_on_by_a_link_at_the_table(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    link = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert link
    with Visitor(server) as stranger:
        table = stranger.get(link[1]).headers["location"]
        for address in (table, table.replace("?", "/replay?"), table.replace("?", "/log?")):
            assert switched(stranger, stranger.get(address)).status_code == 200


def test_another_language_where_a_form_was_answered_leads_to_the_page_of_the_form(
    running: tuple[str, list[Visitor]],
) -> None:
    path, people = running
    host = people[0]
    decides = people[host.state(path)["to_decide"]]
    state = decides.state(path)
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    form_page = decides.submit(f"{path}/play", move=trade, version=state["version"])
    assert f"{path}/play?confirmed=" in form_page.text
    for visitor, answer, page in (
        (decides, form_page, path),
        (host, host.submit(f"{path}/play", move="fly", version="0"), path),
        (host, host.submit(f"{path}/replace/1/random"), path),
        (host, host.submit("/device", code="x"), "/device"),
        (host, host.submit("/new/paris-connection", **{"seat-0": "nobody"}), "/new/paris-connection"),
    ):
        response = switched(visitor, answer)
        assert (response.status_code, response.request.url.path) == (200, page)


def test_a_page_that_is_not_there_leads_nowhere_else(server: Server) -> None:
    with Visitor(server) as visitor:
        page = visitor.get(f"{server.address}//evil.example/%5C?a=1")
        assert page.status_code == 404
        assert switched(visitor, page).request.url.path == "/"


def test_preferences_are_kept_with_the_person(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    wishes = {"name": "Augusta", "confirm-shown": "1", "sound-shown": "1", "sound": "on", "pace": "fast"}
    ada.submit("/preferences", **wishes)
    page = ada.get("/preferences").text
    assert 'value="Augusta"' in page
    assert re.search(r'name="confirm">', page)
    assert re.search(r'name="sound" checked>', page)
    assert re.search(r'name="notify">', page)
    assert '<option value="fast" selected>' in page
    assert 'data-pace="fast" data-sound>' in page
    groups = ["Profile", "Moves and animations", "Sounds and alerts", "Sign-in", "My data"]
    assert re.findall(r"<h2[^>]*>([^<]*)</h2>", page) == groups
    kept = ada.submit("/preferences", back="/preferences?kept=1").headers["location"]
    assert "Settings saved." in ada.get(kept).text
    assert "Settings saved." not in page
    assert ada.submit("/preferences", pace="backwards").status_code == 422
    ada.submit("/preferences", theme="light")
    assert re.search(r'name="confirm">', ada.get("/preferences").text)


def test_who_is_known_is_known_on_a_page_that_is_not_there(own_server: Callable[..., Server]) -> None:
    """Also as the first thing that a server is asked after its start."""
    server = own_server()
    with Visitor(server) as ada:
        ada.table("me", "open", "open", name="Ada")
        ada.submit("/preferences", language="de")
        del ada.cookies["language"]
        assert server.stop() == 0, server.log
        own_server("--port", server.address.rpartition(":")[2])
        for missing in (ada.get("/nowhere"), ada.put("/new")):
            assert missing.status_code in (404, 405)
            assert '<html lang="de-' in missing.text
            assert '<a class="me" href="/preferences" translate="no">Ada</a>' in missing.text


def test_a_record_and_the_deal_of_a_running_game_hold_no_secret(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    record = people[0].get(f"{path}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    assert "commitment:" in record.text
    assert "secret:" not in record.text
    assert re.search(r"^drew: .*\?", record.text, re.M)
    deal = people[0].get(f"{path}/fairness").text
    assert len(re.findall(r"<code[^>]*>[0-9a-f]{64}</code>", deal)) == 1


def test_nobody_else_is_shown_what_is_behind_a_screen(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, people = running
    screens = [re.findall(r'id="share-\w+"', person.get(path).text) for person in people]
    assert [len(screen) for screen in screens] == [6, 6, 6]
    with Visitor(server) as stranger:
        assert not re.findall(r'id="share-\w+"', stranger.get(path).text)


def forgotten(page: str) -> list[str]:
    """Return the untranslated texts; the name of the site needs no translation."""
    return [words for words in escaped(page) if words.strip(" –") != "Spieltisch"]


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that says everything in the pseudo-locale."""
    running = Server(tmp_path_factory.mktemp("pseudo"), command=PSEUDO)
    yield running
    running.stop()


@pytest.mark.parametrize("page", [*FIXED, *OF_GAMES])
def test_no_word_escapes_translation(pseudo: Server, page: str) -> None:
    with Visitor(pseudo) as visitor:
        assert forgotten(visitor.get(page).text) == []


@pytest.mark.parametrize("page", LEARNING)
def test_no_word_escapes_translation_in_what_is_taught(pseudo: Server, page: str) -> None:
    """But on its boards, which are the game's own and hold names."""
    with Visitor(pseudo) as visitor:
        while page:
            text = re.sub(r'(?s)<section class="panel-frame".*(?=<section class="story")', "", visitor.get(page).text)
            assert forgotten(text) == []
            match = re.search(r'id="(?:show|on)" data-go href="([^"]+)"', text)
            page = match.group(1) if match else ""


def test_no_word_escapes_translation_at_the_table(pseudo: Server) -> None:
    with Visitor(pseudo) as host, Visitor(pseudo) as guest:
        path = host.table("me", "link", "open")
        link = re.search(r"/join/[\w.-]+", host.get(path).text)
        assert link
        for visitor, page in ((host, path), (guest, path), (guest, link[0]), (host, "/"), (host, "/preferences")):
            assert forgotten(visitor.get(page).text) == []
        guest.submit(link[0], name="Grace")
        with Visitor(pseudo) as third:
            third.sit(path, "Mary")
        decider = host if host.state(path)["to_decide"] == 0 else guest
        for page in (path, f"{path}/log", f"{path}/fairness", f"{path}/why?words=done", f"{path}/why?place=hex-9-6"):
            assert forgotten(decider.get(page).text) == []


def test_a_game_in_one_folder_gets_all_pages(toy: str, own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace:
        for page in ("/", f"/new/{toy}", f"/games/{toy}/rules", f"/games/{toy}/components"):
            assert ada.get(page).status_code == 200
        path = ada.table("me", "open", game=toy)
        grace.sit(path, "Grace")
        decider, other = (ada, grace) if ada.state(path)["to_decide"] == 0 else (grace, ada)
        state = decider.state(path)
        page = decider.get(path).text
        assert all(f'value="{move}"' in page for move in state["moves"])
        assert other.play(path, state["moves"][0]).json()["code"] == "turn"
        assert decider.play(path, state["moves"][0]).status_code == 200
        assert decider.state(path)["version"] == state["version"] + 1
        assert decider.get(f"{path}/record").status_code == 200
