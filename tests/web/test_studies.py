"""Check studies, which continue a finished game from a step against bots."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import PHONES, findings, overlaps, too_wide
from tests.web.servers import Server
from tests.web.shelf_of_games import Shelf
from tests.web.table_moves import deciding, trade
from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def finished_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Server]]:
    """Return a server with finished games."""
    new_shelf = Shelf(tmp_path_factory.mktemp("studies") / "data")
    server = Server(new_shelf.data, "--limit", "seats_per_person=3")
    yield new_shelf, server
    assert server.stop() == 0, server.log


def test_a_study_is_playable_names_its_origin_and_is_not_in_the_lobby(finished_games: tuple[Shelf, Server]) -> None:
    studied, server = finished_games
    path = studied.paths["legendary-inventors"]
    with Visitor(server) as visitor, Visitor(server) as other_visitor:
        response = visitor.submit(f"{path}/what-if", at="30", seat="2", bot="beginner")
        assert response.status_code == 303, response.text
        study_path = response.headers["location"]
        state = visitor.state(study_path)
        assert (state["status"], state["seat"]) == ("running", 1)
        assert [seat["bot"] for seat in state["seats"]] == ["beginner", "", "beginner"]
        page = visitor.get(study_path).text
        assert 'id="what-if-origin"' in page
        assert f'href="{path}/replay?at=30"' in page
        record = Record.parse(visitor.get(f"{study_path}/record").text)
        assert record.what_if == {"table": path.rpartition("/")[2], "move": 30, "seat": 2}
        other_table = visitor.table("me", "bot:random", "bot:random")
        origin = sentence_after("web/templates/lobby_row.html", "{%- if row.summary.what_if_at %}", move=30)
        rows = {
            row.partition('"')[0]: origin in row
            for row in visitor.get("/").text.split('<a href="')
            if row.startswith("/table/")
        }
        assert rows.pop(study_path)
        assert other_table in rows
        assert not any(rows.values())
        assert study_path not in other_visitor.get("/").text


def test_the_result_of_a_study_is_compared_with_the_real_game_for_its_players(
    server: Server, short_game: tuple[str, list[Visitor]]
) -> None:
    path, _ = short_game
    for _ in range(8):
        trade(deciding(short_game)[1][0], path)
    _, (mover, other, _) = deciding(short_game)
    seat = mover.state(path)["seat"]
    trade(mover, path)
    state = mover.state(path)
    values = {"count": state["scores"][seat], "place": 1, "seats": 3}
    own, named = (
        sentence_after("web/pages/result.py", "def real_result", *code, name="{name}", **values).partition(":")[0]
        for code in (("return",), ("return", "return"))
    )
    with Visitor(server) as stranger:
        for player, sentence in (
            (mover, own),
            (other, named.format(name=state["seats"][seat]["name"])),
            (stranger, ""),
        ):
            form = {"at": "8", "seat": str(seat + 1), "bot": "random"}
            study_path = player.submit(f"{path}/what-if", **form).headers["location"]
            trade(player, study_path)
            page = re.sub("<[^>]+>", "", player.get(f"{study_path}/end").text)
            assert page.count(own.partition(" you ")[0]) == bool(sentence)
            assert sentence in page


def test_a_study_with_an_invalid_step_seat_or_bot_or_over_the_quota_is_refused(
    finished_games: tuple[Shelf, Server],
) -> None:
    studied, server = finished_games
    path, last_move = studied.paths["paris-connection"], len(studied.records["paris-connection"].moves)
    valid_fields = {"at": "3", "seat": "1", "bot": "easy"}
    with Visitor(server) as visitor:
        for wrong_address, status in (
            ({"at": str(last_move)}, 422),
            ({"at": "x"}, 400),
            ({"seat": "5"}, 422),
            ({"seat": ""}, 400),
            ({"bot": "deep-thought"}, 422),
        ):
            assert visitor.submit(f"{path}/what-if", **(valid_fields | wrong_address)).status_code == status, (
                wrong_address
            )
        assert visitor.post(f"{path}/what-if", data=valid_fields).status_code == 403
        for _ in range(3):
            assert visitor.submit(f"{path}/what-if", **valid_fields).status_code == 303
        refusal = visitor.post(f"{path}/what-if", data={"token": visitor.token(), **valid_fields}, headers=JSON)
        assert (refusal.status_code, refusal.json()["code"]) == (409, "too-many-seats")


def test_only_people_who_may_see_the_game_can_start_a_study(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="off")
    form = {"at": "0", "seat": "1", "bot": "easy"}
    assert grace.submit(f"{path}/what-if", **form).status_code == 404
    assert ada.submit(f"{path}/what-if", **form).status_code == 409


@pytest.mark.parametrize(("bots", "preset"), [(("beginner", "random"), "beginner"), (("random", "random"), "easy")])
def test_a_study_is_offered_against_bots_as_strong_as_those_of_the_game(
    ada: Visitor, bots: tuple[str, str], preset: str
) -> None:
    path = ada.table("me", *(f"bot:{bot}" for bot in bots))
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=1").status_code == 303
    options = ada.get(f"{path}/replay?at=0").text.partition('id="study-bot"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w+)" selected', options) == [preset]


@pytest.mark.browser
@pytest.mark.parametrize("address", ["replay?at=12", "replay?at=12&what-if=1"])
def test_the_unfolded_form_of_a_study_shows_its_button_in_a_low_window(
    finished_games: tuple[Shelf, Server], open_page: Person, address: str
) -> None:
    studied, server = finished_games
    page = open_page(viewport={"width": 1366, "height": 650})
    page.goto(f"{server.address}{studied.paths['paris-connection']}/{address}")
    if "what-if" not in address:
        page.locator("#what-if-details summary").click()
    expect(page.locator("#what-if-details button")).to_be_in_viewport(ratio=1)


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_a_study_can_be_started_from_the_replay_in_every_language(
    finished_games: tuple[Shelf, Server], chromium: Browser, language: str
) -> None:
    studied, server = finished_games
    context = chromium.new_context(viewport=PHONES[0], locale=language, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{server.address}{studied.paths['paris-connection']}/replay?at=12")
    page.locator("#expand-prompt").click()
    page.locator("#what-if-details summary").click()
    page.select_option("#study-seat", "3")
    page.select_option("#study-bot", "beginner")
    problems = [f"replay: {fault}" for fault in (*too_wide(page), *overlaps(page), *findings(page, "#what-if-details"))]
    page.locator("#what-if-details button").click()
    page.wait_for_url(re.compile(r"/table/[^/]+$"))
    expect(page.locator("#what-if-origin")).to_be_visible()
    expect(page.locator("#player-list li.is-own-seat")).to_have_id("seat-2")
    problems += [f"study: {fault}" for fault in (*too_wide(page), *overlaps(page), *findings(page, "#what-if-origin"))]
    context.close()
    assert "\n".join(problems) == ""
