"""Check that bad input gets a clear error with its proper status and changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from tests.sentences import sentence_after
from tests.web.servers import Server, running_server
from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}
BACK_LINK = '<a class="button primary" href="'
"""The begin of the link of an error page that leads back to a table."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for these tests, without bots of other tests."""
    with running_server(tmp_path_factory.mktemp("data")) as started_server:
        yield started_server


@pytest.fixture(autouse=True)
def nothing_changes(request: pytest.FixtureRequest, server: Server) -> Iterator[None]:
    """Check that the test stores nothing unless it is marked to do so."""
    if "running_table" in request.fixturenames:
        request.getfixturevalue("running_table")
    before = _rows(server)
    yield
    assert "changes" in request.keywords or _rows(server) == before


def _rows(server: Server) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(f"file:{server.file}?mode=ro", uri=True)) as file:
        tables = [name for (name,) in file.execute("select name from sqlite_master where type = 'table'")]
        tables.remove("settings")  # in which the server notes by the minute who was seen and that it runs
        return [(name, file.execute(f'select count(*) from "{name}"').fetchone()[0]) for name in sorted(tables)]  # noqa: S608  # names from the file itself


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()
    assert error["code"] == code
    assert error["status"] == status
    assert len(error["message"]) > 10
    return error


Running = tuple[str, list[Visitor]]


def deciding(running: Running) -> tuple[str, Visitor, Visitor]:
    """Return the table, the player to decide, and another player."""
    path, people = running
    seat = people[0].state(path)["to_decide"]
    return path, people[seat], people[seat - 1]


# --- Forms. ---


def test_a_form_from_another_site_is_refused(ada: Visitor) -> None:
    fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    headers = {**JSON, "Origin": "http://elsewhere.example"}
    refused(ada.post("/new/paris-connection", data=fields, headers=headers), 403, "origin")
    headers = {**JSON, "Sec-Fetch-Site": "cross-site"}
    refused(ada.post("/new/paris-connection", data=fields, headers=headers), 403, "origin")


def test_a_form_without_an_origin_is_refused(server: Server) -> None:
    with httpx.Client(base_url=server.address, headers=JSON, verify=False) as program:
        refused(program.post("/new/paris-connection", data={"token": "x"}), 403, "origin")


@pytest.mark.parametrize("token", ["", "0" * 64, "é", "x" * 10_000])
def test_a_form_with_a_forged_token_is_refused(ada: Visitor, token: str) -> None:
    ada.get("/")
    refused(ada.post("/new/paris-connection", data={"token": token}, headers=JSON), 403, "form")


def test_a_form_with_the_token_of_another_session_is_refused(ada: Visitor, grace: Visitor) -> None:
    ada.get("/")
    refused(ada.post("/new/paris-connection", data={"token": grace.token()}, headers=JSON), 403, "form")


def test_json_instead_of_a_form_is_refused(ada: Visitor) -> None:
    refused(ada.post("/new/paris-connection", json={"token": ada.token()}, headers=JSON), 415, "form")


def test_a_huge_body_is_refused(ada: Visitor) -> None:
    answer = ada.post("/preferences", data={"token": ada.token(), "name": "x" * 100_000}, headers=JSON)
    refused(answer, 413, "content-too-large")


def test_unknown_addresses_and_methods_get_specific_error_codes(ada: Visitor) -> None:
    refused(ada.get("/preferences/nowhere", headers=JSON), 404, "not-found")
    refused(ada.request("PUT", "/", headers=JSON), 405, "method-not-allowed")
    refused(ada.get("/table/nosuchtable", headers=JSON), 404, "no-table")
    refused(ada.get("/join/nosuchlink", headers=JSON), 404, "no-link")
    refused(ada.get("/games/chess/rules", headers=JSON), 404, "no-game")
    refused(ada.get("/static/0/css/base.css", headers=JSON), 404, "no-page")
    refused(ada.get("/static/0/../../../../etc/passwd", headers=JSON), 404, "not-found")
    refused(ada.get("/drawn/nothing.svg", headers=JSON), 404, "no-page")
    refused(ada.get("/stream?watch=lobby", headers=JSON), 400, "watch")


