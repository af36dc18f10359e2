"""The game of the tutorial, `examples/goofspiel`, on the web."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spieltisch import games
from spieltisch.testing import check_game
from tests.web.conftest import Server, Visitor

PACKAGE = Path(__file__).parent.parent.parent / "examples" / "goofspiel"


@pytest.fixture
def goofspiel(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the game, known for the time of one test, also to processes that it starts."""
    monkeypatch.setenv("SPIELTISCH_GAMES", "goofspiel")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE), prepend=os.pathsep)
    monkeypatch.syspath_prepend(PACKAGE)
    games.game_modules.cache_clear()
    yield "goofspiel"
    games.game_modules.cache_clear()


def panel(visitor: Visitor, path: str) -> str:
    """The words of the panels."""
    page = visitor.get(path).text
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.index('id="panel-prizes"') :]).split())


def test_two_people_bid_in_secret_to_the_end(goofspiel: str, own_server: Callable[..., Server]) -> None:
    running = own_server()
    with Visitor(running) as ada, Visitor(running) as grace:
        path = ada.table("me", "open", game=goofspiel)
        assert grace.sit(path, "Grace").status_code == 303
        assert ada.play(path, "bid 7").status_code == 200
        assert "bid: 7" in panel(ada, path)
        assert "has bid" in panel(grace, path)
        assert "bid: 7" not in panel(grace, path)
        assert grace.play(path, "bid 8").status_code == 200
        assert "has bid" not in panel(ada, path)
        while (state := ada.state(path))["status"] == "running":
            player = ada if state["moves"] else grace
            assert player.play(path, player.state(path)["moves"][0]).status_code == 200
        page = ada.get(f"{path}/end").text
        assert "The last prize is gone." in page
        assert f'href="/games/{goofspiel}/rules#G4"' in page
        assert "Game of Pure Strategy" in ada.get(f"/games/{goofspiel}/rules").text


@pytest.mark.build
def test_it_keeps_the_contract_compiled_too(goofspiel: str) -> None:
    report = check_game(goofspiel, games=1)
    assert report.games == 3
    assert report.missing
