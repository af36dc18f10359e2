"""The boards at the end of a round, and in the last round."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Words
from spieltisch.games.era_of_inventions.panel import EraScene
from tests.games.era_of_inventions.positions import MARKET, position_with

GAME = spieltisch.game("era-of-inventions")

FRESH = {"fresh": ["telephone a", "telephone b", "telephone counterfeit"]}
ROW = ["light bulb", None, "car a", "camera a", "car b", None, "umbrella"]


def scene(position: Position) -> EraScene:
    return EraScene(position.observe(None), Words("en", GAME.folder / "locale"))


@pytest.mark.rule("E48")
@pytest.mark.rule("E51")
def test_what_comes_and_goes_at_the_end_of_the_round(game: Game) -> None:
    shown = scene(position_with(game, row=ROW, piles=FRESH))
    assert [space["arrow"] for space in shown.row()] == [False] * 4 + [True] * 3
    assert [space["leaves"] for space in shown.row()] == [True, False, False, False, True, True, True]
    assert any(space["arrow"] for space in shown.factory_row())
    assert shown.piles()["fresh"] == 3
    assert all(store["refill"] for store in shown.stores())


@pytest.mark.rule("E54")
@pytest.mark.parametrize("phase", ["placing", "last exchange"])
def test_after_the_last_round_nothing_comes_or_goes(game: Game, phase: str) -> None:
    rounds = position_with(game).setup.plain_params.rounds
    action = MARKET if phase == "last exchange" else None
    shown = scene(position_with(game, row=ROW, piles=FRESH, round_number=rounds, phase=phase, action=action))
    for space in (*shown.row(), *shown.factory_row()):
        assert not space["arrow"]
        assert not space["leaves"]
    assert shown.piles()["fresh"] == 0
    assert all(store["refill"] is None for store in shown.stores())


def test_prices_are_said_in_words(game: Game) -> None:
    shown = scene(position_with(game))
    cheapest = shown.inventions()[0]["fields"][0]
    assert cheapest["labels"] == {"cost": "1 development stone", "influence": "1 influence point"}
    steps = shown.steps()["spaces"]
    assert [step["labels"]["cost"] for step in steps[1:3]] == ["1 coin", f"{steps[2]['coins']} coins"]