# --- Names, languages, themes. ---


@pytest.mark.changes
def test_markup_in_a_name_is_escaped(ada: Visitor) -> None:
    name = "<script>alert(\"1\")</script><b x='y'>"
    path = ada.table("me", "open", "open", name=name)
    for page in (path, "/", "/preferences", f"{path}/log"):
        text = ada.get(page).text
        assert "<script>alert" not in text
        assert "<b x=" not in text
        assert "&lt;script&gt;alert(" in text


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb", "a\x00b", "\u200b"])
def test_empty_long_and_invisible_names_are_refused(ada: Visitor, name: str) -> None:
    fields = {"token": ada.token(), "name": name, "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    refused(ada.post("/new/paris-connection", data=fields, headers=JSON), 422, "name")


@pytest.mark.parametrize("name", ["\u0410da", "Ada \u03a9", "A\u200dda", "Ad\u3164a"])
def test_names_of_mixed_scripts_or_with_invisible_characters_are_refused(ada: Visitor, name: str) -> None:
    for seats in ({"seat-0": "me", "seat-1": "open"}, {"seat-0": "open", "seat-1": "here", "here-1": name}):
        fields = {"token": ada.token(), "name": "Eva" if "here-1" in seats else name, "seat-2": "open", **seats}
        refused(ada.post("/new/paris-connection", data=fields, headers=JSON), 422, "name")


@pytest.mark.changes
def test_a_newcomer_with_a_name_confusable_with_a_player_is_refused(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "open", "open")
    with Visitor(server) as stranger:
        people = _rows(server)
        for name in ("Ada", "ada", "\u13aa\u13a0\u13aa"):
            fields = {"token": stranger.token(), "name": name}
            error = refused(stranger.post(f"{path}/sit", data=fields, headers=JSON), 422, "name")
            lookalike = sentence_after("tables/names.py", "def require_distinct", name=name, other="Ada")
            assert error["message"] == lookalike
        assert _rows(server) == people
        assert stranger.sit(path, "Борис").status_code == 303


def test_unknown_languages_and_themes_are_refused(ada: Visitor) -> None:
    refused(ada.post("/preferences", data={"token": ada.token(), "language": "xx"}, headers=JSON), 422, "language")
    refused(ada.post("/preferences", data={"token": ada.token(), "theme": "pink"}, headers=JSON), 422, "theme")
    ada.cookies.set("language", "../../etc")
    assert '<html lang="en-GB"' in ada.get("/", headers={"Accept-Language": "xx;q=nonsense, ,;;"}).text


@pytest.mark.parametrize(
    "back_address", ["http://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "\n"]
)
def test_a_form_never_redirects_to_another_site(ada: Visitor, back_address: str) -> None:
    answer = ada.post("/preferences", data={"token": ada.token(), "back": back_address})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_an_error_page_about_a_table_links_back_to_that_table(running_table: Running, server: Server) -> None:
    path, decider, other = deciding(running_table)
    back_link = f'{BACK_LINK}{path}">'
    stale = decider.submit(f"{path}/play", move="done", version="1")
    assert stale.status_code == 409
    assert back_link in stale.text
    for form in ("undo", "consent/agree-undo", "consent/nothing", "replace/0/random", "renew/9", "rematch"):
        answer = other.submit(f"{path}/{form}", version="1")
        assert answer.status_code >= 400
        assert back_link in answer.text, form
    assert back_link in decider.post(f"{path}/play", data={"token": "old"}).text
    assert back_link in decider.get(f"{path}/replay?at=999").text
    as_second = decider.submit(f"{path}/play", move="done", version="1", me="2").text
    assert f'{BACK_LINK}{path}?me=2">' in as_second
    assert f"{BACK_LINK}/table" not in decider.get("/table/nosuchtable/log").text
    assert f"{BACK_LINK}/table" not in decider.submit("/table/nosuchtable/undo").text
    with Visitor(server) as stranger:
        assert back_link in stranger.get(f"{path}/replay?at=999").text, "who may look on, too"


def test_a_get_request_to_the_address_of_a_form_leads_back_to_its_page(running_table: Running) -> None:
    path, decider, _ = deciding(running_table)
    for form in ("play?confirmed=3", "undo", "consent/ask-undo", "leave"):
        answer = decider.get(f"{path}/{form}")
        assert (answer.status_code, answer.headers.get("location")) == (303, path)
    refused(decider.get(f"{path}/play", headers=JSON), 405, "method-not-allowed")
    assert decider.get(f"{path}/nowhere").status_code == 404


def test_errors_are_in_the_visitors_language(server: Server) -> None:
    with Visitor(server, "fr-FR,en;q=0.5") as visitor:
        answer = visitor.get("/nowhere")
    assert answer.status_code == 404
    assert '<html lang="fr-' in answer.text


# --- Tables and moves. ---


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seat-0": "me", "seat-1": "open"}, "seats"),
        ({f"seat-{number}": "open" for number in range(9)} | {"seat-0": "me", "seat-1": "me"}, "seats"),
        ({"seat-0": "me", "seat-1": "bot:stockfish", "seat-2": "open"}, "bot"),
        ({"seat-0": "me", "seat-1": "open", "seat-2": "nonsense"}, "seats"),
        ({"seat-0": "me", "seat-1": "open", "seat-2": "open", "option-cut_off": "sometimes"}, "options"),
        ({"seat-0": "me", "seat-1": "open", "seat-2": "open", "option-speed": "fast"}, "options"),
        ({"seat-0": "me", "seat-1": "open", "seat-2": "open", "watch": "perhaps"}, "watch"),
    ],
)
def test_invalid_settings_of_a_new_table_are_refused(
    running_table: Running, server: Server, fields: dict[str, str], code: str
) -> None:
    with Visitor(server) as newcomer:
        for visitor in (running_table[1][0], newcomer):
            form_fields = {"token": visitor.token(), "name": "Eve", **fields}
            refused(visitor.post("/new/paris-connection", data=form_fields, headers=JSON), 422, code)


