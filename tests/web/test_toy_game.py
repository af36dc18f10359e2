"""Check that a game in one folder gets all its pages without changes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import spieltisch
from tests.web.servers import Server
from tests.web.visitors import Visitor


@pytest.fixture
def host(toy: str, toy_server: Server) -> Iterator[Visitor]:
    with Visitor(toy_server, "de") as visitor:
        yield visitor


def opened(host: Visitor, *seats: str) -> str:
    seat_fields = {f"seat-{number}": kind for number, kind in enumerate(seats)}
    answer = host.submit("/new/toy", name="Ada", **seat_fields)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


def test_a_game_in_one_folder_has_lobby_rules_and_components_pages(host: Visitor) -> None:
    assert "Laternen" in host.get("/").text
    assert host.get("/new/toy").status_code == 200
    rules = host.get("/games/toy/rules").text
    assert all(f'id="K{number}"' in rules for number in range(1, 6))
    assert "Funken aus dem Beutel" in rules
    assert "rekonstruiert" in host.get("/games/toy/components").text


def test_a_whole_toy_game_is_played_with_reasons_and_a_record(host: Visitor) -> None:
    path = opened(host, "me", "bot:easy", "bot:random")
    page = host.get(path).text
    assert "Take stones" in page or "ist am Zug" in page
    has_asked = False
    while (state := host.state(path))["status"] == "running":
        if not state["moves"]:
            continue
        if not has_asked and "look 1" not in state["moves"]:
            reasons = host.get(f"{path}/why?words=look 1", headers={"Accept": "application/json"}).json()
            assert [reason["rule"] for reason in reasons] == ["K4"]
            has_asked = True
        move = "look 2" if "look 2" in state["moves"] else state["moves"][-1]
        assert host.play(path, move, state["version"]).status_code == 200
    assert has_asked
    record = spieltisch.Record.parse(host.get(f"{path}/record").text)
    assert record.verify().is_over
    assert host.get(path).status_code == 200


def test_looking_at_a_card_cannot_be_undone(host: Visitor) -> None:
    """A look reveals information; covering a card does not."""
    path = opened(host, "me", "bot:easy")
    while not (state := host.state(path))["moves"]:
        pass
    assert host.play(path, "cover").status_code == 200
    undo_refusal = host.submit(f"{path}/undo", version=str(host.state(path)["version"]))
    assert undo_refusal.status_code == 303
    assert "cover" in host.state(path)["moves"]
    assert host.play(path, "look 2").status_code == 200
    refusal = host.submit(f"{path}/undo", version=str(host.state(path)["version"]))
    assert refusal.status_code == 409
    assert "look 2" not in host.state(path)["moves"]
    assert state["version"] < host.state(path)["version"]
