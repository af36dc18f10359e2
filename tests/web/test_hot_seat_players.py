"""The players on a person's device: alone there, leaving, coming back, and in the next game."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.conftest import Visitor


@pytest.mark.parametrize("game", ["paris-connection", "era-of-inventions"])
def test_one_neighbour_alone_on_a_device_plays(ada: Visitor, game: str) -> None:
    seats = {"seat-0": "bot:random", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit(f"/new/{game}", name="Ada", **seats).headers["location"]
    assert ada.leave(path, me="3").status_code == 303
    assert ada.submit(f"{path}/replace/2/random").status_code == 303
    for _ in range(2):
        state = waits_for(ada, path, 1)
        assert state["seat"] == 1
        assert 'id="curtain"' not in ada.get(path).text
        assert ada.get(f"{path}?me=2", headers={"Accept": "application/json"}).json()["seat"] == 1
        move = next(move for move in state["moves"] if move.startswith(("trade", "place")))
        assert ada.play(path, move, state["version"]).status_code == 200
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0").status_code == 303
    assert ada.state(path)["status"] == "aborted"


def waits_for(visitor: Visitor, path: str, *seats: int) -> dict[str, Any]:
    """The table once one of these seats is to decide: bots think a moment, and what they did comes by the stream."""
    while (state := visitor.state(path))["to_decide"] not in seats:
        seen = f"{path.rpartition('/')[2]}@{state['version']}"
        with visitor.stream("GET", "/stream", params={"watch": seen}, timeout=30) as stream:
            next(line for line in stream.iter_lines() if line.startswith("id: "))
    return state


def test_a_neighbour_plays_on_when_the_host_has_left(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "here", "open", **{"here-1": "Ben"})
    assert grace.sit(path, "Grace").status_code == 303
    assert ada.leave(path, me="0").status_code == 303
    assert (ada.state(path)["seat"], grace.state(path)["seat"]) == (1, 2)
    assert ada.submit(f"{path}/replace/0/random").status_code == 303, "the table is still that of this device"
    if waits_for(ada, path, 1, 2)["to_decide"] == 2:
        grace.play(path, next(move for move in grace.state(path)["moves"] if move.startswith("trade")))
    state = waits_for(ada, path, 1)
    assert ada.play(path, next(move for move in state["moves"] if move.startswith("trade"))).status_code == 200
    assert ada.leave(path, me="2").status_code == 303
    assert grace.submit(f"{path}/replace/1/random").status_code == 303, "now it is Grace's"


def test_who_leaves_is_who_the_page_names(ada: Visitor) -> None:
    seats = {"seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", name="Ada", **seats).headers["location"]
    while (state := ada.state(path))["to_decide"] != 1:
        ada.play(path, state["moves"][0])
    page = ada.get(path).text
    named = dict(re.findall(r'formaction="[^"]+/leave" name="me" value="(\d)">Leave the table as (\w+)<', page))
    assert named == {"0": "Ada", "2": "Ben", "3": "Cleo"}
    left = ada.leave(path)
    assert left.headers["location"] == path, "the others play on"
    assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "left", "person"]
    assert ada.leave(path, me="3").status_code == 303
    page = ada.get(path).text
    assert ">Leave the table<" in page
    assert "Leave the table as" not in page
    assert ada.leave(path).headers["location"] == "/"


def test_behind_the_curtain_one_leaves_for_oneself(ada: Visitor, shared: str) -> None:
    assert "/leave" not in ada.get(shared).text
    page = ada.get(f"{shared}?me=2").text
    assert re.findall(r"Leave the table as (\w+)", page) == ["Ben"]


def offered(page: str) -> list[tuple[str, str]]:
    """Return the players who may take a seat by the form of a page, and the seat if it names one."""
    form = page[page.index('<form id="seat"') : page.index('<div id="live"')]
    return re.findall(r'<button class="button[^"]*"(?: name="seat" value="(\d)")?>(Sit down[^<]*)<', form)


def test_in_the_next_game_all_sit_down_again_on_their_device(ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    path = ada.table("open", "me", "here", **{"here-2": "Ben"})
    assert grace.sit(path, "Grace").status_code == 303
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0", me="0").status_code == 303
    assert grace.submit(f"{path}/consent/agree-abort").status_code == 303
    path = grace.submit(f"{path}/rematch").headers["location"]
    assert offered(ada.get(path).text) == [("", "Sit down as Ada"), ("2", "Sit down as Ben")]
    assert grace.submit(f"{path}/sit", seat="2").status_code == 409, "she sits"
    assert mary.submit(f"{path}/sit", seat="2", name="Mary").status_code == 403
    assert offered(mary.get(path).text) == []
    assert ada.submit(f"{path}/sit").status_code == 303
    assert offered(ada.get(path).text) == [("2", "Sit down as Ben")]
    assert ada.submit(f"{path}/sit", seat="2").status_code == 303
    state = grace.state(path)
    assert state["status"] == "running"
    assert [seat["name"] for seat in state["seats"]] == ["Grace", "Ada", "Ben"]
    assert 'id="curtain"' in ada.get(path).text
    assert 'id="seat" class="back"' not in ada.get(path).text


def test_who_left_comes_back_on_their_device(ada: Visitor, shared: str) -> None:
    assert ada.leave(shared, me="2").status_code == 303
    assert ada.submit(f"{shared}/reclaim/2").status_code == 303, "by mistake"
    page = ada.get(shared).text
    assert offered(page) == [("1", "Sit down as Ben"), ("2", "Sit down as Cleo")]
    assert 'id="seat" class="back"' in page
    assert ada.submit(f"{shared}/sit", seat="1").status_code == 303
    assert ada.leave(shared, me="0").status_code == 303
    assert offered(ada.get(shared).text) == [("", "Sit down as Ada"), ("2", "Sit down as Cleo")]
    assert ada.submit(f"{shared}/sit").status_code == 303
    assert ada.submit(f"{shared}/sit", seat="2", me="2").status_code == 303
    seats = ada.state(shared)["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", name) for name in ("Ada", "Ben", "Cleo")]
    assert 'id="seat" class="back"' not in ada.get(shared).text


def test_the_lobby_offers_the_seats_of_all_on_the_device_who_left(ada: Visitor, shared: str) -> None:
    for me, name in (("0", "Ada"), ("2", "Ben")):
        assert f"Leave the table as {name}?" in ada.submit(f"{shared}/leave", me=me).text
        assert ada.leave(shared, me=me).status_code == 303
    offers = rf'formaction="{shared}/sit" name="seat" value="(\d)">(Sit down[^<]*)<'
    assert re.findall(offers, ada.get("/").text) == [("0", "Sit down again"), ("1", "Sit down as Ben")]
    for seat in "01":
        assert ada.submit(f"{shared}/sit", seat=seat).headers["location"] == shared
    assert re.findall(offers, ada.get("/").text) == []


def test_a_neighbour_alone_opens_the_next_game(ada: Visitor) -> None:
    path = ada.table("me", "here", "bot:random", **{"here-1": "Ben"})
    assert ada.leave(path, me="0").status_code == 303
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0").status_code == 303
    following = ada.submit(f"{path}/rematch")
    assert following.status_code == 303
    seats = ada.state(following.headers["location"])["seats"]
    assert [seat["kind"] for seat in seats] == ["link", "person", "bot"]