def test_unknown_components_are_refused(running_table: Running) -> None:
    ada = running_table[1][0]
    fields = {"seat-0": "me", "seat-1": "open", "seat-2": "open", "components": "0" * 64}
    answer = ada.post("/new/paris-connection", data={"token": ada.token(), **fields}, headers=JSON)
    refused(answer, 404, "no-components")


def test_a_move_in_another_players_turn_or_seat_is_refused(running_table: Running, server: Server) -> None:
    path, decider, other = deciding(running_table)
    move = decider.state(path)["moves"][0]
    refused(other.play(path, move), 403, "turn")
    with Visitor(server) as stranger:
        refused(stranger.play(path, move), 403, "not-your-seat")
    assert other.get(f"{path}/why?words=build", headers=JSON).json()[0]["rule"] == "turn"


def test_a_move_with_a_stale_or_invalid_version_is_refused(running_table: Running) -> None:
    path, decider, _ = deciding(running_table)
    state = decider.state(path)
    refused(decider.play(path, state["moves"][0], version=1), 409, "stale")
    for version in ("", "-1", "x", "9" * 30):
        fields = {"token": decider.token(), "move": state["moves"][0], "version": version}
        refused(decider.post(f"{path}/play", data=fields, headers=JSON), 400, "version")


@pytest.mark.parametrize("move", ["fly to Lyon", "build", "x" * 5000, "'; drop table tables; --"])
def test_an_unknown_move_is_refused(running_table: Running, move: str) -> None:
    path, decider, _ = deciding(running_table)
    refused(decider.play(path, move), 422, "unknown-move")


def test_an_empty_move_is_refused(running_table: Running) -> None:
    path, decider, _ = deciding(running_table)
    refused(decider.play(path, ""), 422, "unknown-move")


def test_an_illegal_move_names_its_rule(running_table: Running) -> None:
    path, decider, _ = deciding(running_table)
    error = refused(decider.play(path, "done"), 422, "illegal")
    assert error["rule"] == "T11"


