"""What-if games: from a step of a finished game a table continues against bots, and says that it is a study."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from tests.tiers import first_alone
from tests.web.conftest import Server, Visitor
from tests.web.layout_checks import PHONES, findings, overlaps, too_wide
from tests.web.test_analysis import Shelf

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Server]]:
    """A server with finished games."""
    new_shelf = Shelf(tmp_path_factory.mktemp("studies") / "data")
    server = Server(new_shelf.data, "--limit", "seats_per_person=3")
    yield new_shelf, server
    assert server.stop() == 0, server.log


def test_a_study_runs_names_its_origin_and_is_not_in_the_lobby(shelf: tuple[Shelf, Server]) -> None:
    studied, server = shelf
    path = studied.paths["legendary-inventors"]
    with Visitor(server) as visitor, Visitor(server) as other:
        response = visitor.submit(f"{path}/what-if", at="30", seat="2", bot="beginner")
        assert response.status_code == 303, response.text
        study = response.headers["location"]
        state = visitor.state(study)
        assert (state["status"], state["seat"]) == ("running", 1)
        assert [seat["bot"] for seat in state["seats"]] == ["beginner", "", "beginner"]
        page = visitor.get(study).text
        assert 'id="study-of"' in page
        assert f'href="{path}/replay?at=30"' in page
        record = Record.parse(visitor.get(f"{study}/record").text)
        assert record.what_if == {"table": path.rpartition("/")[2], "move": 30, "seat": 2}
        assert study in visitor.get("/").text
        assert study not in other.get("/").text


def test_what_is_no_step_seat_or_bot_is_refused_and_so_is_one_too_many(shelf: tuple[Shelf, Server]) -> None:
    studied, server = shelf
    path, last = studied.paths["paris-connection"], len(studied.records["paris-connection"].moves)
    good = {"at": "3", "seat": "1", "bot": "easy"}
    with Visitor(server) as visitor:
        for wrong, status in (
            ({"at": str(last)}, 422),
            ({"at": "x"}, 400),
            ({"seat": "5"}, 422),
            ({"seat": ""}, 400),
            ({"bot": "deep-thought"}, 422),
        ):
            assert visitor.submit(f"{path}/what-if", **(good | wrong)).status_code == status, wrong
        assert visitor.post(f"{path}/what-if", data=good).status_code == 403
        for _ in range(3):
            assert visitor.submit(f"{path}/what-if", **good).status_code == 303
        refused = visitor.post(f"{path}/what-if", data={"token": visitor.token(), **good}, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "too-many-seats")


def test_only_who_may_see_the_game_may_play_on(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="off")
    form = {"at": "0", "seat": "1", "bot": "easy"}
    assert grace.submit(f"{path}/what-if", **form).status_code == 404
    assert ada.submit(f"{path}/what-if", **form).status_code == 409


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_from_the_replay_to_a_game_in_all_languages(
    shelf: tuple[Shelf, Server], chromium: Browser, language: str
) -> None:
    studied, server = shelf
    context = chromium.new_context(viewport=PHONES[0], locale=language, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{server.address}{studied.paths['paris-connection']}/replay?at=12")
    page.locator("#what-if summary").click()
    page.select_option("#study-seat", "3")
    page.select_option("#study-bot", "beginner")
    problems = [f"replay: {fault}" for fault in (*too_wide(page), *overlaps(page), *findings(page, "#what-if"))]
    page.locator("#what-if button").click()
    page.wait_for_url(re.compile(r"/table/[^/]+$"))
    expect(page.locator("#study-of")).to_be_visible()
    expect(page.locator("#people li.own")).to_have_id("seat-2")
    problems += [f"study: {fault}" for fault in (*too_wide(page), *overlaps(page), *findings(page, "#study-of"))]
    context.close()
    assert "\n".join(problems) == ""
