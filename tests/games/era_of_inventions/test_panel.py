"""Check the boards at the end of a round and in the last round."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games.era_of_inventions.panel import EraScene
from tests.games.era_of_inventions.positions import MARKET, position_with

GAME = spieltisch.game("era-of-inventions")

FRESH = {"fresh": ["telephone a", "telephone b", "telephone counterfeit"]}
ROW = ["light bulb", None, "car a", "camera a", "car b", None, "umbrella"]


def scene(position: Position) -> EraScene:
    return EraScene(position.observe(None), Words("en", GAME.folder / "locale"))


@pytest.mark.rule("E48")
@pytest.mark.rule("E51")
def test_cards_entering_and_leaving_at_the_end_of_the_round_are_marked(game: Game) -> None:
    panel_scene = scene(position_with(game, row=ROW, piles=FRESH))
    assert [space["arrow"] for space in panel_scene.row()] == [False] * 4 + [True] * 3
    assert [space["leaves"] for space in panel_scene.row()] == [True, False, False, False, True, True, True]
    assert any(space["arrow"] for space in panel_scene.factory_row())
    assert panel_scene.piles()["fresh"] == 3
    assert all(store["refill"] for store in panel_scene.stores())


@pytest.mark.rule("E54")
@pytest.mark.parametrize("phase", ["placing", "last exchange"])
def test_after_the_last_round_no_card_is_marked_as_entering_or_leaving(game: Game, phase: str) -> None:
    rounds = position_with(game).setup.plain_params.rounds
    action = MARKET if phase == "last exchange" else None
    panel_scene = scene(position_with(game, row=ROW, piles=FRESH, round_number=rounds, phase=phase, action=action))
    for space in (*panel_scene.row(), *panel_scene.factory_row()):
        assert not space["arrow"]
        assert not space["leaves"]
    assert panel_scene.piles()["fresh"] == 0
    assert all(store["refill"] is None for store in panel_scene.stores())


def test_prices_have_a_description_in_words(game: Game) -> None:
    panel_scene = scene(position_with(game))
    cheapest = panel_scene.inventions()[0]["fields"][0]
    assert cheapest["labels"] == {"cost": "1 development stone", "influence": "1 influence point"}
    steps = panel_scene.steps()["spaces"]
    assert [step["labels"]["cost"] for step in steps[1:3]] == ["1 coin", f"{steps[2]['coins']} coins"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_field_is_called_on_the_board_by_a_word_of_its_name(game: Game, language: str) -> None:
    words = Words(language, GAME.folder / "locale")
    fields = EraScene(position_with(game).observe(None), words).actions()
    # The French verb on the board, "Développer", begins as the noun of the name, "Développement ou brevets".
    assert [field["short"] for field in fields if field["short"].lower()[:7] not in field["name"].lower()] == []
    assert len({field["short"] for field in fields}) == len(fields)
