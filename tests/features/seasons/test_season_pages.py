"""Check the pages of seasons: what members, hosts and strangers get, in two worlds, the wall, and a killed server."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import expect

from tests.features.group_visitors import JSON, create, named, without_path
from tests.features.seasons.season_visitors import FORM, NAMES, group_of, season_of
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in, trade_on


def play_round(visitors: list[Visitor], path: str, season: str) -> None:
    """Seat everyone at the table that waits, and play it to the end."""
    found = re.search(r'form="sit-form" name="table" value="([^"]+)"', visitors[0].get(season).text)
    assert found
    table = f"/table/{found.group(1)}"
    for visitor in visitors:
        assert visitor.submit(f"{path}/sit", table=found.group(1)).headers["location"] == table
    names = [seat["name"] for seat in visitors[0].state(table)["seats"]]
    trade_on([visitors[NAMES.index(name)] for name in names], table, None)


def test_a_season_is_joined_and_played_over_a_killed_server(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with ExitStack() as stack:
        visitors = [stack.enter_context(Visitor(server)) for _ in NAMES]
        ada, ben, cleo = visitors
        path = group_of(visitors)
        season = season_of(ada, path)
        assert f'href="{path}/seasons"' in ben.get(path).text
        assert f'href="{season}"' in ben.get(f"{path}/seasons").text
        assert "<details open>" in ben.get(season).text, "the rules are shown before one joins"
        for visitor in visitors:
            assert visitor.submit(f"{season}/join").headers["location"] == season
        assert f"{season}/begin" not in ben.get(season).text
        assert ada.submit(f"{season}/begin").headers["location"] == season
        listed = sentence_after(
            "features/seasons/templates/list.html",
            "elif season.round < season.plan.rounds",
            number=1,
            count=FORM["each"],
        )
        assert listed in ben.get(f"{path}/seasons").text
        assert ben.get(season).text.count("<td>–</td>") == len(NAMES), "everyone is listed before the first game"
        play_round(visitors, path, season)
        server.stop(signal.SIGKILL)
        server = own_server()
        for visitor in visitors:
            visitor.base_url = httpx.URL(server.address)
            visitor.headers["Origin"] = server.address
        text = cleo.get(season).text
        assert text.count("<td>1</td>") >= len(NAMES), "the game counts"
        assert ben.submit(f"{season}/next", round="0").status_code == 403
        assert ada.submit(f"{season}/next", round="0").headers["location"] == season
        play_round(visitors, path, season)
        ada.submit(f"{season}/next", round="1")
        for address in (season, f"{season}/wall"):
            text = cleo.get(address).text
            assert "number-table" in text
            assert 'data-stage="over"' in text
        assert cleo.submit(f"{path}/leave").status_code == 303
        assert cleo.get(season).status_code == 404
        assert "Cleo" not in re.sub(r'class="own-name".*?</a>', "", ada.get(f"{season}/wall").text)
        assert ada.submit(f"{season}/end").headers["location"] == f"{path}/seasons"


ACTS = ("join", "leave", "begin", "next", "end", "nonsense")


def answers(visitor: Visitor, path: str, season: str) -> list[tuple[int, str]]:
    """Return all answers about the seasons of a group that a visitor can ask for."""
    token, seen = visitor.token(), []
    for address in (f"{path}/seasons", season, f"{season}/wall"):
        seen += [visitor.get(address, headers=headers) for headers in ({}, JSON)]
    for address in (f"{path}/seasons", *(f"{season}/{act}" for act in ACTS)):
        fields = {**FORM, "token": token, "round": "0"}
        seen += [visitor.post(address, data=fields, headers=headers) for headers in ({}, JSON)]
        seen.append(visitor.post(address, data={**fields, "token": "forged"}))
    return [(answer.status_code, without_path(without_path(answer.text, season), path)) for answer in seen]


@pytest.mark.parametrize("is_named", [True, False])
def test_a_stranger_gets_the_answers_of_a_season_that_does_not_exist(
    own_server: Callable[..., Server], is_named: bool
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as stranger:
        path = create(named(ada, "Ada"))
        season = season_of(ada, path)
        if is_named:
            other = create(named(stranger, "Zoe"))
            in_own = f"{other}/season/{season.rpartition('/')[2]}"
            assert stranger.get(in_own, headers=JSON).json()["code"] == "no-season"
        there = answers(stranger, path, season)
        assert there == answers(stranger, path, f"{path}/season/AAAAAAAAAAAA")
        assert there == answers(stranger, "/group/AAAAAAAAAAAA", "/group/AAAAAAAAAAAA/season/AAAAAAAAAAAA")
        assert {status for status, _ in there} == {403, 404}
        watched = {"watch": f"season:{season.rpartition('/')[2]}@1"}
        assert (
            ada.get("/changes", params=watched).status_code,
            stranger.get("/changes", params=watched).status_code,
        ) == (
            200,
            204,
        )


def test_a_wrong_form_is_refused_by_reason(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server()) as ada:
        path = create(named(ada, "Ada"))
        for wrong, code in (
            ({"game-paris-connection": None}, "game"),
            ({"each": "0"}, "settings"),
            ({"seats": "x"}, "settings"),
            ({"days": "100"}, "settings"),
            ({"clock": "sundial"}, "settings"),
            ({"title": " "}, "name"),
        ):
            fields = {key: value for key, value in {**FORM, **wrong, "token": ada.token()}.items() if value is not None}
            assert ada.post(f"{path}/seasons", data=fields, headers=JSON).json()["code"] == code
        season = season_of(ada, path)
        assert ada.post(f"{season}/nonsense", data={"token": ada.token()}).status_code == 404


@pytest.mark.browser
def test_the_wall_shows_a_seat_that_is_taken_and_to_strangers_nothing(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server = own_server()
    with ExitStack() as stack:
        visitors = [stack.enter_context(Visitor(server)) for _ in NAMES]
        path = group_of(visitors)
        season = season_of(visitors[0], path)
        for visitor in visitors:
            visitor.submit(f"{season}/join")
        wall = open_page()
        let_in(wall.context, visitors[0])
        visitors[0].submit(f"{season}/begin")
        wall.goto(f"{server.address}{season}/wall")
        expect(wall.locator(".wall .tag")).to_have_attribute("data-status", "open")
        play_round(visitors, path, season)
        expect(wall.locator(".wall .tag")).to_have_attribute("data-status", "finished")
        expect(wall.locator(".wall .number-table tbody tr")).to_have_count(len(NAMES))
