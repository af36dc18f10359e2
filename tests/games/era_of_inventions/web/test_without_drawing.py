"""Play a whole game without a drawing at the plain table."""

from __future__ import annotations

import random
import re

import pytest

import spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor

GAME = "era-of-inventions"


@pytest.mark.whole_game
def test_a_whole_game_without_a_drawing_is_played_by_choosing_words(quick_server: Server) -> None:
    with Visitor(quick_server) as ada:
        play_by_words(ada)


def play_by_words(ada: Visitor) -> None:
    answer = ada.submit(f"/new/{GAME}", **{"name": "Ada", "seat-0": "me", "seat-1": "bot:easy", "seat-2": "bot:random"})
    assert answer.status_code == 303, answer.text
    path, chance = answer.headers["location"], random.Random(4)
    decisions = 0
    while (state := ada.state(path))["status"] == "running":
        if not state["moves"]:
            continue
        if decisions % 20 == 0:
            page = ada.get(path).text
            offered = set(re.findall(r'name="move" value="([^"]+)"', page))
            assert offered == set(state["moves"])  # the words on the page are the legal moves
        if decisions == 0:
            reasons = ada.get(f"{path}/why?words=done", headers={"Accept": "application/json"}).json()
            assert reasons
            assert all(re.fullmatch(r"[ER]\d+", reason["rule"]) for reason in reasons)
        assert ada.play(path, chance.choice(state["moves"]), state["version"]).status_code == 200
        decisions += 1
    assert decisions > 30
    record = spieltisch.Record.parse(ada.get(f"{path}/record").text)
    assert record.verify().is_over
    assert ada.get(path).status_code == 200