def test_a_request_for_the_reason_of_an_unknown_word_or_place_is_refused(running_table: Running) -> None:
    path, decider, _ = deciding(running_table)
    refused(decider.get(f"{path}/why?words=fly", headers=JSON), 422, "unknown-move")
    refused(decider.get(f"{path}/why?place=moon", headers=JSON), 422, "unknown-move")


def test_actions_that_contradict_the_seats_of_a_table_are_refused(running_table: Running, server: Server) -> None:
    path, people = running_table
    ada = people[0]
    with Visitor(server) as stranger:
        fields = {"token": stranger.token(), "name": "Eve", "seat": "1"}
        refused(stranger.post(f"{path}/sit", data=fields, headers=JSON), 409, "seat-taken")
        refused(stranger.post(f"{path}/leave", data={"token": stranger.token()}, headers=JSON), 403, "not-your-seat")
    token = ada.token()
    refused(ada.post(f"{path}/sit", data={"token": token, "seat": "nine"}, headers=JSON), 422, "seat")
    refused(ada.post(f"{path}/replace/1/easy", data={"token": token}, headers=JSON), 409, "seat-taken")
    refused(people[1].post(f"{path}/replace/0/easy", data={"token": people[1].token()}, headers=JSON), 403, "not-host")
    refused(ada.post(f"{path}/consent/agree-undo", data={"token": token}, headers=JSON), 409, "nothing-asked")
    refused(ada.post(f"{path}/consent/agree-everything", data={"token": token}, headers=JSON), 404, "no-page")
    refused(ada.post(f"{path}/rematch", data={"token": token}, headers=JSON), 409, "not-over")


@pytest.mark.changes
def test_a_table_without_spectators_is_not_found_by_strangers(running_table: Running, server: Server) -> None:
    ada = running_table[1][0]
    path = ada.table("me", "bot:random", "bot:random", watch="off")
    while not ada.state(path)["moves"]:
        pass  # the bots begin, and are not to play on in the next test
    with Visitor(server) as stranger:
        refused(stranger.get(path, headers=JSON), 404, "no-table")
        refused(stranger.get(f"{path}/record", headers=JSON), 404, "no-table")
        refused(stranger.get(f"{path}/log", headers=JSON), 404, "no-table")


# --- Component files. ---


@pytest.mark.parametrize("text", ["", "not toml at all [", 'game = "paris-connection"\n', "x = " + "[" * 5000])
def test_a_damaged_component_file_is_refused(running_table: Running, text: str) -> None:
    ada = running_table[1][0]
    answer = ada.post("/games/paris-connection/components", data={"token": ada.token(), "text": text}, headers=JSON)
    refused(answer, 422, "components")


def test_a_wrong_value_in_a_component_file_is_reported_by_its_key_path(running_table: Running) -> None:
    ada = running_table[1][0]
    text = ada.get("/games/paris-connection/components.toml").text
    assert text.count("\npenalty = ") == 1
    fields = {"token": ada.token(), "text": text.replace("\npenalty = ", "\npenalty = 0.")}
    error = refused(ada.post("/games/paris-connection/components", data=fields, headers=JSON), 422, "components")
    type_error = sentence_after("core/toml_validation.py", "elif inner is int:", path="turn.penalty")
    assert error["message"].endswith(f": turn.penalty: {type_error}")


@pytest.mark.parametrize("fields", [501, 200_000])
def test_a_form_with_too_many_fields_is_refused(running_table: Running, fields: int) -> None:
    ada = running_table[1][0]
    headers = {**JSON, "Content-Type": "application/x-www-form-urlencoded"}
    content = f"token={ada.token()}&text=x{'&a=1' * (fields - 1)}"
    refused(ada.post("/games/paris-connection/components", content=content, headers=headers), 400, "form")


def test_a_component_file_of_megabytes_is_refused(running_table: Running) -> None:
    ada = running_table[1][0]
    fields = {"token": ada.token(), "text": "#" * 2_000_000}
    answer = ada.post("/games/paris-connection/components", data=fields, headers=JSON)
    refused(answer, 413, "content-too-large")
