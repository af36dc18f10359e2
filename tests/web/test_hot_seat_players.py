"""Check the players on one device: alone, leaving, returning, and in a rematch."""

from __future__ import annotations

import re

import pytest

from tests.sentences import sentence_after
from tests.web.table_moves import waits_for
from tests.web.visitors import Visitor

MENU = "web/templates/table_menu.html"
OWN_SEATS = "seat.number in perspective.device_seats and"
LEAVE_AS = sentence_after(MENU, OWN_SEATS, name="NAME").replace("NAME", r"(\w+)")
"""A pattern of what the buttons say with which players of a device leave."""
LEAVE = sentence_after(MENU, OWN_SEATS, "{% else %}")


def sit_as(name: str) -> str:
    return sentence_after("web/templates/table.html", "if beside or perspective.device_seats", name=name)


@pytest.mark.parametrize("game", ["paris-connection", "era-of-inventions"])
def test_the_only_player_left_on_a_device_plays_without_a_handoff_screen(ada: Visitor, game: str) -> None:
    seats = {"seat-0": "bot:random", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit(f"/new/{game}", name="Ada", **seats).headers["location"]
    assert ada.leave(path, me="3").status_code == 303
    assert ada.submit(f"{path}/replace/2/random").status_code == 303
    for _ in range(2):
        state = waits_for(ada, path, 1)
        assert state["seat"] == 1
        assert 'id="handoff-screen"' not in ada.get(path).text
        assert ada.get(f"{path}?me=2", headers={"Accept": "application/json"}).json()["seat"] == 1
        move = next(move for move in state["moves"] if move.startswith(("trade", "place")))
        assert ada.play(path, move, state["version"]).status_code == 200
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0").status_code == 303
    assert ada.state(path)["status"] == "aborted"


def test_a_player_continues_after_the_host_on_the_same_device_has_left(ada: Visitor, grace: Visitor) -> None:
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


def test_the_buttons_to_leave_name_the_player_who_leaves(ada: Visitor) -> None:
    seats = {"seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", name="Ada", **seats).headers["location"]
    while (state := ada.state(path))["to_decide"] != 1:
        ada.play(path, state["moves"][0])
    page = ada.get(path).text
    named_seats = dict(re.findall(rf'formaction="[^"]+/leave" name="me" value="(\d)">{LEAVE_AS}<', page))
    assert named_seats == {"0": "Ada", "2": "Ben", "3": "Cleo"}
    leave_response = ada.leave(path)
    assert leave_response.headers["location"] == path, "the others play on"
    assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "left", "person"]
    assert ada.leave(path, me="3").status_code == 303
    page = ada.get(path).text
    assert f">{LEAVE}<" in page
    assert not re.search(LEAVE_AS, page)
    assert ada.leave(path).headers["location"] == "/"


def test_a_player_behind_the_handoff_screen_can_leave_only_for_themselves(
    ada: Visitor, shared_device_table: str
) -> None:
    assert "/leave" not in ada.get(shared_device_table).text
    page = ada.get(f"{shared_device_table}?me=2").text
    assert re.findall(LEAVE_AS, page) == ["Ben"]


def offered(page: str) -> list[tuple[str, str]]:
    """Return the players who may take a seat by the form of a page, and the seat if the form names one."""
    form = page[page.index('<form id="seat-form"') : page.index('<div id="live-part"')]
    return re.findall(r'<button class="button[^"]*"(?: name="seat" value="(\d)")?>\s*([^<]+)<', form)


def test_in_a_rematch_all_players_sit_down_again_on_their_shared_device(
    ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path = ada.table("open", "me", "here", **{"here-2": "Ben"})
    assert grace.sit(path, "Grace").status_code == 303
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0", me="0").status_code == 303
    assert grace.submit(f"{path}/consent/agree-abort").status_code == 303
    path = grace.submit(f"{path}/rematch").headers["location"]
    assert offered(ada.get(path).text) == [("", sit_as("Ada")), ("2", sit_as("Ben"))]
    assert grace.submit(f"{path}/sit", seat="2").status_code == 409, "she sits"
    assert mary.submit(f"{path}/sit", seat="2", name="Mary").status_code == 403
    assert offered(mary.get(path).text) == []
    assert ada.submit(f"{path}/sit").status_code == 303
    assert offered(ada.get(path).text) == [("2", sit_as("Ben"))]
    assert ada.submit(f"{path}/sit", seat="2").status_code == 303
    state = grace.state(path)
    assert state["status"] == "running"
    assert [seat["name"] for seat in state["seats"]] == ["Grace", "Ada", "Ben"]
    assert 'id="handoff-screen"' in ada.get(path).text
    assert 'id="seat-form" class="has-reserved-seats"' not in ada.get(path).text


def test_players_who_left_can_return_on_their_shared_device(ada: Visitor, shared_device_table: str) -> None:
    assert ada.leave(shared_device_table, me="2").status_code == 303
    assert ada.submit(f"{shared_device_table}/reclaim/2").status_code == 303, "by mistake"
    page = ada.get(shared_device_table).text
    assert offered(page) == [("1", sit_as("Ben")), ("2", sit_as("Cleo"))]
    assert 'id="seat-form" class="has-reserved-seats"' in page
    assert ada.submit(f"{shared_device_table}/sit", seat="1").status_code == 303
    assert ada.leave(shared_device_table, me="0").status_code == 303
    assert offered(ada.get(shared_device_table).text) == [("", sit_as("Ada")), ("2", sit_as("Cleo"))]
    assert ada.submit(f"{shared_device_table}/sit").status_code == 303
    assert ada.submit(f"{shared_device_table}/sit", seat="2", me="2").status_code == 303
    seats = ada.state(shared_device_table)["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", name) for name in ("Ada", "Ben", "Cleo")]
    assert 'id="seat-form" class="has-reserved-seats"' not in ada.get(shared_device_table).text


def test_the_lobby_offers_the_seats_of_all_players_who_left_on_the_device(
    ada: Visitor, shared_device_table: str
) -> None:
    for hot_seat, name in (("0", "Ada"), ("2", "Ben")):
        question = sentence_after("web/routes/seats.py", "question = ", name=name)
        assert question in ada.submit(f"{shared_device_table}/leave", me=hot_seat).text
        assert ada.leave(shared_device_table, me=hot_seat).status_code == 303
    offers = rf'formaction="{shared_device_table}/sit" name="seat" value="(\d)">\s*([^<]+)<'
    rejoin_label = sentence_after("web/templates/lobby_row.html", "if player.person == person_id")
    assert re.findall(offers, ada.get("/").text) == [("0", rejoin_label), ("1", sit_as("Ben"))]
    for seat in "01":
        assert ada.submit(f"{shared_device_table}/sit", seat=seat).headers["location"] == shared_device_table
    assert re.findall(offers, ada.get("/").text) == []


def test_the_only_player_left_on_a_device_opens_the_rematch(ada: Visitor) -> None:
    path = ada.table("me", "here", "bot:random", **{"here-1": "Ben"})
    assert ada.leave(path, me="0").status_code == 303
    assert ada.submit(f"{path}/consent/ask-abort?confirmed=0").status_code == 303
    following = ada.submit(f"{path}/rematch")
    assert following.status_code == 303
    seats = ada.state(following.headers["location"])["seats"]
    assert [seat["kind"] for seat in seats] == ["link", "person", "bot"]
