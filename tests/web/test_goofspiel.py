"""Check the game of the tutorial, `examples/goofspiel`, on the web."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from spieltisch import games
from spieltisch.testing import check_game
from tests.paths import ROOT
from tests.web.servers import Server
from tests.web.visitors import Visitor

PACKAGE = ROOT / "examples" / "goofspiel"


@pytest.fixture
def goofspiel(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Register the game during a test, also for processes that the test starts."""
    monkeypatch.setenv("SPIELTISCH_GAMES", "goofspiel")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE), prepend=os.pathsep)
    monkeypatch.syspath_prepend(PACKAGE)
    games.game_modules.cache_clear()
    yield "goofspiel"
    games.game_modules.cache_clear()


def panel(visitor: Visitor, path: str) -> str:
    """Return the words of the panels."""
    page = visitor.get(path).text
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.index('id="panel-prizes"') :]).split())


def test_two_people_play_goofspiel_to_its_end_with_secret_bids(toy_server: Server) -> None:
    with Visitor(toy_server) as ada, Visitor(toy_server) as grace:
        path = ada.table("me", "open", game="goofspiel")
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
        assert 'href="/games/goofspiel/rules#G4"' in page
        assert "Game of Pure Strategy" in ada.get("/games/goofspiel/rules").text


@pytest.mark.build
def test_the_game_of_the_tutorial_passes_the_conformance_suite_compiled(goofspiel: str) -> None:
    report = check_game(goofspiel, games=1)
    assert report.games == 3
    assert report.missing
